# SPDX-License-Identifier: Apache-2.0
"""scripts/update_measured: the page and its figures are what results/ says, and nothing else."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from heddle_run import SOURCE

sys.path.insert(0, str(SOURCE / "scripts"))
from measuring.page import chart  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
GPU = "results/nvidia-h200"


class Measured(unittest.TestCase):
    """Works on a copy of the results of the tree."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copytree(SOURCE / GPU, self.root / GPU)
        (self.root / GPU / "models.json").unlink(missing_ok=True)

    def update(self, *flags):
        return subprocess.run([SOURCE / "scripts/update_measured", "--results", self.root / "results", "--docs", self.root / "docs",
                               *flags], capture_output=True, text=True, check=False)

    def page(self):
        done = self.update()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return (self.root / "docs/measured.md").read_text()

    def read(self, file):
        return json.loads((self.root / GPU / file).read_text())

    def edit(self, file, change, **where):
        """Changes the fields of the records that have these parameters or fields; there must be some."""
        records = self.read(file)
        found = [record for record in records if (record | record.get("params", {})).items() >= where.items()]
        self.assertTrue(found)
        for record in found:
            record.update(change)
        (self.root / GPU / file).write_text(json.dumps(records))

    def test_the_lessons_have_the_measured_times(self):
        (self.root / "docs/guide").mkdir(parents=True)
        shutil.copy(SOURCE / "docs/fix.md", self.root / "docs")
        lesson = self.root / "docs/guide/06-fractal.md"
        lesson.write_text("On a real H200 it is 1 us -> 2 us, 3.00x, and more.\n")
        path = self.root / GPU / "examples.json"
        records = json.loads(path.read_text())
        fractal = next(record for record in records if record["name"] == "06-fractal")
        fractal.update(baselineMs=0.5, medianMs=0.25, speedup=2.0)
        path.write_text(json.dumps(records))
        self.assertEqual(self.update("--check").returncode, 1)
        self.update()
        self.assertEqual(lesson.read_text(), "On a real H200 it is 500 us -> 250 us, 2.00x, and more.\n")
        self.assertIn(f"| 500 us | 250 us | 2.00x | {2 / fractal['params']['predictedSpeedup'] - 1:.0%} |".replace("%", " %"), (self.root / "docs/fix.md").read_text())
        self.assertEqual(self.update("--check").returncode, 0)

    def test_a_claim_shows_its_worst_record(self):
        rows = [record for record in self.read("reduce.json") if record["baseline"] == "cub::DeviceReduce::Sum"]
        self.edit("reduce.json", {"speedup": 1.00002}, n=65533, type="int32")
        page = self.page()
        self.assertIn("| 1 | 1 | 65533 elements, start 0 | yes |", page)
        self.assertIn(f"1 to {max(row['speedup'] for row in rows):.3g} times as fast as CUB over {len(rows)} records", page)

    def test_a_missed_bar_is_seen(self):
        asked = [record for path in (self.root / GPU).glob("*.json") for record in self.read(path.name) if record["bar"] is not None]
        missed = 1 + sum(not record["holds"] for record in asked)
        self.edit("schedule.json", {"speedup": 1.79996, "holds": False}, policy="cost_aging", iterations=200)
        page = self.page()
        self.assertIn("| 1.8 | 1.79996 | 200 iterations | **no** |", page)
        self.assertIn(f"{len(asked)} have a bar, a least speedup that was asked for: {len(asked) - missed} hold, {missed} do not.", page)

    def test_a_bar_without_a_claim_is_refused(self):
        self.edit("split.json", {"bar": 1.5}, form="by test", steps=4, elsePercent=0)
        done = self.update()
        self.assertEqual(done.returncode, 1)
        self.assertIn("split, form by test, else percent 0, steps 4", done.stderr)
        self.assertIn("has a bar and belongs to 0 claims; expected 1", done.stderr)

    def test_different_bars_are_not_one_claim(self):
        self.edit("reduce.json", {"bar": 0.5}, n=65533, type="int32")
        self.assertIn("the records of one claim have different bars", self.update().stderr)

    def test_models_are_shown_when_there_are_some(self):
        self.assertNotIn("### Models", self.page())
        self.assertFalse((self.root / "docs/measured/nvidia-h200-models.svg").exists())
        rows = [("loop", 2, 2.02), ("loop", 2, 2.6), ("tree", 0.9, 1.1)]
        (self.root / GPU / "models.json").write_text(json.dumps([
            {"program": name, "name": name, "params": {"size": size}, "baseline": "native", "predicted": predicted,
             "measured": measured, "error": predicted / measured - 1, "spread": 0.01}
            for size, (name, measured, predicted) in enumerate(rows)]))
        page = self.page()
        self.assertIn("| at most 10 % | 22.2 % | all programs | **no** |", page)
        self.assertIn("| at most 25 % | 30 % | loop, size 1 | **no** |", page)
        self.assertIn("| none wrong | 1 | tree, size 2 | **no** |", page)
        self.assertIn("| loop | 2 | 15.5 % | 30 % | 0 |", page)
        self.assertEqual(len(self.dots("models")), len(rows) + 1, "one each, and the legend")

    def test_the_account_needs_a_reason(self):
        self.assertIn("| within 5 % |", self.page())
        self.edit("counters/account.json", {"difference": -0.0502}, name="gcd")
        self.assertIn("| within 5 % | 5.02 % | gcd | **no** |", self.page())
        self.edit("counters/account.json", {"reason": "because"}, name="gcd")
        self.assertNotIn("| gcd | **no** |", self.page())

    def test_the_crossover_is_where_the_partition_stays_ahead(self):
        for share in (0, 8):
            self.edit("split.json", {"speedup": 0.5}, form="by partition", steps=64, elsePercent=share)
        self.edit("split.json", {"speedup": 0.5}, form="by partition", steps=256)
        page = self.page()
        self.assertIn("from 16 % else on at 64 steps", page)
        self.assertIn("nowhere at 256 steps", page)

    def dots(self, name):
        return list(xml.etree.ElementTree.parse(self.root / f"docs/measured/nvidia-h200-{name}.svg").iter(f"{SVG}circle"))

    def test_the_page_shows_every_figure(self):
        shown = re.findall(r'src="(measured/[^"]+)"', self.page())
        drawn = [path.relative_to(self.root / "docs").as_posix() for path in (self.root / "docs/measured").iterdir()]
        self.assertEqual(sorted(shown), sorted(drawn))
        self.assertGreater(len(drawn), 10)
        self.assertEqual(len(self.dots("account")), len(self.read("counters/account.json")) + 2)

    def test_words_of_a_figure_stay_in_it(self):
        self.page()
        for path in (self.root / "docs/measured").iterdir():
            for text in xml.etree.ElementTree.parse(path).iter(f"{SVG}text"):
                if "transform" not in text.attrib:
                    width = 6.2 * len(text.text)
                    left = float(text.get("x")) - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
                    self.assertGreaterEqual(left, 0, f"{path.name}: {text.text}")
                    self.assertLessEqual(left + width, chart.WIDTH, f"{path.name}: {text.text}")

    def test_a_bar_is_drawn_at_its_place(self):
        picture = xml.etree.ElementTree.fromstring(chart.draw({
            "title": "t", "xLabel": "x", "yLabel": "y", "series": {"a": [(1, 0.5), (2, 3)]}, "asked": [(1, 1), (2, 1)]}))
        grid = {text.text: float(text.get("y")) - 4 for text in picture.iter(f"{SVG}text") if text.get("text-anchor") == "end"}
        asked = [line for line in picture.iter(f"{SVG}line") if line.get("class") == "asked"]
        self.assertAlmostEqual(float(asked[0].get("y1")), grid["1"], places=1)
        self.assertIn("asked for: 1", [text.text for text in picture.iter(f"{SVG}text")])

    def test_a_gpu_with_few_programs(self):
        for path in (self.root / GPU).glob("*.json"):
            if path.name != "reduce.json":
                path.unlink()
        shutil.rmtree(self.root / GPU / "counters")
        page = self.page()
        self.assertIn("### Reduction", page)
        self.assertNotIn("### Regrouping", page)
        self.assertNotIn("### Account", page)

    def test_the_check_finds_every_difference(self):
        self.page()
        self.assertEqual(self.update("--check").returncode, 0)
        for file in ("measured.md", "measured/nvidia-h200-ladder.svg"):
            path = self.root / "docs" / file
            text = path.read_text()
            path.write_text(text.replace("4", "5", 1))
            done = self.update("--check")
            self.assertEqual((done.returncode, done.stdout.partition(" is not what")[0]), (1, str(path)))
            path.write_text(text)
        stale = self.root / "docs/measured/stale.svg"
        stale.write_text("<svg/>")
        self.assertIn(f"{stale} is not what", self.update("--check").stdout)
        self.page()
        self.assertFalse(stale.exists())
        self.edit("split.json", {"speedup": 9.9}, name="partition", ways=2, elements=1048576)
        self.assertEqual(len(self.update("--check").stdout.splitlines()), 2, "the page and its figure")

    def test_nothing_measured(self):
        shutil.rmtree(self.root / "results")
        self.assertEqual((self.update().returncode, self.update("--check").returncode), (1, 1))


unittest.main()
