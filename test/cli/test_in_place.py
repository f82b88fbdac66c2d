# SPDX-License-Identifier: Apache-2.0
"""heddle fix --in-place changes the text of a file and nothing else of it."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from heddle_run import HEDDLE, SOURCE, run
from waiting import PATIENCE, wait_until

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

    def test_what_was_saved_meanwhile_stays(self):
        temporary = self.path / "temporary"
        temporary.mkdir()
        process = subprocess.Popen([HEDDLE, "fix", "parity.cu", "--in-place"], cwd=self.path, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "TMPDIR": str(temporary)})
        self.addCleanup(process.kill)
        wait_until(lambda: process.poll() is not None or list(temporary.glob("*/4")), "it was not read and tried")
        saved = EXAMPLE.read_text() + "// mine\n"
        self.file.write_text(saved)
        error = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual((process.returncode, error), (2, "heddle: error: parity.cu has changed since it was read, so "
                                                          "nothing is written; run it again\n"))
        self.assertEqual(self.file.read_text(), saved)

    def test_a_file_that_must_not_be_written(self):
        os.chmod(self.path, 0o777)
        self.file.chmod(0o444)
        done = subprocess.run([HEDDLE, "fix", "parity.cu", "--in-place", "--no-cache"], cwd=self.path, text=True,
                              capture_output=True, check=False, stdin=subprocess.DEVNULL,
                              user=65534 if os.geteuid() == 0 else None)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "heddle: error: cannot write parity.cu: Permission denied\n")
        self.assertEqual(self.file.read_bytes(), EXAMPLE.read_bytes())
        self.assertEqual([path.name for path in self.path.iterdir()], ["parity.cu"])

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
