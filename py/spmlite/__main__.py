"""`python -m spmlite`."""

import sys

from spmlite.cli import main

sys.exit(main())
