# SPDX-License-Identifier: Apache-2.0
"""What a program on trial writes, and what differs between two of its runs: files, times and addresses."""

import json
import pathlib
import tempfile
import unittest

from heddle_run import SOURCE, run

PROGRAM = str(SOURCE / "test" / "cli" / "data" / "writes.cu")
OLD = {"runs.txt": "7\n", "out.txt": "mine\n", "old.txt": "old\n", "old.dat": "data\n"}


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in OLD.items():
            (self.folder / name).write_text(text)

    def fix(self, digits, *flags):
        done = run("fix", PROGRAM, "--only", "regroup", "--tolerance", "1e-4", "--likely", *flags,
                   input=f"20 {digits}\n", cwd=self.folder)
        left = {path.name: path.read_text(errors="replace") for path in self.folder.iterdir()}
        self.assertEqual(left, OLD, "the user's files are as they were")
        return done

    def test_what_varies_is_set_aside_and_named(self):
        done = self.fix(2, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        varying = json.loads(done.stdout)["setAside"]
        self.assertEqual(len(varying), 2, varying)
        self.assertEqual(varying[0], "file out.raw: all of it")
        self.assertRegex(varying[1], r"^file out.txt: line 2 \('\d+'\)$")

    def test_the_rest_of_a_file_is_compared(self):
        done = self.fix(9)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(" ".join(done.stdout.split()), r"file out.txt: line 1 was 'result \S+' and is 'result \S+'")

    def test_what_still_differs_is_named(self):
        done = run("fix", str(SOURCE / "test" / "cli" / "data" / "varies.cu"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"what is left: cudaMalloc #1 \+ 2\d: before: \d+ .*, after: \d+ .*; 1 word of 4 bytes differs; "
                                      r"written by \S*varies.cu:6: kernel 'keep', block \(0,0,0\), thread \(5,0,0\); "
                                      r"allocated at \S*varies.cu:10")


unittest.main()
