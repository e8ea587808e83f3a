"""How fast spmlite is beside everything else that tokenizes, measured in one go.

inputs (models and texts) -> engines (ours, the published lite runtime, peers) -> rounds
(measured in turn) -> rows (what was asked, what came out) -> report (JSON, plot, docs).
"""
