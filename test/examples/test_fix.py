# SPDX-License-Identifier: Apache-2.0
"""What is not proven is not written: heddle fix with rewrites that are right and that are wrong, on a copy of lesson 7."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
LESSON = "07-rejection/rejection.cu"


class Fix(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = pathlib.Path(self.folder.name) / LESSON
        self.program.parent.mkdir()
        shutil.copy(EXAMPLES / "common.h", self.folder.name)
        shutil.copy(EXAMPLES / LESSON, self.program)
        self.text = self.program.read_text()

    def tearDown(self):
        self.folder.cleanup()

    def fix(self, *arguments, **environment):
        return subprocess.run([os.environ["HEDDLE"], "fix", self.program, *arguments], capture_output=True, text=True,
                              check=False, env={**os.environ, "HEDDLE_PTXAS": "0", "HEDDLE_NVCC": "0", **environment})

    def test_a_wrong_rewrite_is_withdrawn(self):
        done = self.fix("--in-place", "--", "4", HEDDLE_REWRITE_FAULT="1")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"rejection\.cu:17  schedule-iterations \(aging\)  -  refuse \[results-differ\]")
        self.assertRegex(done.stdout, r"written by\s+\S*rejection\.cu:\d+:")
        self.assertNotRegex(done.stdout, r"(?m)^(---|\+\+\+|@@)|  apply$")
        self.assertIn("nothing pays", done.stdout)
        self.assertEqual(self.program.read_text(), self.text)

    def test_a_right_one_is_written_where_asked(self):
        done = self.fix("--only", "schedule-iterations", "--in-place", "--", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("+++ b/", done.stdout)
        self.assertIn("heddle::scheduled_loop", self.program.read_text())

    def test_an_error_changes_nothing(self):
        broken = self.text.replace("float sum", "flat sum")
        self.program.write_text(broken)
        done = self.fix("--in-place")
        self.assertEqual(done.returncode, 2)
        self.assertIn("flat", done.stderr)
        self.assertEqual(self.program.read_text(), broken)


unittest.main()
