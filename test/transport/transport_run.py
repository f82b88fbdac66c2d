# SPDX-License-Identifier: Apache-2.0
"""Runs a program of examples/ on the engine, for the tests of this folder."""

import os
import pathlib
import subprocess
import tempfile
import unittest

os.environ.update(HEDDLE_PTXAS="0", HEDDLE_NVCC="0", HEDDLE_DEVICE_CODE="clang")  # the same with and without a toolkit
EXAMPLES = pathlib.Path(os.environ["HEDDLE_SOURCE"]) / "examples"


def asked_forms(few):
    """With HEDDLE_ALL_FORMS=1 all of them, which takes minutes."""
    return "all" if os.environ.get("HEDDLE_ALL_FORMS") == "1" else few


def run(sources, *words, flags=()):
    files = [str(EXAMPLES / source) for source in sources]
    return subprocess.run([os.environ["HEDDLE"], "run", "--quiet", *files, *flags, "--", *map(str, words)],
                          capture_output=True, text=True, check=False)


class TransportTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def file(self, text, name="input.txt"):
        path = self.folder / name
        path.write_text(text)
        return path

    def assert_refused(self, done, *parts):
        """One line that says all of it, status 2, and nothing on standard output."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        lines = [line for line in done.stderr.splitlines() if line]
        self.assertEqual(len(lines), 1, done.stderr)
        for part in parts:
            self.assertIn(part, lines[0])
