# SPDX-License-Identifier: Apache-2.0
"""What heddle export writes is what other tools take, whatever kernels and files are called."""

import csv
import io
import json
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from heddle_run import SOURCE, run

PROFILES = SOURCE / "test" / "transcripts" / "data" / "profiles"
KERNEL = '<script>alert("k|`1`")</script>'
FILE = 'a b|c%0a"\'[x](y)<i>.cu'

# The parts of SARIF 2.1.0 that we write: what an object may hold, and what it must.
SARIF = {
    "document": ({"$schema", "version", "runs"}, {"version", "runs"}),
    "run": ({"tool", "invocations", "columnKind", "results", "properties"}, {"tool", "results"}),
    "driver": ({"name", "semanticVersion", "rules"}, {"name"}),
    "rule": ({"id", "name", "shortDescription", "help", "defaultConfiguration"}, {"id"}),
    "result": ({"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties"},
               {"message"}),
    "location": ({"physicalLocation", "logicalLocations"}, set()),
    "physicalLocation": ({"artifactLocation", "region"}, {"artifactLocation"}),
    "artifactLocation": ({"uri", "uriBaseId"}, {"uri"}),
    "region": ({"startLine", "startColumn", "snippet"}, set()),
}
URI = re.compile(r"(file://)?(/?[A-Za-z0-9._~-]|%[0-9A-F]{2}|/)+")


def exported(profile, kind):
    done = run("export", str(PROFILES / profile), "--format", kind)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sarif_faults(document):
    """What is wrong with a SARIF document, in words."""
    faults = []

    def look(kind, value):
        may, must = SARIF[kind]
        faults.extend(f"{kind} has {key}" for key in value if key not in may)
        faults.extend(f"{kind} lacks {key}" for key in must if key not in value)
        return value

    look("document", document)
    if document.get("version") != "2.1.0":
        faults.append("version")
    for each in document["runs"]:
        look("run", each)
        rules = look("driver", each["tool"]["driver"]).get("rules", [])
        ids = [look("rule", rule)["id"] for rule in rules]
        if len(set(ids)) != len(ids):
            faults.append("rules with one id")
        for result in each["results"]:
            look("result", result)
            if not isinstance(result["message"].get("text"), str) or not result["message"]["text"]:
                faults.append("message without text")
            if result["level"] not in ("none", "note", "warning", "error"):
                faults.append(f"level {result['level']}")
            if ids[result["ruleIndex"]] != result["ruleId"]:
                faults.append("ruleIndex")
            for place in result["locations"]:
                physical = look("physicalLocation", look("location", place)["physicalLocation"])
                if not URI.fullmatch(look("artifactLocation", physical["artifactLocation"])["uri"]):
                    faults.append(f"uri {physical['artifactLocation']['uri']}")
                region = look("region", physical.get("region", {}))
                if any(region.get(key, 1) < 1 for key in ("startLine", "startColumn")):
                    faults.append("a region before the first line or column")
    return faults


class Sarif(unittest.TestCase):
    def test_it_has_the_structure(self):
        for profile in ("before.json", "after.json", "fault.json"):
            self.assertEqual(sarif_faults(json.loads(exported(profile, "sarif"))), [], profile)

    def test_the_check_can_fail(self):
        document = json.loads(exported("before.json", "sarif"))
        document["runs"][0]["results"][0]["ruleIndex"] += 1
        document["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b"
        document["runs"][0]["extra"] = 1
        self.assertEqual(sarif_faults(document), ["run has extra", "ruleIndex", "uri a b"])

    def test_names_come_back(self):
        results = json.loads(exported("before.json", "sarif"))["runs"][0]["results"]
        place = results[0]["locations"][0]
        self.assertEqual(urllib.parse.unquote(place["physicalLocation"]["artifactLocation"]["uri"]), FILE)
        self.assertEqual(place["logicalLocations"][0]["name"], KERNEL)
        self.assertEqual(place["physicalLocation"]["region"]["snippet"]["text"], "if (x </script> | y) { // =1+1")
        remark = [each for each in results if each["ruleId"] == "heddle-remark"][0]
        self.assertEqual(remark["message"]["text"], "cudaMemcpy failed: {{0}} \\[see\\](x)")

    def test_a_fault_is_an_error_at_its_line(self):
        document = json.loads(exported("fault.json", "sarif"))["runs"][0]
        self.assertFalse(document["invocations"][0]["executionSuccessful"])
        fault = document["results"][0]
        self.assertEqual((fault["ruleId"], fault["level"]), ("heddle-fault", "error"))
        self.assertEqual(fault["locations"][0]["physicalLocation"]["region"]["startLine"], 14)

    def test_fingerprints_survive_moved_lines(self):
        prints = [{each["partialFingerprints"]["heddle/v1"]: each["locations"][0]["physicalLocation"]["region"]["startLine"]
                   for each in json.loads(exported(profile, "sarif"))["runs"][0]["results"]
                   if each["ruleId"] == "heddle-lost-lanes"} for profile in ("before.json", "after.json")]
        self.assertEqual(set(prints[0]), set(prints[1]))
        self.assertNotEqual(sorted(prints[0].values()), sorted(prints[1].values()))

    def test_a_run_adds_advice(self):
        done = run("run", str(SOURCE / "examples/09-thread-id/parity.cu"), "--format", "sarif")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(sarif_faults(document), [])
        rewrites = [each for each in document["runs"][0]["results"] if each["ruleId"] == "heddle-rewrite"]
        self.assertTrue(any("align-to-warp" in each["message"]["text"] for each in rewrites))


class Trace(unittest.TestCase):
    def check(self, document):
        tracks = {}
        for event in document["traceEvents"]:
            self.assertIn(event["ph"], ("M", "X"))
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
                tracks.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        for slices in tracks.values():  # none overlaps the one before
            slices.sort()
            for before, after in zip(slices, slices[1:]):
                self.assertGreaterEqual(after[0], before[1] - 1e-3)
        return tracks

    def test_launches_blocks_and_warps(self):
        document = json.loads(exported("before.json", "trace"))
        tracks = self.check(document)
        self.assertEqual(tracks[1, 1], [(0.0, 15.0), (15.0, 23.0)])
        self.assertEqual(len(tracks), 1 + 2 * 5, "launches, and two blocks with four warps each")
        names = {event["name"] for event in document["traceEvents"] if event["ph"] == "X"}
        self.assertEqual(names, {KERNEL, "block 0", "block 1"} | {f"warp {i}" for i in range(4)})

    def test_a_run_has_the_models_blocks(self):
        done = run("run", str(SOURCE / "test/programs/features/early-return.cu"), "--format", "trace")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(self.check(json.loads(done.stdout))), 2)


class Csv(unittest.TestCase):
    def test_rows_and_names(self):
        rows = list(csv.DictReader(io.StringIO(exported("before.json", "csv"), newline="")))
        self.assertEqual([row["record"] for row in rows], ["kernel", "branch", "branch", "loop", "memory"] * 2)
        self.assertEqual({row["kernel"] for row in rows}, {KERNEL, "gone"})
        self.assertEqual(rows[1]["file"], FILE)
        self.assertEqual(rows[1]["lostSlots"], "6400")
        self.assertEqual(rows[3]["text"], "'=helper<int[3]>(p, \"q\");", "no formula")
        self.assertEqual(int(rows[0]["usedSlots"]) + int(rows[0]["lostSlots"]), 32 * int(rows[0]["executions"]))
        self.assertTrue(all(None not in row for row in rows), "as many fields as names")


class Markdown(unittest.TestCase):
    def test_names_make_no_markup(self):
        for text in (exported("before.json", "md"),
                     run("diff", str(PROFILES / "before.json"), str(PROFILES / "after.json"), "--markdown").stdout):
            self.assertNotIn("<script", text)
            self.assertNotIn("<i>", text)
            self.assertNotIn("](", text)
            self.assertIn("&lt;script&gt;", text)
            tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
            self.assertGreaterEqual(len(tables), 2)
            for table in tables:
                self.assertEqual(len({line.count("|") for line in table if line.startswith("|")}), 1, table)


class Callgrind(unittest.TestCase):
    def parse(self, text):
        """Sums of what functions cost themselves, and the numbers of the summary."""
        names, sums, current, inclusive = {}, {}, None, False
        summary = None
        for line in text.splitlines():
            if match := re.fullmatch(r"(fl|fn|cfi|cfn)=\((\d+)\)(?: (.*))?", line):
                kind, number, name = match.groups()
                table = names.setdefault(kind[-2:].replace("fi", "fl"), {})
                if name is not None:
                    self.assertNotIn(number, table)
                    table[number] = name
                if kind == "fn":
                    current = table[number]
            elif line.startswith("summary: "):
                summary = [int(each) for each in line.split()[1:]]
            elif line.startswith("calls="):
                inclusive = True
            elif re.fullmatch(r"\d+( \d+)+", line):
                costs = [int(each) for each in line.split()[1:]]
                if not inclusive:
                    sums[current] = [a + b for a, b in zip(sums.get(current, [0] * len(costs)), costs)]
                inclusive = False
        return sums, summary

    def test_it_adds_up(self):
        sums, summary = self.parse(exported("before.json", "callgrind"))
        self.assertEqual([sum(each) for each in zip(*sums.values())], summary)
        self.assertEqual(set(sums), {KERNEL, "gone", "helper<int[3]>"})
        self.assertEqual(sums["helper<int[3]>"][0], 3200)

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "no callgrind_annotate")
    def test_callgrind_annotate_reads_it(self):
        with tempfile.NamedTemporaryFile("w", suffix=".out") as file:
            file.write(exported("before.json", "callgrind"))
            file.flush()
            done = subprocess.run(["callgrind_annotate", "--threshold=100", file.name], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("PROGRAM TOTALS", done.stdout)
        self.assertIn(KERNEL, done.stdout)


class Command(unittest.TestCase):
    def test_it_writes_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("export", str(PROFILES / "before.json"), "--format", "csv", "-o", f"{folder}/out.csv")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            with open(f"{folder}/out.csv", newline="", encoding="utf-8") as file:
                self.assertEqual(file.read().replace("\r\n", "\n"), exported("before.json", "csv"))


if __name__ == "__main__":
    unittest.main()
