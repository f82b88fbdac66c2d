# SPDX-License-Identifier: Apache-2.0
"""heddle run around a program: what it is told, what it may print, how it ends.

The runtime library here launches nothing. It says what it was told and leaves the profile of its test.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import jsonschema

from heddle_run import HEDDLE, SOURCE

RUNTIME = r"""
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
static void leave() {
  const char* left = getenv("LEFT");
  FILE* from = left ? fopen(left, "rb") : nullptr;
  if (!from) return;
  FILE* to = fopen(getenv("HEDDLE_PROFILE"), "wb");
  for (int c; (c = fgetc(from)) != EOF;) fputc(c, to);
  fclose(to);
}
__attribute__((constructor)) static void start() {
  atexit(leave);
  signal(SIGINT, [](int) { leave(); _exit(130); });
}
extern "C" int cudaFree(void*) { return 0; }
"""

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <unistd.h>
#include <cuda_runtime.h>
int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    if (!strncmp(arguments[i], "exit=", 5)) exit(atoi(arguments[i] + 5));
    if (!strncmp(arguments[i], "signal=", 7)) raise(atoi(arguments[i] + 7));
    if (!strcmp(arguments[i], "wait")) { printf("waiting\n"); fflush(stdout); for (;;) pause(); }
    if (char* value = getenv(arguments[i])) printf("%s=%s\n", arguments[i], value);
    else printf("%s %s\n", arguments[0], arguments[i]);
  }
  return cudaFree(nullptr);
}
"""

PLACE = {"file": "mine.cu", "line": 2, "column": 7, "function": "k", "inlinedAt": []}
PROFILE = {
    "schema": "heddle.profile/1", "device": "h200", "reconvergence": "volta", "ending": "complete", "fault": None,
    "kernels": [{
        "name": "k", "id": "_Z1kPi", "launches": 3, "grid": [2, 1, 1], "block": [64, 1, 1], "dynamicShared": 0, "staticShared": 0, "blocks": 1, "memoryBlocks": 1,
        "threadInstructions": 240, "warpInstructions": 10, "seconds": 0.5, "efficiency": 0.75,
        "averageActiveThreads": 24.0, "laneCycles": 400.0,
        "timing": {"registers": 20, "spillBytes": 0, "registersFrom": "estimate", "occupancy": 1.0, "residentBlocks": 32,
                   "limiter": "warps", "seconds": 1.5e-5, "lowSeconds": 1.26e-5, "highSeconds": 2.04e-5,
                   "intervalFrom": "h200", "kind": "latency", "longestSeconds": 0.5e-5, "cycles": 21000.0, "bound": "latency",
                   "secondsBy": {"issue": 0.0, "latency": 1.5e-5, "memory": 0.0, "launch": 0.0}, "sampledBlocks": 2,
                   "spread": 0.0},
        "lost": [{"kind": "branch", **PLACE, "slots": 80}],
        "branches": [{**PLACE, "targets": 2, "executions": 5, "divergentExecutions": 4, "laneExecutions": 160,
                      "lanesTaken": 40, "lostSlots": 80, "lostCycles": 160.0, "pathRuns": [4, 4], "pathInstructions": [4, 4]}],
        "loops": [], "memory": []}],
    "launches": []}
WRITTEN = {**PROFILE, "lines": [{"file": "mine.cu", "line": 2, "text": "if (x) y = z;"}]}  # as they are now

REPORT = """
kernel k <<<2,64>>> x 3 launches   240 thread-instructions in 0.5 s on this CPU
  SIMD efficiency  75.0 %   lost lanes: branches 25.0 %, finished threads 0.0 %, partial warps 0.0 %
  occupancy        100.0 %   limited by warps; 20 registers (estimate), no spills
  estimated time   15 us (13 to 20) on h200, bound by latency

    lost  cycles  where                     why
  25.0 %  40.0 %  mine.cu:2  if (x) y = z;  2 paths, p = 0.25
"""


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "program.cpp").write_text(PROGRAM)
        (cls.path / "mine.cu").write_text("\n  if (x) y = z;\n")
        (cls.path / "runtime.cpp").write_text(RUNTIME)
        subprocess.run(["clang++-19", "-shared", "-fPIC", "runtime.cpp", "-o", "libheddle_cudart.so"],
                       cwd=cls.path, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def environment(self, profile=None):
        settings = {"PATH": os.environ["PATH"], "HEDDLE_DEVICE_CODE": "clang", "XDG_CACHE_HOME": str(self.path / "cache"),
                    "HEDDLE_CUDART": str(self.path / "libheddle_cudart.so")}
        if profile is not None:
            left = self.path / "left.json"
            left.write_text(json.dumps(profile))
            settings["LEFT"] = str(left)
        return settings

    def run_program(self, *arguments, profile=None):
        return subprocess.run([HEDDLE, "run", "program.cpp", *arguments], cwd=self.path, capture_output=True,
                              text=True, check=False, env=self.environment(profile))

    def test_the_report_follows_what_the_program_prints(self):
        done = self.run_program("--", "one", "--two", "-O3", profile=PROFILE)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout, "program one\nprogram --two\nprogram -O3\n" + REPORT)
        self.assertEqual(done.returncode, 0)

    def test_what_the_program_is_told(self):
        names = ["HEDDLE_DEVICE", "HEDDLE_RECONVERGENCE", "HEDDLE_MAX_INSTRUCTIONS", "HEDDLE_POISON",
                 "HEDDLE_WORKERS", "HEDDLE_PROGRESS"]
        done = self.run_program("--device", "v100", "--reconvergence", "stack", "--max-instructions", "77",
                                "--no-poison", "--jobs", "2", "--quiet", "--", *names)
        self.assertEqual(done.stdout.split(), [
            "HEDDLE_DEVICE=v100", "HEDDLE_RECONVERGENCE=stack", "HEDDLE_MAX_INSTRUCTIONS=77", "HEDDLE_POISON=0",
            "HEDDLE_WORKERS=2", "HEDDLE_PROGRESS=0"])
        done = self.run_program("--threads", "3", "--quiet", "--", "HEDDLE_WORKERS")  # the name it had before
        self.assertEqual(done.stdout.split(), ["HEDDLE_WORKERS=3"])
        done = self.run_program("--quiet", "--", "HEDDLE_DEVICE", "HEDDLE_POISON")
        self.assertEqual(done.stdout.split(), ["HEDDLE_DEVICE=h200", "HEDDLE_POISON=1"])

    def test_no_kernel(self):
        self.assertEqual(self.run_program().stdout, "\nno kernel was launched\n")

    def test_the_programs_status_is_ours(self):
        done = self.run_program("--", "exit=7", profile=PROFILE)
        self.assertEqual((done.returncode, done.stderr), (7, ""))
        self.assertIn("kernel k", done.stdout)

    def test_a_signal_is_named(self):
        done = self.run_program("--", f"signal={int(signal.SIGSEGV)}")
        self.assertEqual(done.returncode, 128 + signal.SIGSEGV)
        self.assertEqual(done.stderr, "heddle: error: the program ended with signal 11 (Segmentation fault)\n")
        self.assertIn("partial: the run was interrupted", done.stdout)

    def test_a_fault_is_an_error_after_the_partial_report(self):
        fault = {**PROFILE, "ending": "fault", "fault": "mine.cu:2: kernel 'k': address 0x0 is not allocated"}
        done = self.run_program(profile=fault)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"heddle: error: {fault['fault']}\n")
        self.assertTrue(done.stdout.startswith("\npartial: a fault stopped the run"))
        self.assertIn("25.0 %  40.0 %  mine.cu:2", done.stdout)

    def test_json_alone_on_standard_output(self):
        done = self.run_program("--json", "--", "talk", profile=PROFILE)
        self.assertEqual(done.stderr, "program talk\n")
        document = json.loads(done.stdout)
        schema = json.loads((SOURCE / "docs/schema/profile.schema.json").read_text())
        jsonschema.validate(document, schema)
        self.assertEqual(document, WRITTEN)
        jsonschema.validate(json.loads(self.run_program("--json").stdout), schema)

    def test_the_profile_as_a_file(self):
        target = self.path / "profile.json"
        done = self.run_program("--profile", str(target), "--quiet", "--", "exit=1", profile=PROFILE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", ""))
        self.assertEqual(json.loads(target.read_text()), WRITTEN)
        done = self.run_program("--profile", "nowhere/p.json")
        self.assertEqual(done.stderr, "heddle: error: cannot write nowhere/p.json: there is no folder nowhere\n")

    def test_a_profile_that_does_not_add_up_is_refused(self):
        broken = json.loads(json.dumps(PROFILE))
        broken["kernels"][0]["threadInstructions"] = 239
        done = self.run_program(profile=broken)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not add up: 239 used and 80 lost of 320 lane slots", done.stderr)

    def test_ctrl_c_ends_the_program_not_the_report(self):
        process = subprocess.Popen([HEDDLE, "run", "program.cpp", "--", "wait"], cwd=self.path, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                   env=self.environment({**PROFILE, "ending": "interrupted", "fault": "interrupted"}))
        self.assertEqual(process.stdout.readline(), "waiting\n")
        os.killpg(process.pid, signal.SIGINT)
        shown, complaint = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertTrue(shown.startswith("\npartial: the run was interrupted"), shown)
        self.assertIn("kernel k", shown)
        self.assertEqual(complaint, "heddle: error: interrupted\n")

    def test_termination_is_handed_on(self):
        process = subprocess.Popen([HEDDLE, "run", "program.cpp", "--", "wait"], cwd=self.path, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment())
        self.assertEqual(process.stdout.readline(), "waiting\n")
        process.terminate()
        _, complaint = process.communicate()
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertEqual(complaint, "heddle: error: the program ended with signal 15 (Terminated)\n")

    def test_nothing_is_left_behind(self):
        with tempfile.TemporaryDirectory() as temporary:
            environment = {**self.environment(), "TMPDIR": temporary}
            for arguments in (["program.cpp"], ["missing.cpp"], ["program.cpp", "-DMAIN=x", "-Dmain=y"]):
                subprocess.run([HEDDLE, "run", *arguments], cwd=self.path, capture_output=True, check=False,
                               env=environment)
                self.assertEqual(os.listdir(temporary), [])

    def test_the_cache_is_shown_and_cleared(self):
        self.run_program("--quiet")
        environment = {**self.environment(), "XDG_CACHE_HOME": str(self.path / "other")}

        def cache(*arguments):
            return subprocess.run([HEDDLE, *arguments], cwd=self.path, capture_output=True, text=True, check=False,
                                  env=environment).stdout
        cache("run", "program.cpp", "--no-cache")
        self.assertFalse((self.path / "other").exists())
        cache("run", "program.cpp")
        self.assertIn("entries  2\n", cache("cache"))  # the file, and the linked program
        self.assertEqual(cache("cache", "clear"), f"2 entries removed from {self.path}/other/heddle\n")
        self.assertEqual(json.loads(cache("cache", "--json"))["entries"], 0)


unittest.main()
