# SPDX-License-Identifier: Apache-2.0
"""scripts/quick: which tests a changed file has."""

import importlib.machinery
import importlib.util
import subprocess
import unittest

from heddle_run import SOURCE

loader = importlib.machinery.SourceFileLoader("quick", str(SOURCE / "scripts/quick"))
quick = importlib.util.module_from_spec(importlib.util.spec_from_loader("quick", loader))
loader.exec_module(quick)


class Quick(unittest.TestCase):
    def test_a_source_has_the_unit_tests_of_its_folder(self):
        targets, filters, rooms, tests, untested = quick.plan(["src/model/Splitting.cpp"])
        self.assertEqual((targets, rooms, tests, untested), ({"heddle_unit"}, set(), set(), []))
        self.assertIn("Splitting.*", filters["heddle_unit"])
        self.assertNotIn("Occupancy.*", filters["heddle_unit"])

    def test_the_runtime_has_a_program_of_its_own(self):
        self.assertEqual(list(quick.plan(["src/cudart/Memory.cpp"])[1]), ["heddle_cudart_unit"])

    def test_a_rewrite_has_its_folder_of_lit_too(self):
        targets, filters, rooms, _, untested = quick.plan(["src/rewrite/flatten/Flatten.cpp"])
        self.assertEqual((targets, rooms, untested), ({"heddle", "heddle_unit"}, {"flatten"}, []))
        self.assertEqual(quick.plan(["test/rewrite/flatten/do.cu"])[2], {"flatten"})

    def test_what_has_no_test_is_named_and_built(self):
        targets, _, _, _, untested = quick.plan(["tools/heddle/main.cpp", "docs/fix.md"])
        self.assertEqual((targets, untested), ({"heddle"}, ["tools/heddle/main.cpp", "docs/fix.md"]))

    def test_a_test_of_this_folder_is_run(self):
        self.assertEqual(quick.plan(["test/cli/test_quick.py"])[3], {"cli.quick"})

    def test_the_page_has_its_own(self):
        self.assertEqual(quick.plan(["web/src/dom.ts"])[3:], ({"page.types", "page.unit"}, []))

    def test_a_build_that_is_not_there_is_named(self):
        done = subprocess.run([SOURCE / "scripts/quick", "test/studies"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not configured; 'make build' makes it", done.stderr)


unittest.main()
