# SPDX-License-Identifier: Apache-2.0
"""Sweeps of the tests: specs, and what is in their files."""

import json
import pathlib
import sqlite3
import tempfile
import unittest

from heddle_run import run

SIMULATE = ["schedule", "simulate", "--p", "{p}", "--iterations", "20", "--warps", "4", "--jobs", "1"]
TIMES = ("seconds", "started", "host")


class SweepTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.spec = self.folder / "s.json"
        self.database = self.folder / "s.db"

    def write(self, command=None, **keys):
        keys = keys or {"grid": {"p": [0.1, 0.2, 0.5]}}
        self.spec.write_text(json.dumps({"schema": "heddle.sweep/1", "command": command or SIMULATE, **keys}))

    def sweep(self, *flags, **options):
        return run("sweep", str(self.spec), *flags, **options)

    def rows(self, database=None):
        """The points by their numbers, as dictionaries."""
        with sqlite3.connect(f"file:{database or self.database}?mode=ro", uri=True) as connection:
            connection.row_factory = sqlite3.Row
            found = connection.execute("SELECT * FROM points WHERE place IS NOT NULL ORDER BY place").fetchall()
        connection.close()
        return [dict(row) for row in found]

    def done(self):
        """Whole rows of points that are done, by their keys."""
        return {row["key"]: row for row in self.rows() if row["status"] == "done"}

    @staticmethod
    def without_times(rows):
        return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def processes(*parts, environment=""):
    """Ids of the processes whose command line has all of these parts, and whose environment has that."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            around = (folder / "environ").read_bytes().decode(errors="replace").split("\0") if environment else [""]
        except OSError:  # it has ended, or is another user's
            continue
        if all(part in line for part in parts) and environment in around:
            found.append(int(folder.name))
    return found
