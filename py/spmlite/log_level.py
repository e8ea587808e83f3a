"""A setting of the oracle that has nothing to set here."""


def set_min_log_level(level: int) -> None:
    """Do nothing: what is wrong is raised, and nothing is ever logged.

    It is there for programs that silence the oracle.

    >>> set_min_log_level(2)
    """
    del level
