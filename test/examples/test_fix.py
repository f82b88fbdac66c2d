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

    def test_what_is_not_equal_is_withdrawn(self):
        """The order of threads matters, and --trust says that it does not."""
        self.text = self.text.replace("__global__", "__device__ int order[264 * 16];\n\n__global__", 1)
        self.text = self.text.replace("++taken;", "int& slot = order[blockIdx.x * 16 + taken++];\n      slot = slot * 5 + thread;", 1)
        self.text = self.text.replace("= sum;", "= sum + order[blockIdx.x * 16 + 3] % 7;", 1)
        self.program.write_text(self.text)
        done = self.fix("--only", "schedule-iterations", "--in-place", "--trust", "--", "4")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"rejection\.cu:19  schedule-iterations \(aging\)  -  refuse \[results-differ\]")
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
