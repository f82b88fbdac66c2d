# SPDX-License-Identifier: Apache-2.0
"""Studies on a model that is broken on purpose: the checks that speak of the broken part fail, the others hold."""

import functools
import json
import os
import unittest

from heddle_run import run


@functools.cache
def verdicts(study, fault):
    """The exit status, and the ids of the checks by verdict."""
    environment = {**os.environ, "HEDDLE_MODEL_FAULT": fault}
    done = run("study", study, "--quick", "--json", env=environment)
    if not done.stdout:
        raise AssertionError(done.stderr)
    found = {"holds": set(), "fails": set(), "skipped": set()}
    for check in json.loads(done.stdout)["studies"][0]["devices"][0]["checks"]:
        found[check["verdict"]].add(check["id"])
    return done.returncode, found


class StudyFaults(unittest.TestCase):
    def assert_broken(self, study, fault, failing, holding):
        """`failing` hold on the model and fail on the broken one; `holding` hold on both."""
        _, whole = verdicts(study, "")
        status, broken = verdicts(study, fault)
        self.assertLessEqual(set(failing) | set(holding), whole["holds"])
        self.assertEqual(status, 1)
        self.assertLessEqual(set(failing), broken["fails"])
        self.assertLessEqual(set(holding), broken["holds"])

    def test_occupancy_makes_the_gain_of_splitting(self):
        self.assert_broken(
            "branch-splitting", "occupancy",
            failing=["random-gain-at-worst-case", "random-split-ahead"],
            holding=["occupancy-branched", "occupancy-if", "one-mixed-warp", "mixed-warps-at-1-percent",
                     "mixed-warps-at-8-percent", "mixed-warps-at-16-percent"])

    def test_paths_one_after_another_make_the_line(self):
        self.assert_broken("branch-number", "free-path", failing=["linear", "all-paths-are-serial"], holding=[])

    def test_both_paths_make_the_size_of_a_branch(self):
        self.assert_broken("branch-size", "free-path", failing=["flat", "two-paths"],
                           holding=["every-size", "whole-warp"])

    def test_without_a_fault_they_hold(self):
        for study in ("branch-number", "branch-size"):
            self.assertEqual(verdicts(study, "")[0], 0, study)

    def test_an_unknown_fault_is_refused(self):
        done = run("study", "branch-size", "--quick", env={**os.environ, "HEDDLE_MODEL_FAULT": "cache"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("HEDDLE_MODEL_FAULT: found 'cache', expected occupancy or free-path", done.stderr)


unittest.main()
