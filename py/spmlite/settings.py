"""Settings of the oracle that have nothing to set here: for programs that call them."""


def set_min_log_level(level: int) -> None:
    """Do nothing: what is wrong is raised, and nothing is ever logged.

    >>> set_min_log_level(2)
    """
    del level


def set_nbest_timeout(timeout_ms: int) -> None:
    """Do nothing: `nbest_encode` finds all that it is asked for, however long it takes.

    In the oracle it gives up after so many milliseconds, and returns the best result alone.

    >>> set_nbest_timeout(1000)
    """
    del timeout_ms
