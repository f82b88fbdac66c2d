# SPDX-License-Identifier: Apache-2.0
"""scripts/compare intervals: what it learns from half of the kernels, and what misses its bars on the other half."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from heddle_run import SOURCE

sys.path.insert(0, str(SOURCE / "scripts"))
from measuring import compare_intervals  # noqa: E402

GPU = SOURCE / "results/nvidia-h200"


def rows(kind, parts):
    return [{"kind": kind, "part": part, "seen": True} for part in parts]


class Intervals(unittest.TestCase):
    def test_as_many_lie_beyond_as_n_plus_one_places_allow(self):
        self.assertEqual(compare_intervals.conformal(range(1, 20)), (1, 19))
        self.assertEqual(compare_intervals.conformal(range(1, 39)), (1, 38))
        self.assertEqual(compare_intervals.conformal(range(1, 40)), (2, 38))
        self.assertEqual(compare_intervals.conformal(range(100, 0, -1)), (5, 96))

    def test_a_kind_of_few_has_the_interval_of_all_and_where_samples_are_poor_a_wider_one(self):
        many = rows("latency", [0.5 + 0.01 * i for i in range(100)])
        table = compare_intervals.learned(many + rows("recursion", [3.0, 9.0]) + rows("double", [7.0]))
        self.assertEqual(table["recursion"], (table[""][0], 9.0, 2))
        self.assertNotIn("double", table)

    def test_launches_and_busy_kernels_do_not_narrow_the_others(self):
        waiting = rows("latency", [0.5 + 0.01 * i for i in range(100)])
        alone = compare_intervals.learned(waiting)
        table = compare_intervals.learned(waiting + rows("launch", [1.0] * 200) + rows("issue", [1.0] * 12 + [1.1]) +
                                          rows("memory", [0.9] * 7))
        self.assertEqual(table[""], alone[""])
        self.assertEqual(table["busy"], (0.9, 1.1, 20))
        self.assertEqual(table["launch"], (0.94, 1.14, 200), "as launches of nothing differ")

    def test_what_is_not_seen_teaches_nothing(self):
        seen = rows("latency", [0.5 + 0.01 * i for i in range(100)])
        unseen = [row | {"seen": False, "part": 50} for row in seen]
        self.assertEqual(compare_intervals.learned(seen + unseen), compare_intervals.learned(seen))


class Held(unittest.TestCase):
    """Works on a copy of the results of the tree."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "gpu"
        for part in ("lanes", "counters", "corpus", "applications"):
            shutil.copytree(GPU / part, self.folder / part)

    def check(self):
        done = subprocess.run([SOURCE / "scripts/compare", "intervals", self.folder, "--check"], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def scale(self, code, factor, seen):
        path = self.folder / f"lanes/account-{code}.json"
        account = json.loads(path.read_text())
        for row in account:
            row["predicted"] = round(row["predicted"] * (factor if row["seen"] == seen else 1))
        path.write_text(json.dumps(account))

    def test_as_stored_it_holds(self):
        self.assertEqual(self.check()[0], 0, self.check()[1])

    def test_a_worse_model_is_seen(self):
        self.scale("nvcc", 1.5, seen=False)
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn("nvcc's code, unseen half: median factor", text)
        self.assertIn("within 1.35, bar 80%", text)
        self.assertNotIn("clang's code, unseen", text)

    def test_intervals_that_miss_are_seen(self):
        self.scale("clang", 4, seen=False)
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn("of the true times are inside the intervals, bar 85%", text)

    def test_intervals_that_nobody_learned_are_seen(self):
        self.scale("nvcc", 1.5, seen=True)
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn("nvcc's code: TimeIntervals.def is not what the seen half teaches", text)
        self.assertNotIn("unseen half", text, "the seen half judges nothing")


unittest.main()
