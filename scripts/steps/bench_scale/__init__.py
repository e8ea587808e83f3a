"""How fast Parquet files are tokenized, by how many cores.

command: makes the files, starts a process for each measurement, and tables what they print;
driver: one measurement, in the environment that holds the engines.
"""
