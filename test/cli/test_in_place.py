# SPDX-License-Identifier: Apache-2.0
"""heddle fix --in-place changes the text of a file and nothing else of it."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from heddle_run import SOURCE, run

EXAMPLE = SOURCE / "test" / "cli" / "data" / "small-parity.cu"


class InPlace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.file = self.path / "parity.cu"
        shutil.copyfile(EXAMPLE, self.file)

    def fix(self, name, *flags):
        done = run("fix", str(name), *flags, cwd=self.path, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def test_mode_links_and_line_ends_stay(self):
        self.file.write_bytes(EXAMPLE.read_bytes().replace(b"\n", b"\r\n"))
        self.file.chmod(0o600)
        if os.geteuid() == 0:
            os.chown(self.file, 12345, 12345)
        link = self.path / "link.cu"
        link.symlink_to("parity.cu")
        decoy = self.path / "precious"
        decoy.write_text("mine")
        before = self.file.stat()
        self.fix("link.cu", "--in-place")
        after = self.file.stat()
        self.assertTrue(link.is_symlink())
        self.assertEqual((after.st_mode, after.st_uid, after.st_gid), (before.st_mode, before.st_uid, before.st_gid))
        text = self.file.read_bytes()
        self.assertNotEqual(text, EXAMPLE.read_bytes().replace(b"\n", b"\r\n"))
        self.assertEqual(re.findall(rb"(?<!\r)\n", text), [])
        self.assertEqual(sorted(path.name for path in self.path.iterdir()), ["link.cu", "parity.cu", "precious"])

    def test_a_file_with_two_names_keeps_both(self):
        os.link(self.file, self.path / "other.cu")
        self.fix("parity.cu", "--in-place")
        self.assertNotEqual(self.file.read_bytes(), EXAMPLE.read_bytes())
        self.assertEqual((self.path / "other.cu").read_bytes(), self.file.read_bytes())

    def test_the_diff_of_an_absolute_path_applies(self):
        shown = self.fix(self.file)
        head = str(self.file).lstrip("/")
        self.assertIn(f"--- a/{head}\n+++ b/{head}\n", shown)
        diff = shown.split("\n\n  ")[0]
        patched = subprocess.run(["patch", "-p1", "-d", "/", "--dry-run"], input=diff + "\n", text=True,
                                 capture_output=True, check=False)
        self.assertEqual(patched.returncode, 0, patched.stdout + patched.stderr)

    def test_how_to_build_it(self):
        shown = self.fix("parity.cu", "-DN=3")
        self.assertRegex(shown, r"build it with: nvcc -D N=3 .*parity.cu -o parity\n")
        folder = run("include").stdout.strip()
        self.assertTrue((pathlib.Path(folder) / "heddle" / "schedule.cuh").exists(), folder)


unittest.main()
