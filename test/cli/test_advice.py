# SPDX-License-Identifier: Apache-2.0
"""Advice without a diff: kernels whose items had better come in another order."""

import json
import unittest

import jsonschema

from heddle_run import SOURCE, run

PROGRAM = str(SOURCE / "test" / "cli" / "data" / "sorted_items.cu")


def fixed(*arguments):
    done = run("fix", PROGRAM, "--json", "--budget", "1", "--", *arguments)
    document = json.loads(done.stdout)
    jsonschema.validate(document, json.loads((SOURCE / "docs/schema/fix.schema.json").read_text()))
    return {each["kernel"]: each for each in document["advice"]}


class SortedItems(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.advice = fixed()

    def test_only_where_the_item_decides(self):
        """Not where lanes meet, where threads share an item, and where it is decided anew in each turn."""
        self.assertEqual({each.partition("(")[0] for each in self.advice}, {"lengths", "kinds", "unknown"})

    def said(self, kernel):
        return next(each for name, each in self.advice.items() if name.startswith(kernel))

    def test_a_length_that_is_known_before(self):
        lengths = self.said("lengths")
        self.assertRegex(lengths["text"], r"^sort items by `used\[p\]`, the turns of line 17 \(1 to 512, \S+ on average\), "
                         r"longest first: with thrust::sort_by_key")
        self.assertIn("through a list of numbers line 15, 16, 19 would use scattered memory", lengths["text"])
        self.assertGreater(lengths["predictedSpeedup"], 1.5)
        self.assertLess(lengths["low"], lengths["predictedSpeedup"])

    def test_a_kind_in_a_loop_that_does_not_change_it(self):
        self.assertIn("`kind[i] % 2 == 0`, the choice of line 26", self.said("kinds")["text"])

    def test_a_length_that_only_the_run_knows(self):
        self.assertRegex(self.said("unknown")["text"], "^sort items by the turns of line 37 .*: known only once it has run")

    def test_not_where_neighbours_are_alike(self):
        self.assertEqual(fixed("alike"), {})

    def test_a_run_says_it_too(self):
        shown = run("run", PROGRAM)
        self.assertRegex(shown.stdout, r"sorted_items.cu:11 +sorted-items +~\d\.\d\dx +advice")


if __name__ == "__main__":
    unittest.main()
