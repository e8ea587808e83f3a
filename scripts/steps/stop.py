"""The one way in which a script gives up."""


class Stop(Exception):
    """Says in one sentence what is missing and how to give it; scripts then exit with 2."""
