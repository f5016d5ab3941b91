"""Starts bqemulator without DuckDB's extension for geography, which would be downloaded."""

import sys

from bqemulator.cli import main
from bqemulator.storage import engine

for value in vars(engine).values():
    if hasattr(value, "_load_spatial"):
        value._load_spatial = lambda self: None

sys.exit(main())
