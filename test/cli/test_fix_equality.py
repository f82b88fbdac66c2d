# SPDX-License-Identifier: Apache-2.0
"""What heddle fix takes for equal: roundings, what is printed, and the standard input of every run."""

import json
import subprocess
import unittest

import jsonschema

from heddle_run import SOURCE, run

# Regrouping its threads parts a product and a sum that are one instruction before.
PROGRAM = str(SOURCE / "test" / "cli" / "data" / "fused.cu")


class Equality(unittest.TestCase):
    def fix(self, *flags, text="20\n"):
        return run("fix", PROGRAM, "--only", "regroup", *flags, input=text)

    def test_fused_operations_are_named(self):
        done = self.fix()
        self.assertEqual(done.returncode, 1, done.stderr)
        shown = " ".join(done.stdout.split())
        self.assertIn("regroup - refuse [results-differ] copy 1 to the host", shown)
        self.assertIn("only fused multiply-adds differ: with -fmad=false the two are equal, and --tolerance REL", shown)

    def test_what_may_differ(self):
        small = self.fix("--tolerance", "1e-9")
        self.assertEqual(small.returncode, 1, small.stderr)
        self.assertIn("results-differ", small.stdout)
        printed = self.fix("--tolerance", "1e-4")  # what it prints is a fraction, too
        self.assertEqual(printed.returncode, 1, printed.stdout)
        self.assertIn("[too-close]", printed.stdout)
        close = self.fix("--tolerance", "1e-4", "--ignore-output")
        self.assertEqual(close.returncode, 1, close.stdout)
        self.assertIn("[too-close]", close.stdout)
        done = self.fix("--tolerance", "1e-4", "--ignore-output", "--likely")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("what it printed was not compared, floats within 0.0001", done.stdout)
        document = json.loads(self.fix("--tolerance", "1e-4", "--ignore-output", "--likely", "--json").stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/schema/fix.schema.json").read_text()))
        self.assertEqual((document["proof"]["tolerance"], document["proof"]["outputIgnored"]), (1e-4, True))

    def test_sums_in_another_order(self):
        program = str(SOURCE / "test" / "cli" / "data" / "float_rows.cu")
        refused = run("fix", program, "--only", "share-rows")
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertRegex(" ".join(refused.stdout.split()),
                         r"\[rounds-otherwise\] numbers differ by up to \S+ of their value, since sums come in another "
                         r"order; --tolerance 1e-05 accepts that")
        done = run("fix", program, "--only", "share-rows", "--tolerance", "1e-5", "--json")
        self.assertEqual(done.returncode, 0, done.stdout)
        document = json.loads(done.stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/schema/fix.schema.json").read_text()))
        self.assertGreater(document["proof"]["largestDifference"], 0)
        self.assertLess(document["proof"]["largestDifference"], 1e-5)
        self.assertRegex(document["diff"], r"heddle::(share|team)_rows<")

    def test_noise_of_sums_that_cancel(self):
        program = str(SOURCE / "test" / "cli" / "data" / "cancelling_sums.cu")
        done = run("fix", program, "--only", "aggregate", "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertTrue(any("line 1" in words for words in document["setAside"]), document["setAside"])
        self.assertFalse(any("line 2" in words for words in document["setAside"]), document["setAside"])

    def test_standard_input_is_given_to_every_run(self):
        for done in (self.fix(text=""), run("fix", PROGRAM, stdin=subprocess.DEVNULL)):
            self.assertEqual(done.returncode, 2)
            self.assertIn("the program launches no kernel", done.stderr)

    def test_numbers_that_are_no_tolerance(self):
        for number, message in (("abc", "'abc' is not a number"), ("-1", "-1: expected 0 to below 1"),
                                ("nan", "'nan' is not a finite number"), ("1", "1: expected 0 to below 1")):
            done = self.fix("--tolerance", number)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)


unittest.main()
