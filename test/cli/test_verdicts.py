# SPDX-License-Identifier: Apache-2.0
"""What heddle fix found in a program is what heddle run shows of it from then on, as long as nothing has changed."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from heddle_run import SOURCE, run

LESSON = "07-rejection/rejection.cu"
NO_NVCC = {**os.environ, "HEDDLE_NVCC": "0"}


class Verdicts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = pathlib.Path(self.folder.name) / LESSON
        self.program.parent.mkdir()
        shutil.copy(SOURCE / "examples/common.h", self.folder.name)
        shutil.copy(SOURCE / "examples" / LESSON, self.program)
        # One that only says its version: whether there is an nvcc here makes no difference.
        nvcc = pathlib.Path(self.folder.name) / "nvcc"
        nvcc.write_text("#!/bin/sh\necho 'release 13.0, V13.0'\n")
        nvcc.chmod(0o755)
        self.nvcc = {**os.environ, "HEDDLE_NVCC": str(nvcc), "HEDDLE_DEVICE_CODE": "clang"}

    def tearDown(self):
        self.folder.cleanup()

    def rewrites(self, argument="4", environment=None):
        done = run("run", str(self.program), "--", argument, env=environment or self.nvcc)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.partition("\n  rewrites  ")[2]

    def guesses(self, *arguments, **options):
        """Advice is never tried."""
        return [line for line in self.rewrites(*arguments, **options).splitlines()
                if re.search(r"~\d", line) and "sorted-items" not in line]

    def fix(self, *flags):
        return run("fix", str(self.program), *flags, "--", "4", env=self.nvcc)

    def test_run_shows_what_fix_found(self):
        self.assertRegex(self.rewrites(), r"^rejection\.cu:17  schedule-iterations \(word\)  +~\d\.\d\dx  try\n")
        found = self.fix()
        self.assertEqual(found.returncode, 0, found.stderr)
        applied = next(line.split() for line in found.stdout.splitlines() if line.endswith("  apply"))
        self.assertEqual(applied[0], "rejection.cu:17")
        shown = self.rewrites()
        self.assertRegex(shown.splitlines()[0].strip(), rf"^rejection\.cu:17 .* {applied[-5]}  apply$")
        self.assertEqual(self.guesses(), [])
        self.assertIn("has tried the rewrites", shown)
        self.assertTrue(self.guesses("5"), "another input")
        self.assertTrue(self.guesses(environment=NO_NVCC))
        self.program.write_text(self.program.read_text().replace("150", "151"))
        self.assertTrue(self.guesses(), "another program")

    def test_a_search_for_less_is_not_kept(self):
        self.fix("--only", "regroup")
        self.fix("--likely")
        self.assertTrue(self.guesses())


unittest.main()
