# SPDX-License-Identifier: Apache-2.0
"""heddle sweep: points, rows, bad input, what it says, what it exports and draws."""

import csv
import io
import json
import random
import signal
import subprocess
import time
import unittest

from heddle_run import HEDDLE, SOURCE, run, run_on_terminal
from sweep_file import SIMULATE, SweepTest, processes

PROGRAM = """#include <cstdio>
#include <cstdlib>
#ifdef BROKEN
#error this one does not compile
#endif
__global__ void f(int* a) { int v = a[threadIdx.x]; for (int i = 0; i < SIZE; ++i) v = (v ^ (v << 3)) + i; a[threadIdx.x] = v; }
int main(int count, char** texts) {
  int* a; cudaMalloc(&a, 512);
  f<<<1, 32>>>(a); cudaDeviceSynchronize();
  return count > 1 ? atoi(texts[1]) : 0;
}
"""


class Points(SweepTest):
    def test_every_point_is_a_row(self):
        self.write(grid={"p": [0.1, 0.5]}, title="two points")
        done = self.sweep()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("two points   2 points: 2 done, 0 failed, 0 left", done.stdout)
        rows = self.rows()
        self.assertEqual([json.loads(row["inputs"]) for row in rows], [{"p": 0.1}, {"p": 0.5}])
        alone = json.loads(run(*[word.replace("{p}", "0.1") for word in SIMULATE], "--json").stdout)
        self.assertEqual(json.loads(rows[0]["outputs"])["efficiency.mean"], alone["efficiency"]["mean"])
        for row in rows:
            self.assertEqual((row["status"], row["runs"], row["message"]), ("done", 1, ""))
            self.assertGreater(row["seconds"], 0)
            self.assertIn(row["version"].split()[0], run("--version").stdout)

    def test_what_is_done_is_not_run_again(self):
        self.write(grid={"p": [0.1, 0.5]})
        self.sweep()
        before = self.rows()
        self.assertIn("nothing was left to do", self.sweep().stdout)
        self.assertEqual(self.rows(), before)
        self.write(grid={"p": [0.1, 0.3, 0.5]})
        self.assertIn("1 of them in", self.sweep().stdout)
        after = {row["key"]: row for row in self.rows()}
        for row in before:
            self.assertEqual({**after[row["key"]], "place": row["place"]}, row)

    def test_several_at_once_find_the_same(self):
        self.write()
        self.sweep()
        other = self.folder / "other.db"
        self.sweep("--at-once", "3", "--database", str(other))
        self.assertEqual(self.without_times(self.rows()), self.without_times(self.rows(other)))

    def test_a_point_may_take_so_long(self):
        self.write(["schedule", "simulate", "--p", "0.1", "--warps", "{warps}"], grid={"warps": [4, 3000000]}, limit=0.6)
        done = self.sweep()
        self.assertEqual(done.returncode, 1)
        self.assertEqual([(row["status"], row["message"]) for row in self.rows()],
                         [("done", ""), ("failed", "took longer than 0.6 s")])

    def test_a_study_of_which_a_claim_fails_is_done(self):
        self.write(["study", "{study}", "--quick", "--studies", str(SOURCE / "test" / "studies")], grid={"study": ["tiny"]},
                   outputs=["holding", "failing"])
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(set(json.loads(self.rows()[0]["outputs"])), {"holding", "failing"})


class BadInput(SweepTest):
    def refused(self, text, **keys):
        self.write(**keys)
        done = self.sweep()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, f"heddle: error: {self.spec}: {text}\n")
        self.assertFalse(self.database.exists())

    def test_what_no_point_could_be_run_with_is_refused_at_once(self):
        self.refused("empty grid: 'p' has no values", grid={"p": []})
        self.refused("command: {p} has no values in the grid or the list; did you mean q?", grid={"q": [1]})
        self.refused("command: unknown flag '--polcy'; did you mean --policy? (see 'heddle schedule simulate --help')",
                     command=["schedule", "simulate", "--polcy", "{p}"], grid={"p": ["aging", "native"]})
        self.refused("key 'command': found \"cache\", expected the words of one of: fix, occupancy, profile, run, schedule, "
                     "split, study, tune", command=["cache"], grid={})
        self.spec.write_text("{")
        self.assertIn("line 1 is no JSON", self.sweep().stderr)

    def test_what_is_wrong_with_one_is_named_and_the_rest_goes_on(self):
        self.write(grid={"p": [0.1, 7, "x"], "q": [1, 2]}, list=[{"p": 0.2}, {"r": 1, "p": 0.3}])
        done = self.sweep()
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("5 points: 2 done, 3 failed, 0 left", done.stdout)
        self.assertIn("unknown parameter 'q': the command has no {q}, and it is left out", done.stdout)
        messages = [row["message"] for row in self.rows()]
        self.assertEqual([messages[0], messages[3]], ["", ""])
        self.assertIn("7", messages[1])
        self.assertIn("--p: ", messages[2])
        self.assertEqual(messages[4], "unknown parameter 'r'; the command has: p")
        for message in filter(None, messages):
            self.assertIn(message, " ".join(done.stdout.split()))
        before = self.rows()
        again = self.sweep("--retry")
        self.assertIn("2 of them in", again.stdout)
        self.assertEqual([row["runs"] for row in self.rows()], [1, 2, 2, 1, 0])
        self.assertEqual([row["started"] for row in self.rows()][0], before[0]["started"])

    def test_programs_that_do_not_compile_or_fail(self):
        source = self.folder / "a.cu"
        source.write_text(PROGRAM)
        self.write(["run", str(source), "-DSIZE={size}", "-DNOTHING={nothing}", "{flags}", "--", "{status}"],
                   grid={"size": [4, 8], "nothing": [1, 2], "flags": [[]], "status": [0]},
                   list=[{"size": 4, "nothing": 1, "flags": ["-DBROKEN"], "status": 0},
                         {"size": 4, "nothing": 1, "flags": [], "status": 3}],
                   outputs=["kernels.f.threadInstructions"])
        done = self.sweep()
        self.assertEqual(done.returncode, 1)
        self.assertIn("macro NOTHING changes nothing: the sources read the same with 1 and 2", done.stdout)
        self.assertNotIn("macro SIZE", done.stdout)
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["done"] * 4 + ["failed"] * 2)
        counts = [json.loads(row["outputs"])["kernels.f.threadInstructions"] for row in rows[:4]]
        self.assertEqual((counts[0], counts[2]), (counts[1], counts[3]))
        self.assertLess(counts[0], counts[2])
        self.assertIn("this one does not compile", rows[4]["message"])
        self.assertEqual(rows[5]["message"], "ended with status 3")


class Says(SweepTest):
    def test_progress_with_rate_and_time_left(self):
        self.write(grid={"p": {"from": 0.01, "to": 0.2, "step": 0.01}})
        shown = run_on_terminal("sweep", str(self.spec))
        self.assertRegex(shown, r"sweep \[#+\.+\] +\d+ %  \d+ of 20, [\d.]+/s, \d+ s left")
        self.assertIn("20 points: 20 done", shown)

    def test_show_export_and_plot(self):
        self.write(["schedule", "simulate", "--p", "{p}", "--policy", "{policy}", "--warps", "4", "--iterations", "20"],
                   grid={"policy": ["native", "aging", "no,such"], "p": [0.1, 0.5]},
                   figures=[{"title": "efficiency", "x": "p", "y": "efficiency.mean"}])
        self.assertEqual(self.sweep().returncode, 1)
        shown = run("sweep", "show", str(self.spec))
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"# +policy +p  status +seconds +efficiency.mean\n")
        self.assertEqual(run("sweep", "show", str(self.database)).stdout, shown.stdout)
        failed = run("sweep", "show", str(self.spec), "--failed").stdout
        self.assertEqual(failed.count("no,such"), 4)  # twice as an input, twice in a message
        self.assertEqual(run("sweep", "show", str(self.spec), "--columns", "efficiency.men").stderr,
                         "heddle: error: --columns: no point has an output 'efficiency.men'; did you mean "
                         "efficiency.mean, efficiency.min or efficiency.max?\n")
        table = list(csv.DictReader(io.StringIO(run("sweep", "export", "csv", str(self.spec)).stdout, newline="")))
        self.assertEqual([row["policy"] for row in table], ["native"] * 2 + ["aging"] * 2 + ["no,such"] * 2)
        for row, kept in zip(table, self.rows()):
            outputs = json.loads(kept["outputs"])
            self.assertEqual(row["efficiency.mean"], str(outputs["efficiency.mean"]) if outputs else "")
        self.assertEqual(run("sweep", "plot", str(self.spec)).stdout, f"wrote {self.folder / 's.svg'}\n")
        picture = (self.folder / "s.svg").read_text()
        for text in ("<svg", ">native<", ">aging<", ">efficiency<"):
            self.assertIn(text, picture)
        missing = run("sweep", "plot", str(self.spec), "--x", "p", "--y", "efficiency")
        self.assertIn("no point that is done has a number 'efficiency'", missing.stderr)
        self.assertIn("No such file", run("sweep", "show", str(self.folder / "none.json")).stderr)

    def test_what_has_not_run_yet_has_nothing_to_show(self):
        self.write()
        for words in (("show",), ("export", "csv"), ("plot",)):
            done = run("sweep", *words, str(self.spec))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("the sweep has not run yet: 'heddle sweep SPEC.json' runs it", done.stderr)

    def test_two_sweeps_do_not_share_a_file(self):
        self.write(["schedule", "simulate", "--p", "{p}", "--warps", "300000"], grid={"p": [0.1]})
        first = subprocess.Popen([HEDDLE, "sweep", self.spec], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not self.database.exists():
                time.sleep(0.01)
            done = self.sweep()
            self.assertEqual(done.stderr, f"heddle: error: another sweep works on {self.database}; wait for it, or end it\n")
        finally:
            first.terminate()
            first.wait()


class Killed(SweepTest):
    def test_killed_at_random_moments_it_loses_and_repeats_nothing(self):
        """Under mpirun it is done twenty times: test_sweep_ranks.py."""
        self.write(grid={"p": {"from": 0.001, "to": 0.08, "step": 0.001}})
        generator, finished, kills = random.Random(20), {}, 0
        for _ in range(8):
            process = subprocess.Popen([HEDDLE, "sweep", self.spec], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(generator.uniform(0.05, 0.3))
            kills += process.poll() is None
            process.send_signal(signal.SIGKILL)
            process.wait()
            now = self.done() if self.database.exists() else {}
            for key, row in finished.items():
                self.assertEqual(now.get(key), row)
            finished = now
        self.assertGreater(kills, 4)
        self.assertGreater(len(finished), 0)
        done = self.sweep()
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = self.rows()
        self.assertEqual([row["runs"] for row in rows], [1] * 80)
        for row in rows:
            self.assertEqual(finished.get(row["key"], row), row)

    def test_a_point_ends_with_its_sweep(self):
        self.write(["schedule", "simulate", "--p", "{p}", "--warps", "3000000"], grid={"p": [0.123456]})
        process = subprocess.Popen([HEDDLE, "sweep", self.spec], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def children():
            return processes("simulate --p 0.123456 --warps")

        while not children():
            time.sleep(0.02)
        process.kill()
        process.wait()
        for _ in range(100):
            if not children():
                return
            time.sleep(0.05)
        self.fail("the point runs on")


if __name__ == "__main__":
    unittest.main()
