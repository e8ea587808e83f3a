"""The steps behind the scripts: each module finds or gets one thing that the project needs."""
