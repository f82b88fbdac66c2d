# SPDX-License-Identifier: Apache-2.0
"""scripts/measure programs and counters, with programs and a GPU that are made up."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from heddle_run import SOURCE
from measuring_scripts import put_scripts

RECORD = ('{"name": "loop", "params": {"size": 1, "shape": "{1,2}"}, "medianMs": 2, "spread": 0.1, "baseline": "native", '
          '"baselineMs": 3, "speedup": 1.5, "bar": 1.2, "holds": true}')
MISSED = ('{"name": "loop", "params": {"size": 2}, "medianMs": 2, "spread": 0.1, "baseline": "native", "baselineMs": 2, '
          '"speedup": 1, "bar": 1.2, "holds": false}')


class MadeUp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        put_scripts(self.root)
        self.put("tools/cmake", 'echo "$@" >>cmake.log')
        self.put("tools/nvcc", 'echo "Cuda compilation tools, release 13.0, V13.0.88"')
        self.put("tools/nvidia-smi", 'echo "NVIDIA H200, 570.1"')

    def tearDown(self):
        self.folder.cleanup()

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def records(self, name, results="results", under=""):
        return json.loads((self.root / results / "nvidia-h200" / under / f"{name}.json").read_text())


class Programs(MadeUp):
    def program(self, kind, source, script):
        self.put(source, "")
        self.put(f"build/device/bin/{kind}/{pathlib.Path(source).stem}", script)

    def measure(self, *arguments, **environment):
        settings = {"PATH": f"{self.root}/tools:/usr/bin:/bin", "HEDDLE_COMMIT": "abc", **environment}
        return subprocess.run([self.root / "scripts/measure", "programs", *arguments], capture_output=True, text=True, check=False,
                              env=settings)

    def test_records_are_kept_with_the_machine(self):
        self.program("bench", "bench/cuda/loop.cu", f"echo note; echo '{RECORD}'; echo '{RECORD}'")
        done = self.measure()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        first, second = self.records("loop")
        self.assertEqual(first, second)
        self.assertEqual({**json.loads(RECORD), "gpu": "NVIDIA H200", "driver": "570.1", "toolkit": "13.0",
                          "date": first["date"], "commit": "abc"}, first)
        self.assertRegex(first["date"], r"^\d{4}-\d\d-\d\d$")

    def test_a_missed_bar_is_listed_and_fails(self):
        self.program("bench", "bench/cuda/loop.cu", f"echo '{RECORD}'; echo '{MISSED}'")
        done = self.measure()
        self.assertEqual(done.returncode, 1)
        self.assertIn('1          1.2        loop ("size": 2) over native', done.stdout)
        self.assertNotIn("1.5", done.stdout)
        self.assertEqual(len(self.records("loop")), 2)

    def test_a_study_is_asked_for_records(self):
        self.program("study", "studies/new/new.cu", f'[ "$*" = "--records 1" ] && echo \'{RECORD}\'')
        self.program("study", "studies/old/old.cu", 'echo "study: unknown argument --records" >&2; exit 2')
        done = self.measure()
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(self.records("new")), 1)
        self.assertRegex(done.stdout, r"study +old +prints no records")

    def test_a_failing_program_fails_and_leaves_no_records(self):
        self.program("bench", "bench/cuda/loop.cu", f"echo '{RECORD}'; echo wrong sum >&2; exit 1")
        done = self.measure()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"bench +loop +FAILED with exit 1: wrong sum")
        self.assertFalse((self.root / "results").exists())

    def test_library_tests_are_compared(self):
        self.program("library", "test/library/good.cu", "echo 42")
        self.program("library", "test/library/bad.cu", "echo 41")
        self.program("library", "test/library/ends.cu", "echo 42; exit 1")
        for name in ("good", "bad", "ends"):
            (self.root / f"test/library/{name}.expected").write_text("42\n")
        done = self.measure()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"library +good +as expected")
        self.assertRegex(done.stdout, r"library +bad +DIFFERS")
        self.assertRegex(done.stdout, r"library +ends +DIFFERS")

    def test_only_what_is_named_is_built_and_run(self):
        self.program("bench", "bench/cuda/one.cu", f"echo '{RECORD}'")
        self.program("bench", "bench/cuda/two.cu", f"echo '{RECORD}'")
        self.assertEqual(self.measure("two", "--to", str(self.root / "other")).returncode, 0)
        self.assertEqual(len(self.records("two", "other")), 1)
        self.assertFalse((self.root / "other/nvidia-h200/one.json").exists())
        self.assertRegex((self.root / "cmake.log").read_text(), r"--target bench_two\n")

    def check_stops(self, message, *arguments, **environment):
        done = self.measure(*arguments, **environment)
        self.assertEqual((done.returncode, done.stderr), (2, f"measure programs: error: {message}\n"))

    def test_what_is_missing_is_named(self):
        self.program("bench", "bench/cuda/loop.cu", f"echo '{RECORD}'")
        self.check_stops("no program 'lop' in bench/cuda, studies or test/library", "lop")
        self.check_stops("unknown flag '--from'; expected --to DIR or names of programs", "--from")
        self.check_stops("no git repository here; say with HEDDLE_COMMIT which commit this is", HEDDLE_COMMIT="")
        self.put("tools/nvidia-smi", "exit 9")
        self.check_stops("no GPU: nvidia-smi lists none; measurements need one")

    def test_what_does_not_build_stops(self):
        self.program("bench", "bench/cuda/loop.cu", "")
        self.put("tools/cmake", "echo no such thing; exit 1")
        done = self.measure()
        self.assertEqual((done.returncode, done.stderr),
                         (2, "no such thing\nmeasure programs: error: the preset 'device' does not build\n"))


NCU = """
while [ "${1#-}" != "$1" ]; do case "$1" in -k) echo "$2" >>ncu.log; shift;; --metrics|--clock-control) shift;; esac; shift; done
echo '==PROF== Connected'
echo '"ID","Process ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Value"'
launch() {
  echo "\\"$1\\",\\"7\\",\\"$2\\",\\"(64, 1, 1)\\",\\"($3, 1, 1)\\",\\"smsp__inst_executed.sum\\",\\"$4\\""
  echo "\\"$1\\",\\"7\\",\\"$2\\",\\"(64, 1, 1)\\",\\"($3, 1, 1)\\",\\"smsp__thread_inst_executed.sum\\",\\"$5\\""
  echo "\\"$1\\",\\"7\\",\\"$2\\",\\"(64, 1, 1)\\",\\"($3, 1, 1)\\",\\"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio\\",\\"$6\\""
  echo "\\"$1\\",\\"7\\",\\"$2\\",\\"(64, 1, 1)\\",\\"($3, 1, 1)\\",\\"smsp__sass_branch_targets_threads_divergent.sum\\",\\"3\\""
}
launch 0 'void walk<int>(int *)' 2 '1,000' '20,000' 16
launch 1 'void walk<int>(int *)' 4 '3,000' '40,000' 8
launch 2 'other(int)' 1 10 320 32
"""
LIST = "# name | program | kernel | arguments | why\nwalk | a.cu | walk | 1 2 |\nother | a.cu | other | 1 2 | +9 %: a reason\n"


class Counters(MadeUp):
    def setUp(self):
        super().setUp()
        self.put("tools/ncu", NCU)
        (self.root / "bench/cuda/counters").mkdir(parents=True)
        (self.root / "bench/cuda/counters/kernels.txt").write_text(LIST)

    def counters(self):
        settings = {"PATH": f"{self.root}/tools:/usr/bin:/bin", "HEDDLE_COMMIT": "abc"}
        return subprocess.run([self.root / "scripts/measure", "counters"], capture_output=True, text=True, check=False, env=settings,
                              cwd=self.root)

    def test_launches_of_a_kernel_are_added_up(self):
        done = self.counters()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        walk, other = self.records("counters", "results", "counters")
        self.assertEqual({**walk, "date": ""}, {
            "name": "walk", "program": "a.cu", "kernel": "walk", "arguments": "1 2", "launches": 2, "grid": [4, 1, 1],
            "block": [64, 1, 1], "activeThreads": 15, "activeThreadsPredOn": 10, "divergentBranches": 6,
            "warpInstructions": 4000, "threadInstructions": 60000, "gpu": "NVIDIA H200", "driver": "570.1", "toolkit": "13.0",
            "date": "", "commit": "abc"})
        self.assertEqual((other["launches"], other["activeThreads"]), (1, 32))
        self.assertEqual((self.root / "ncu.log").read_text(), "regex:^(walk|other)$\n")  # one run for both

    def test_a_kernel_that_is_not_launched_is_named(self):
        (self.root / "bench/cuda/counters/kernels.txt").write_text(LIST + "third | a.cu | third | 1 2 |\n")
        done = self.counters()
        self.assertEqual((done.returncode, done.stderr),
                         (2, "measure counters: error: nothing of third: a.cu does not launch third\n"))

    def test_a_counter_that_is_no_number_is_named(self):
        self.put("tools/ncu", NCU.replace("10 320 32", "10 n/a 32"))
        self.assertRegex(self.counters().stderr, "error: smsp__thread_inst_executed.sum of other is n/a")


class Commands(unittest.TestCase):
    def test_commands_are_listed_and_unknown_ones_named(self):
        for program, names in (("measure", "corpus, counters, examples, forms, lanes, programs, rewrites, times, tune"), ("compare", "bits, corpus, counters, forms, intervals, lanes, models, rewrites, times, transport, tune")):
            for words, found in (([], "no command"), (["lane"], "unknown command 'lane'")):
                done = subprocess.run([SOURCE / "scripts" / program, *words], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (2, f"{program}: error: {found}; expected {names}\n"))
            shown = subprocess.run([SOURCE / "scripts" / program, "--help"], capture_output=True, text=True, check=True).stdout
            for name in names.split(", "):
                self.assertRegex(shown, rf"\n  {name} +\w")
                subprocess.run([SOURCE / "scripts" / program, name, "--help"], capture_output=True, check=True)


unittest.main()
