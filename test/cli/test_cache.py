# SPDX-License-Identifier: Apache-2.0
"""The cache: what is damaged, swapped, cleared or open to others never reaches a result."""

import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from heddle_run import HEDDLE, SOURCE

PROGRAM = SOURCE / "test" / "programs" / "features" / "goto.cu"


class Cache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.entries = self.home / "heddle" / "entries"

    def heddle(self, *arguments):
        return subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": str(self.home)})

    def good_run(self):
        done = self.heddle("run", PROGRAM, "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_flipped_bits_swapped_entries_and_headers(self):
        expected = self.good_run()
        self.good_run()
        files = sorted(self.entries.iterdir())
        self.assertGreater(len(files), 3)
        texts = [path.read_bytes() for path in files]
        for place in (0.01, 0.5, 0.99):
            for path, text in zip(files, texts):
                at = int(len(text) * place)
                path.write_bytes(text[:at] + bytes([text[at] ^ 4]) + text[at + 1:])
            self.assertEqual(self.good_run(), expected)
        texts = [path.read_bytes() for path in files]
        for i, path in enumerate(files):
            path.write_bytes(texts[(i + 1) % len(files)])
        self.assertEqual(self.good_run(), expected)
        for header in (self.home / "heddle" / "headers").rglob("*.h"):
            header.write_bytes(b"#error damaged" + header.read_bytes()[14:])
        for path in files:
            path.unlink()
        self.assertEqual(self.good_run(), expected)

    def test_clearing_it_harms_no_run(self):
        expected = self.good_run()
        stop = threading.Event()
        failures = []

        def clear():
            while not stop.is_set():
                done = self.heddle("cache", "clear")
                if done.returncode != 0:
                    failures.append(done.stderr)

        thread = threading.Thread(target=clear)
        thread.start()
        try:
            for _ in range(4):
                self.assertEqual(self.good_run(), expected)
        finally:
            stop.set()
            thread.join()
        self.assertEqual(failures, [])

    def test_a_folder_of_others_is_not_used(self):
        self.good_run()
        self.assertEqual((self.home / "heddle").stat().st_mode & 0o777, 0o700)
        for part in ("", "entries"):
            folder = self.home / "heddle" / part
            mode = folder.stat().st_mode
            folder.chmod(0o777)
            done = self.heddle("run", PROGRAM, "--quiet")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"^heddle: warning: the cache is not used: others can write to \S+ \(mode 777\)")
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(self.heddle("cache").returncode, 2)
            folder.chmod(mode & 0o7777)
        self.assertEqual(self.heddle("cache").returncode, 0)


unittest.main()
