# SPDX-License-Identifier: Apache-2.0
"""heddle study: what holds, what fails, what cannot be run, and what is left behind."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from heddle_run import HEDDLE, SOURCE, run, run_on_terminal
from waiting import PATIENCE, wait_until

STUDIES = SOURCE / "test" / "studies"
QUICK = ("study", "tiny", "--quick", "--studies")

# Prints its settings as a row; fails or waits when asked to.
SETTINGS = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
int main(int count, char** arguments) {
  const char* device = getenv("HEDDLE_DEVICE");
  const char* registers = getenv("HEDDLE_REGISTERS");
  const char* workers = getenv("HEDDLE_WORKERS");
  const char* how = count > 1 ? arguments[1] : "";
  if (!strcmp(how, "wrong")) { fprintf(stderr, "the sum is wrong\n"); return 1; }
  if (!strcmp(how, "wait")) for (;;) pause();
  if (!strcmp(how, "words")) printf("not a row\n");
  printf("{\"series\": \"s\", \"y\": 1, \"device\": \"%s\", \"registers\": \"%s\", \"workers\": \"%s\", \"how\": \"%s\"}\n",
         device ? device : "", registers ? registers : "", workers ? workers : "", how);
}
"""

DECLARATION = {
    "schema": "heddle.study/1", "document": "001", "source": "a test", "figure": "none", "title": "Settings",
    "device": "gtx280", "devices": ["gtx280", "h200"],
    "registers": {"gtx280": {"first": 6, "second": 13}}, "runs": [{"arguments": ["plain"]}],
    "checks": [{"id": "one-row", "says": "There is one row.", "kind": "value", "y": "y", "take": "count",
                "atLeast": 1, "atMost": 1}]}


class StudyCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.studies = self.path / "studies"
        self.out = self.path / "out"

    def tearDown(self):
        self.folder.cleanup()

    def plant(self, name="settings", program=SETTINGS, **changes):
        folder = self.studies / name
        folder.mkdir(parents=True)
        (folder / f"{name}.cu").write_text(program)
        (folder / "study.json").write_text(json.dumps({**DECLARATION, **changes}))



class Study(StudyCase):
    def plant_tiny(self, change):
        """A copy of the tiny study, its declaration changed."""
        shutil.copytree(STUDIES / "tiny", self.studies / "tiny")
        file = self.studies / "tiny" / "study.json"
        declaration = json.loads(file.read_text())
        change(declaration)
        file.write_text(json.dumps(declaration))

    def rows(self, *arguments, **options):
        done = run("study", "settings", "--studies", str(self.studies), "--json", *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [row for on in json.loads(done.stdout)["studies"][0]["devices"] for row in on["rows"]]

    def test_claims_that_hold(self):
        done = run("study", "tiny", "--studies", str(STUDIES), "-o", str(self.out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("GeForce GTX 280, modelled   22 rows", done.stdout)
        self.assertIn("H200 SXM, modelled   22 rows", done.stdout)
        self.assertIn("9 of 9 checks hold", done.stdout)
        self.assertIn("many-threads (only on the gpu)", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["tiny-1.svg", "tiny.json"])
        picture = xml.etree.ElementTree.parse(self.out / "tiny-1.svg").getroot()
        dashed = [line for line in picture.iter("{http://www.w3.org/2000/svg}polyline") if line.get("stroke-dasharray")]
        self.assertEqual(len(dashed), 2, "the published line, once a device")

    def test_the_file_is_what_json_prints(self):
        done = run(*QUICK, str(STUDIES), "--json", "-o", str(self.out))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, (self.out / "tiny.json").read_text())
        on = json.loads(done.stdout)["studies"][0]["devices"]
        self.assertEqual([one["device"] for one in on], ["gtx280"], "quick takes the first device")
        self.assertEqual({row["threads"] for row in on[0]["rows"] if "threads" in row}, {4096})
        self.assertEqual(len([row for row in on[0]["rows"] if row["experiment"] == "words"]), 10)
        self.assertIn("byEquation.word", on[0]["rows"][-1])

    def test_a_claim_that_fails(self):
        def change(declaration):
            declaration["checks"][1]["where"] = {"series": "by lane"}
            declaration["checks"][2]["of"] = {"series": "none"}
        self.plant_tiny(change)
        done = run(*QUICK, str(self.studies), "-o", str(self.out))
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("FAILS  2.9524  at most 0.001", done.stdout)
        self.assertIn('costs-thirty-two: no rows: none matches {"series":"none"}', done.stdout)
        self.assertIn("2 of 5 checks FAIL", done.stdout)
        self.assertEqual(json.loads((self.out / "tiny.json").read_text())["failing"], 2)

    def test_rows_may_come_from_a_file(self):
        self.plant(runs=[{"file": "rows.jsonl", "with": {"kept": True}}], devices=["h200"])
        file = self.studies / "settings" / "rows.jsonl"
        (self.studies / "settings" / "settings.cu").unlink()
        done = run("study", "settings", "--studies", str(self.studies))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"cannot read {file}", done.stderr)
        file.write_text('{"series": "s", "y": 7}\n')
        self.assertEqual(self.rows(), [{"series": "s", "y": 7, "kept": True}])
        file.write_text("seven\n")
        done = run("study", "settings", "--studies", str(self.studies))
        self.assertIn(f"{file}: line 1 of its output: found 'seven', expected a JSON object", done.stderr)

    def test_an_unknown_study_is_met_with_a_suggestion(self):
        done = run("study", "tinny", "--studies", str(STUDIES))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "heddle: error: unknown study 'tinny'; did you mean tiny? "
                                      "('heddle study list' lists them)\n")

    def test_a_broken_declaration_is_named_by_its_key(self):
        def change(declaration):
            declaration["checks"][0]["atLeast"] = "much"
        self.plant_tiny(change)
        done = run(*QUICK, str(self.studies), "-o", str(self.out))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, f"heddle: error: {self.studies}/tiny/study.json: key 'checks[0].atLeast': "
                                      "found \"much\", expected a number\n")
        self.assertFalse(self.out.exists())

    def test_a_device_nobody_knows_is_named_by_its_key(self):
        self.plant(devices=["gtx208"])
        done = run("study", "settings", "--studies", str(self.studies))
        self.assertEqual(done.returncode, 2)
        self.assertIn("study.json: key 'devices': unknown device 'gtx208'; did you mean gtx280", done.stderr)

    def test_a_missing_program_is_an_error(self):
        self.plant()
        (self.studies / "settings" / "settings.cu").unlink()
        done = run("study", "settings", "--studies", str(self.studies))
        self.assertEqual(done.returncode, 2)
        self.assertIn("settings.cu is missing", done.stderr)

    def test_what_the_program_is_told(self):
        self.plant()
        rows = self.rows("--jobs", "3", env={**os.environ, "HEDDLE_REGISTERS": "stray=1"})
        self.assertEqual([row["device"] for row in rows], ["gtx280", "h200"])
        self.assertEqual([row["registers"] for row in rows], ["first=6,second=13", ""])
        self.assertEqual([row["workers"] for row in rows], ["3", "3"])
        self.assertEqual([row["device"] for row in self.rows("--device", "gt200")], ["gt200"])
        self.assertEqual(self.rows("--device", "gt200")[0]["registers"], "first=6,second=13")

    def test_a_program_that_fails_leaves_nothing(self):
        self.plant(runs=[{"arguments": []}, {"arguments": ["wrong"]}])
        done = run("study", "settings", "--studies", str(self.studies), "-o", str(self.out))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "the sum is wrong\nheddle: error: "
                         f"{self.studies}/settings/settings.cu wrong: it ended with status 1, expected 0\n")
        self.assertFalse(self.out.exists())

    def test_output_that_is_no_row_is_named_by_its_line(self):
        self.plant(runs=[{"arguments": ["words"]}])
        done = run("study", "settings", "--studies", str(self.studies))
        self.assertEqual(done.returncode, 2)
        self.assertIn("settings.cu words: line 1 of its output: found 'not a row', expected a JSON object", done.stderr)

    def test_a_fault_is_told_with_its_line(self):
        shutil.copytree(SOURCE / "test" / "programs" / "checks", self.path / "checks")
        self.plant(program=(self.path / "checks" / "global-out-of-bounds.cu").read_text())
        done = run("study", "settings", "--studies", str(self.studies))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"settings\.cu:\d+: kernel 'fill'")

    def test_of_several_the_others_run(self):
        self.plant("good")
        self.plant("wrong", runs=[{"arguments": ["wrong"]}])
        done = run("study", "all", "--studies", str(self.studies), "-o", str(self.out))
        self.assertEqual(done.returncode, 2)
        self.assertIn("2 of 2 checks hold", done.stdout)
        self.assertIn("error: ", done.stdout)
        self.assertIn("heddle: error: 1 of 2 studies could not be run: wrong\n", done.stderr)
        self.assertEqual([path.name for path in self.out.iterdir()], ["good.json"])

    def test_flags_that_do_not_go_together(self):
        for arguments, message in [
                (("tiny", "--on", "gpu", "--device", "h200"), "leave one out"),
                (("tiny", "list"), "'list' stands alone"),
                (("tiny", "--jobs", "5000"), "--jobs 5000: expected 1 to 4096"),
                (("tiny", "-o"), "-o needs a value"),
                (("tiny", "-o", __file__), "it is a file, expected a folder")]:
            done = run("study", *arguments, "--studies", str(STUDIES))
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(message, done.stderr)
        self.assertIn("there is no such folder", run("study", "list", "--studies", "/nonexistent").stderr)

    def test_ctrl_c_stops_and_cleans_up(self):
        self.plant(runs=[{"arguments": ["wait"]}])
        temporary = self.path / "temporary"
        temporary.mkdir()
        command = [HEDDLE, "study", "settings", "--studies", self.studies, "-o", self.out]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              start_new_session=True, env={**os.environ, "TMPDIR": str(temporary)}) as process:
            wait_until(lambda: list(temporary.glob("*/messages")), "the program was not started")
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertEqual(error, "heddle: error: interrupted\n")
        self.assertFalse(self.out.exists())
        self.assertEqual(list(temporary.iterdir()), [])

    def test_the_status_line_is_for_terminals_and_leaves_nothing(self):
        shown = run_on_terminal(*QUICK, str(STUDIES), environment={"HOME": os.environ.get("HOME", "/")})
        self.assertIn("study tiny (1 of 1): run 1 of 2 on GeForce GTX 280", shown)
        self.assertIn("\r\x1b[K", shown.rsplit("study tiny (1 of 1)", 1)[1])


class StudyOnGpu(StudyCase):
    """With a toolkit and a driver's tool that are shell scripts: what is asked of them."""

    def toolkit(self, answer="NVIDIA H200, 9.0", status=0):
        tools = self.path / "bin"
        tools.mkdir()
        (tools / "nvcc").write_text('#!/bin/bash\nwhile [ "$1" != -o ]; do all+="$1 "; shift; done\n'
                                    'printf \'#!/bin/bash\\necho "{\\\\"y\\\\": 1, \\\\"flags\\\\": \\\\"%s\\\\", '
                                    '\\\\"words\\\\": \\\\"$*\\\\", \\\\"visible\\\\": \\\\"$CUDA_VISIBLE_DEVICES\\\\"}"\\n\' '
                                    '"$all" > "$2"\nchmod +x "$2"\n')
        (tools / "nvidia-smi").write_text(f'#!/bin/bash\necho "{answer}"\nexit {status}\n')
        for tool in tools.iterdir():
            tool.chmod(0o755)
        return {"PATH": f"{tools}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}

    def test_what_nvcc_and_the_program_are_told(self):
        self.plant(runs=[{"arguments": ["plain"], "gpu": ["--repeats", "20"]}],
                   checks=[*DECLARATION["checks"],
                           {**DECLARATION["checks"][0], "id": "here", "on": "gpu", "device": ["h200"]},
                           {**DECLARATION["checks"][0], "id": "elsewhere", "device": ["gtx280"]}])
        done = run("study", "settings", "--on", "gpu", "--studies", str(self.studies), "--json", env=self.toolkit())
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        on = report["studies"][0]["devices"][0]
        self.assertEqual((report["on"], on["device"], on["name"]), ("gpu", "NVIDIA H200", "H200 SXM"))
        self.assertEqual(on["rows"], [{"y": 1, "flags": "-O3 -std=c++17 -arch=sm_90 ", "words": "--repeats 20", "visible": "0"}])
        self.assertEqual([check["verdict"] for check in on["checks"]], ["holds", "holds", "skipped"])

    def test_without_a_gpu_it_says_so(self):
        self.plant()
        environment = self.toolkit("No devices were found", 6)
        done = run("study", "settings", "--on", "gpu", "--studies", str(self.studies), env=environment)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no GPU: nvidia-smi says 'No devices were found'; without --on gpu", done.stderr)
        done = run("study", "settings", "--on", "gpu", "--studies", str(self.studies),
                   env={**environment, "CUDA_VISIBLE_DEVICES": ""})
        self.assertIn("no GPU: CUDA_VISIBLE_DEVICES is empty", done.stderr)

    @unittest.skipIf(pathlib.Path("/usr/local/cuda/bin/nvcc").exists(), "a toolkit is installed where heddle looks")
    def test_without_nvcc_it_says_so(self):
        self.plant()
        done = run("study", "settings", "--on", "gpu", "--studies", str(self.studies), env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("no nvcc on the PATH", done.stderr)


unittest.main()
