# SPDX-License-Identifier: Apache-2.0
"""Programs whose threads take work from a counter, wait for each other or try again where another was first: two runs leave the
same account and times, byte by byte, whatever the number of workers and the load. HEDDLE_EVERY=1 takes all programs with atomics, else some."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from heddle_run import HEDDLE, SOURCE

SHARING = re.compile(r"atomic(Add|CAS|Exch|Inc|Max|Min)|volatile|\.sync\(\)|fetch_add|compare_exchange")
SOME = ["queue-shared", "poll-in-turn", "spin-lock", "last-block", "hash-table"]


def programs():
    found = [path for path in sorted((SOURCE / "test/programs").glob("*/*.cu")) + sorted((SOURCE / "examples").glob("*/*.cu"))
             if path.parent.name != "checks" and SHARING.search(path.read_text())]
    if "HEDDLE_EVERY" in os.environ:
        return found
    return [path for path in found if any(name in path.stem for name in SOME)]


def run(source, jobs):
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([HEDDLE, "run", source, "--jobs", jobs, "--quiet", "--no-advice", "--profile", profile], check=False,
                              capture_output=True, text=True, timeout=600)
        found = json.loads(profile.read_text())
        for record in found["kernels"] + found["launches"]:
            del record["seconds"]  # of this machine
        return done.stdout, json.dumps([found["kernels"], found["launches"]])


class SharedWork(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.load = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    @classmethod
    def tearDownClass(cls):
        cls.load.kill()
        cls.load.wait()

    def test_two_runs_agree(self):
        found = programs()
        self.assertGreaterEqual(len(found), 5)
        for source in found:
            with self.subTest(source=source.name):
                first = run(source, "2")
                self.assertEqual(first, run(source, "2"))
                self.assertEqual(first, run(source, "1"))


unittest.main()
