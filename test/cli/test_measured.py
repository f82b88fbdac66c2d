# SPDX-License-Identifier: Apache-2.0
"""scripts/update_measured: the page and its figures are what results/ says, and nothing else."""

import json
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from heddle_run import HEDDLE, SOURCE

SVG = "{http://www.w3.org/2000/svg}"


def record(params, speedup, bar=None, name="loop"):
    return {"name": name, "params": params, "medianMs": 2, "spread": 0.0123, "baseline": "native", "baselineMs": 2 * speedup,
            "speedup": speedup, "bar": bar, "holds": bar is None or speedup >= bar, "gpu": "NVIDIA H200", "driver": "570.1",
            "toolkit": "13.0", "date": "2026-01-02", "commit": "abc"}


class Measured(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def put(self, records, program="loop"):
        path = self.root / "results" / "nvidia-h200" / f"{program}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(records))

    def update(self, *flags):
        return subprocess.run([SOURCE / "scripts/update_measured", HEDDLE, "--results", self.root / "results", "--docs",
                               self.root / "docs", *flags], capture_output=True, text=True, check=False)

    def write(self, records):
        self.put(records)
        done = self.update()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return (self.root / "docs/measured.md").read_text()

    def figures(self):
        """The words of each figure, and how many of its lines are dashed."""
        pictures = [xml.etree.ElementTree.parse(path) for path in sorted((self.root / "docs/measured").glob("*.svg"))]
        return [([text.text for text in picture.iter(f"{SVG}text")],
                 sum("stroke-dasharray" in line.attrib for line in picture.iter(f"{SVG}polyline"))) for picture in pictures]

    def test_bars_are_a_table(self):
        page = self.write([record({"policy": "aging"}, 1.5, 1.34), record({"policy": "none"}, 1.33996, 1.34)])
        self.assertIn("| loop, policy aging | 2 | 1.2 % | native | 3 | 1.5 | 1.34 | yes |", page)
        self.assertIn("| loop, policy none | 2 | 1.2 % | native | 2.68 | 1.33996 | 1.34 | **no** |", page)
        self.assertIn("2 records; 2 of them have a bar, a least speedup that was asked for: 1 hold, 1 do not.", page)
        self.assertIn("2026-01-02, commit abc, driver 570.1, CUDA 13.0.", page)
        self.assertEqual(self.figures(), [], "there is no number to draw along")

    def test_what_nothing_was_asked_of_is_summed_up(self):
        page = self.write([record({"size": 1}, 0.5), record({"size": 2}, 4)])
        self.assertIn("- loop, over native: 0.5 to 4 (2 records)", page)
        self.assertNotIn("| yes |", page)

    def test_parameters_make_lines_and_findings_do_not(self):
        self.write([record({"form": form, "share": share, "found": index}, 1 + index, 2)
                    for index, (form, share) in enumerate([("a", 1), ("a", 2), ("b", 1), ("b", 2)])])
        (words, dashed), = self.figures()
        self.assertEqual(dashed, 1)
        for text in ("Loop (H200 SXM)", "share", "speedup over native", "a", "b", "asked for: 2"):
            self.assertIn(text, words)

    def test_many_lines_are_several_figures(self):
        self.write([record({"form": form, "share": share, "steps": steps}, 1.5)
                    for form in "abc" for share in range(8) for steps in (4, 16, 64)])
        self.assertEqual([words[words.index("share") - 1] for words, _ in self.figures()],
                         ["Loop, steps 4 (H200 SXM)", "Loop, steps 16 (H200 SXM)", "Loop, steps 64 (H200 SXM)"])
        self.assertTrue(all("as fast" in words and dashed == 1 for words, dashed in self.figures()))

    def test_the_check_finds_every_difference(self):
        self.write([record({"size": 1}, 0.5), record({"size": 2}, 4)])
        self.assertEqual(self.update("--check").returncode, 0)
        for file in ("measured.md", "measured/nvidia-h200-loop-1.svg"):
            path = self.root / "docs" / file
            text = path.read_text()
            path.write_text(text.replace("4", "5", 1))
            done = self.update("--check")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{path} is not what", done.stdout)
            path.write_text(text)
        stale = self.root / "docs/measured/stale.svg"
        stale.write_text("<svg/>")
        self.assertIn(f"{stale} is not what", self.update("--check").stdout)
        stale.unlink()
        self.put([record({"size": 1}, 0.5), record({"size": 2}, 3)])
        self.assertEqual(len(self.update("--check").stdout.splitlines()), 2, "the page and its figure")

    def test_nothing_measured(self):
        self.assertEqual(self.update("--check").returncode, 77)
        self.assertEqual(self.update().returncode, 1)
        (self.root / "docs").mkdir()
        (self.root / "docs/measured.md").write_text("made up\n")
        self.assertEqual(self.update("--check").returncode, 1)


unittest.main()
