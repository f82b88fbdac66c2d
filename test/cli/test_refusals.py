# SPDX-License-Identifier: Apache-2.0
"""What docs, schema and tests say of the rewrites is what their tables say: `heddle rewrites --json` prints those."""

import json
import pathlib
import re
import subprocess
import unittest

from heddle_run import HEDDLE, SOURCE, run

KNOWN = json.loads(run("rewrites", "--json").stdout)
REFUSES = {each["name"]: set(each["refuses"]) for each in KNOWN["rewrites"]}
FOLDER = pathlib.Path(SOURCE / "test/rewrite")
SAID = re.compile(r"([a-z-]+) refused: .*\[([a-z-]+)\]$", re.MULTILINE)


def folder(rewrite):
    return FOLDER / rewrite.replace("-", "_")


class Refusals(unittest.TestCase):
    def test_docs_and_schema_are_made_from_the_tables(self):
        done = subprocess.run([SOURCE / "scripts/update_rewrites", HEDDLE, "--check"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_an_id_means_one_thing(self):
        tables = [KNOWN["run"], KNOWN["communication"], KNOWN["common"], *(each["refusals"] for each in KNOWN["rewrites"])]
        ids = [kind["id"] for table in tables for kind in table]
        self.assertEqual(sorted(ids), sorted(set(ids)))
        used = set().union(*REFUSES.values())
        self.assertEqual(used - set(ids), set())
        self.assertEqual({kind["id"] for kind in KNOWN["common"]} - used, set())

    def test_each_of_a_rewrite_is_tested_and_in_its_table(self):
        said = [found for path in FOLDER.glob("*/*.cu") for found in SAID.findall(path.read_text())]
        for rewrite, refusal in said:
            with self.subTest(rewrite=rewrite):
                self.assertIn(refusal, REFUSES[rewrite])
        known = set().union(*REFUSES.values())
        self.assertGreater(len(known), 50)
        self.assertEqual(known - {refusal for _, refusal in said}, set())

    def test_each_of_the_lessons_is_in_its_table(self):
        run_ids = {kind["id"] for kind in KNOWN["run"]}
        for path in (SOURCE / "test/examples/expected").glob("*.json"):
            for place, refusal in json.loads(path.read_text())["refused"].items():
                with self.subTest(file=path.name, place=place):
                    self.assertIn(refusal, REFUSES[place.split()[2]] | run_ids)

    def test_each_rewrite_says_yes_and_no(self):
        self.assertGreaterEqual(len(REFUSES), 9)
        for rewrite in REFUSES:
            names = [path.name for path in folder(rewrite).glob("*.cu")]
            refused = [name for name in names if name.startswith("refused")]
            with self.subTest(rewrite=rewrite):
                self.assertTrue(refused)
                self.assertGreater(len(names), len(refused))

    def test_one_rewrite_is_explained(self):
        done = run("rewrites", "flatten")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("loop-in-a-branch", done.stdout)
        unknown = run("rewrites", "flatter")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("known: predicate, meld, reduce", unknown.stderr)


unittest.main()
