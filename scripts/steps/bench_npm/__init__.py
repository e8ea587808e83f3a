"""How fast the npm package starts and encodes, and how large it is, beside its peers.

command: measures all in turn, round by round, and tables the medians;
in_chromium, in_node: one measurement each, in a fresh context or process;
sizes: what a page downloads. drivers/ are the scripts that run there.
"""
