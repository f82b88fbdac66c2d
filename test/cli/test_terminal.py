# SPDX-License-Identifier: Apache-2.0
"""Colours, progress and pipes."""

import subprocess
import unittest

from heddle_run import HEDDLE, run, run_on_terminal

QUESTION = ("occupancy", "--device", "cc9.0", "--threads", "256", "--registers", "32")
LONG = ("schedule", "simulate", "--p", "0.1", "--warps", "20000")


class Terminal(unittest.TestCase):
    def test_colours_on_a_terminal_only(self):
        self.assertIn("\x1b[", run_on_terminal(*QUESTION))
        self.assertNotIn("\x1b[", run(*QUESTION).stdout)

    def test_no_color_and_never_win_over_the_terminal(self):
        self.assertNotIn("\x1b[", run_on_terminal(*QUESTION, environment={"NO_COLOR": "1"}))
        self.assertNotIn("\x1b[", run_on_terminal(*QUESTION, "--color", "never"))
        self.assertNotIn("\x1b[", run_on_terminal(*QUESTION, environment={"TERM": "dumb"}))

    def test_always_wins_over_the_pipe(self):
        self.assertIn("\x1b[", run(*QUESTION, "--color", "always").stdout)

    def test_progress_is_for_terminals_and_leaves_nothing(self):
        shown = run_on_terminal(*LONG)
        self.assertIn("simulating [", shown)
        self.assertTrue(shown.rsplit("simulating", 1)[1].count("\r\x1b[K") >= 1)
        quiet = run(*LONG)
        self.assertEqual(quiet.stderr, "")
        self.assertNotIn("simulating", quiet.stdout)

    def test_a_closed_pipe_is_no_error(self):
        process = subprocess.Popen([HEDDLE, *QUESTION, "--json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertEqual(process.wait(), 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()

    def test_a_full_disk_is_one(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([HEDDLE, *QUESTION], stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write the result: No space left on device", done.stderr)

    def test_results_and_complaints_do_not_mix(self):
        done = run("occupancy", "--threads", "0", "--registers", "1")
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1)


unittest.main()
