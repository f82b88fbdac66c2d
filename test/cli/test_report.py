# SPDX-License-Identifier: Apache-2.0
"""heddle report: a page from profiles, its policy, and what does not get into it."""

import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run

PHOTON = SOURCE / "examples/01-divergence/photon.cu"
EVIL = "</script><script>alert(1)</script>"


def schema(kind):
    return json.loads((SOURCE / f"docs/schema/{kind}.schema.json").read_text())


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        shutil.copy(PHOTON, cls.path / "photon.cu")
        cls.profile = cls.path / "photon.json"
        cls.page = cls.path / "run.html"
        cls.done = run("run", "photon.cu", "--profile", "photon.json", "--report", "run.html", cwd=cls.path)
        assert cls.done.returncode == 0, cls.done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def report(self, *arguments):
        done = run("report", *arguments, cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def data(self, page):
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
        return json.loads(found.group(1))

    def test_run_writes_the_page_and_says_so(self):
        self.assertRegex(self.done.stdout, r"wrote run\.html \(\d+ kB\): photon\.cu:21 loses 5\d\.\d % of the lanes of transport\n$")
        quiet = run("run", "photon.cu", "--report", "run.html", "--quiet", cwd=self.path)
        self.assertNotIn("wrote", quiet.stdout)

    def test_what_the_page_holds(self):
        self.report("photon.json", "-o", "page.html")
        data = self.data((self.path / "page.html").read_text())
        self.assertEqual(data["runs"][0]["profile"], json.loads(self.profile.read_text()))
        self.assertEqual(data["runs"][0]["sources"][0]["text"], PHOTON.read_text())
        self.assertEqual(data["runs"][0]["command"], "heddle fix photon.cu")
        self.assertEqual([row["line"] for row in data["runs"][0]["kernels"][0]["worst"]], [21, 18])
        self.assertTrue(any(each["rewrite"] == "schedule-iterations" for each in data["runs"][0]["advice"]))

    def test_json_follows_its_schema(self):
        document = json.loads(self.report("photon.json", "photon.json", "--json"))
        jsonschema.validate(document, schema("report"))
        jsonschema.validate(document["runs"][1]["profile"], schema("profile"))
        self.assertEqual(len(document["runs"]), 2)

    def test_the_policy_names_script_and_style_by_hash(self):
        page = self.page.read_text()
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        for pattern in (r'<script type="module">(.*?)</script>', r"<style>(.*?)</style>"):
            text = re.search(pattern, page, re.S).group(1)
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            self.assertIn(f"'sha256-{digest}'", policy)
        self.assertEqual(re.findall(r"https?://(?!www\.w3\.org/)[^\s\"]*", page), [])

    def test_a_source_cannot_end_the_data(self):
        (self.path / "photon.cu").write_text(PHOTON.read_text() + f"// {EVIL}\n")
        os.utime(self.path / "photon.cu", (1, 1))
        try:
            self.report("photon.json", "-o", "evil.html")
        finally:
            shutil.copy(PHOTON, self.path / "photon.cu")
            os.utime(self.path / "photon.cu", (1, 1))
        page = (self.path / "evil.html").read_text()
        self.assertFalse(EVIL in page)
        self.assertIn(EVIL, self.data(page)["runs"][0]["sources"][0]["text"])

    def test_only_sources_are_taken(self):
        secret = self.path / "secret.key"
        secret.write_text("sesame-4711")
        document = json.loads(self.profile.read_text())
        for owner in document["kernels"][0]["lost"] + document["kernels"][0]["branches"]:
            owner["file"] = str(secret)
        (self.path / "stranger.json").write_text(json.dumps(document))
        self.report("stranger.json", "-o", "stranger.html")
        page = (self.path / "stranger.html").read_text()
        self.assertFalse("sesame-4711" in page)
        sources = {each["file"]: each["missing"] for each in self.data(page)["runs"][0]["sources"]}
        self.assertEqual(sources[str(secret)], "its name is not that of a source file")

    def test_a_changed_source_is_marked_and_a_lost_one_said(self):
        old = json.loads(self.report("photon.json", "--json"))["runs"][0]["sources"][0]
        self.assertEqual((old["changed"], old["missing"]), (False, ""))
        os.utime(self.path / "photon.cu", (2e9, 2e9))
        try:
            new = json.loads(self.report("photon.json", "--json"))["runs"][0]
            self.assertTrue(new["sources"][0]["changed"])
            self.assertEqual(new["advice"], [])
        finally:
            os.utime(self.path / "photon.cu", (1, 1))
        with tempfile.TemporaryDirectory() as elsewhere:
            shutil.copy(self.profile, elsewhere)
            done = run("report", "photon.json", "--json", cwd=elsewhere)
            self.assertIn("photon.cu", json.loads(done.stdout)["runs"][0]["sources"][0]["missing"])

    def test_sources_beside_the_profile_are_found(self):
        done = run("report", str(self.profile), "--json", cwd="/")
        self.assertEqual(json.loads(done.stdout)["runs"][0]["sources"][0]["text"], PHOTON.read_text())

    def test_pages_are_compared_with_their_own_sources(self):
        whole = self.data(self.page.read_text())["runs"][0]
        again = json.loads(self.report("run.html", "--json"))["runs"][0]
        self.assertEqual(again, {**whole, "name": "run"})
        changed = PHOTON.read_text().replace("bounce < 4", "bounce < 9")
        (self.path / "photon.cu").write_text(changed)
        try:
            done = run("run", "photon.cu", "--report", "after.html", "--quiet", cwd=self.path)
            self.assertEqual(done.returncode, 0, done.stderr)
        finally:
            shutil.copy(PHOTON, self.path / "photon.cu")
            os.utime(self.path / "photon.cu", (1, 1))
        both = json.loads(self.report("run.html", "after.html", "--json"))["runs"]
        self.assertEqual([each["name"] for each in both], ["run", "after"])
        self.assertRegex(self.report("run.html", "after.html", "-o", "both.html"), r"^wrote both\.html \(\d+ kB\): after takes \d\.\d\dx as long as run\n$")
        self.assertEqual([each["sources"][0]["text"] for each in both], [PHOTON.read_text(), changed])
        (self.path / "broken.html").write_text(self.page.read_text().replace('"threadInstructions":', '"threadInstruction":'))
        done = run("report", "broken.html", cwd=self.path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("threadInstructions", done.stderr)

    def test_what_fix_found_goes_with_the_profile_before_it(self):
        found = {"schema": "heddle.fix/1", "candidates": [], "diff": EVIL}
        (self.path / "found.json").write_text(json.dumps(found))
        runs = json.loads(self.report("photon.json", "run.html", "found.json", "--json"))["runs"]
        self.assertEqual([each["fix"] for each in runs], [None, found])

    def test_what_is_no_profile_is_refused(self):
        (self.path / "other.json").write_text('{"schema": "heddle.check/1"}')
        for file, words in (("other.json", "is neither a profile nor a page; 'heddle run app.cu --profile other.json' writes one"),
                            ("nothing.json", "nothing.json"), ("photon.cu", "is neither a profile nor a page")):
            done = run("report", file, cwd=self.path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
        (self.path / "fix.json").write_text('{"schema": "heddle.fix/1"}')
        done = run("report", "fix.json", cwd=self.path)
        self.assertIn("name the profile of the program before it", done.stderr)

    def test_a_missing_folder_is_said_before_the_run(self):
        done = run("run", "photon.cu", "--report", "no/page.html", cwd=self.path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no folder no", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
