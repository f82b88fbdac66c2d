# SPDX-License-Identifier: Apache-2.0
"""One seed, the same bytes, whatever the number of threads."""

import json
import pathlib
import tempfile
import unittest

from heddle_run import run

SWEEP = ("schedule", "simulate", "--all", "--iterations", "60", "--warps", "40", "--beam", "20", "--json")
COMMANDS = [
    SWEEP,
    ("schedule", "simulate", "--policy", "frequency", "--p", "0.2", "--warps", "500", "--json"),
    ("schedule", "simulate", "--p", "0.1", "--iterations", "80", "--warps", "30", "--headroom", "--beam", "50"),
    ("schedule", "payoff", "--p", "0.16", "--path", "2,3", "--loop", "0.1", "--turn", "0.1", "--json"),
]


class Determinism(unittest.TestCase):
    def test_threads_do_not_change_a_byte(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                one = run(*command, "--jobs", "1")
                self.assertEqual(one.returncode, 0, one.stderr)
                self.assertEqual(one.stdout, run(*command, "--jobs", "2").stdout)
                self.assertEqual(one.stdout, run(*command).stdout)

    def test_the_seed_does(self):
        self.assertNotEqual(run(*COMMANDS[1]).stdout, run(*COMMANDS[1], "--seed", "2").stdout)

    def test_pictures_are_the_same_too(self):
        def pictures(jobs):
            with tempfile.TemporaryDirectory() as folder:
                run(*SWEEP, "--jobs", jobs, "--svg", folder)
                return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        one = pictures("1")
        self.assertEqual(set(one), {"efficiency-60.svg", "steps-60.svg"})
        self.assertEqual(one, pictures("2"))

    def test_a_study_gives_the_same_rows(self):
        def rows(jobs):
            done = run("study", "branch-number", "--quick", "--json", "--jobs", jobs)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [json.dumps(on["rows"]) for on in json.loads(done.stdout)["studies"][0]["devices"]]
        first = rows("2")
        self.assertGreater(len(first[0]), 1000)
        self.assertEqual(first, rows("2"))
        self.assertEqual(first, rows("1"))


unittest.main()
