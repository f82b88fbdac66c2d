# SPDX-License-Identifier: Apache-2.0
"""heddle tune: what it may change and what not, that results stay equal, the store, and programs that read it."""

import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

from heddle_run import SOURCE, run

HEAD = r"""
#include <cstdio>
#include <vector>
"""
MAIN = r"""
int main(int argc, char** argv) {
  int n = argc > 1 ? 20000 : 5000;
  float* out;
  cudaMalloc(&out, n * sizeof *out);
  work<<<(n + 255) / 256, 256>>>(out, n);
  std::vector<float> got(n);
  cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", got[0], got[n - 1]);
}
"""
GUARDED = HEAD + r"""
__global__ void work(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = i;
  for (int k = 0; k < i % 40; ++k)
    x = x * 0.5f + 1;
  out[i] = x;
}
""" + MAIN
UNGUARDED = HEAD + r"""
__global__ void work(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i % n] = i % n;
}
""" + MAIN
STRIDE = HEAD + r"""
__global__ void work(float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = i;
}
""" + MAIN
LOCAL = HEAD + r"""
__global__ void work(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = threadIdx.x;
}
""" + MAIN
SHARED = HEAD + r"""
__global__ void work(float* out, int n) {
  __shared__ float first;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  first = 1;
  __syncthreads();
  if (i < n)
    out[i] = first;
}
""" + MAIN
MACRO = HEAD + r"""
#ifndef STEPS
#define STEPS 8
#endif
#ifndef SCALE
#define SCALE 2
#endif
#define FIXED 3
__global__ void __launch_bounds__(256) work(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = i;
  for (int k = 0; k < 64; k += STEPS)
    for (int j = 0; j < STEPS; ++j)
      x = x * 0.5f + FIXED;
  out[i] = x * SCALE;
}
""" + MAIN
ASKS = HEAD + r"""
#include <heddle/tuned.h>
__global__ void work(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i + 0 * threadIdx.x;
}
int main() {
  int n = 3000;
  float* out;
  cudaMalloc(&out, n * sizeof *out);
  const heddle::tuned_launch best = heddle::tuned("work", n, dim3(64));
  work<<<best.grid, best.block>>>(out, n);
  std::vector<float> got(n);
  cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  fprintf(stderr, "%u %u %d\n", best.grid.x, best.block.x, best.known);
  printf("%g\n", got[n - 1]);
}
"""


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.store = self.path / "data" / "tuned.db"
        os.environ["HEDDLE_TUNED"] = str(self.store)
        self.addCleanup(os.environ.pop, "HEDDLE_TUNED")

    def write(self, text, name="mine.cu"):
        (self.path / name).write_text(text)
        return str(self.path / name)

    def tune(self, text, *flags):
        done = run("tune", self.write(text), "--json", *flags)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)["kernels"][0]

    def values(self, kernel, name):
        return next((each["values"] for each in kernel["parameters"] if each["name"] == name), [])

    def refuse(self, *arguments):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr.strip()

    def test_a_guard_lets_blocks_of_any_size_in(self):
        kernel = self.tune(GUARDED)
        self.assertEqual(self.values(kernel, "block"), ["256", "32", "64", "96", "128", "192", "384", "512", "768", "1024"])
        self.assertEqual(self.values(kernel, "unroll:10"), ["", "1", "2", "4", "8"])
        self.assertGreater(kernel["comparedBytes"] + (kernel["best"]["key"] == ""), 0)
        best = kernel["best"]["key"]
        timed = {each["configuration"]["key"]: each["seconds"] for each in kernel["attempts"] if each["verdict"] == "timed"}
        self.assertLessEqual(timed[best], 1.01 * min(timed.values()))
        self.assertEqual(kernel["size"], 5120)

    def test_without_a_guard_only_sizes_that_divide(self):
        kernel = self.tune(UNGUARDED, "--seconds", "1")  # 5120 threads
        self.assertEqual(self.values(kernel, "block"), ["256", "32", "64", "128", "512", "1024"])
        self.assertIn("no guard", kernel["fixed"][0])

    def test_a_loop_over_the_grid_is_a_guard(self):
        kernel = self.tune(STRIDE, "--seconds", "1")
        self.assertIn("96", self.values(kernel, "block"))
        self.assertEqual(self.values(kernel, "unroll:6"), [])

    def test_what_knows_its_block_keeps_it(self):
        for text, why in ((LOCAL, "line 8 uses threadIdx other than for the place in the grid"), (SHARED, "line 6 declares shared memory")):
            kernel = self.tune(text, "--seconds", "1")
            self.assertEqual(self.values(kernel, "block"), [])
            self.assertIn(f"block: {why}", kernel["fixed"])

    def test_macros_are_searched_and_those_that_change_results_are_not_taken(self):
        kernel = self.tune(MACRO, "--set", "STEPS=4,16", "--set", "SCALE=2,3")
        self.assertEqual(self.values(kernel, "STEPS"), ["", "4", "16"])
        self.assertNotIn("SCALE", kernel["best"]["macros"] if kernel["best"]["macros"].get("SCALE") == "3" else {})
        self.assertIn("bounds: it has __launch_bounds__ of its own", kernel["fixed"])
        self.assertNotIn("512", self.values(kernel, "block"))

    def test_bad_input_is_named(self):
        file = self.write(MACRO)
        self.assertIn("--set FIXED: FIXED changes nothing", self.refuse("tune", file, "--set", "FIXED=1,2"))
        self.assertIn("--set STEPS: it is given twice", self.refuse("tune", file, "--set", "STEPS=1", "--set", "STEPS=2"))
        self.assertIn("'STEPS' is not NAME=VALUE,VALUE", self.refuse("tune", file, "--set", "STEPS"))
        self.assertIn("has an empty value", self.refuse("tune", file, "--set", "STEPS=1,,2"))
        self.assertIn("it launches: work", self.refuse("tune", file, "--kernel", "other"))
        self.assertIn("there is no folder", self.refuse("tune", file, "--svg", str(self.path / "no" / "x.svg")))
        self.assertIn("say what to forget", self.refuse("tune", "forget"))
        self.assertIn("holds nothing of this source", self.refuse("run", file, "--tuned"))
        self.store.parent.mkdir(exist_ok=True)
        for side in self.store.parent.glob("tuned.db*"):
            side.unlink()
        self.store.write_text("no database, but a text that is long enough to be taken for one of those")
        self.assertIn("tuned.db", self.refuse("tune", file))

    def test_what_was_found_is_kept_shown_used_exported_and_forgotten(self):
        file = self.write(GUARDED)
        picture = self.path / "search.svg"
        done = run("tune", file, "--svg", str(picture), "--seconds", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("best", done.stdout)
        self.assertIn("<svg", picture.read_text())
        shown = json.loads(run("tune", "show", "--json").stdout)["kernels"]
        self.assertEqual([(row["kernel"], row["size"]) for row in shown], [("work", 5120)])
        key = shown[0]["configuration"]["key"]
        self.assertIn(key or "as it is", run("tune", "show", "work").stdout)
        tuned = run("run", file, "--tuned", "--no-advice")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        self.assertIn(f"tuned work: {key or 'as it is'} (5120 threads)", tuned.stdout)
        self.assertIn(f",{shown[0]['block'][0]}>>>", tuned.stdout)
        self.assertEqual(tuned.stdout.splitlines()[0], run("run", file, "--quiet").stdout.splitlines()[0])
        self.assertIn('HEDDLE_TUNED_ROW("work", "H200 SXM", 5120,', run("tune", "export").stdout)
        (self.path / "mine.cu").write_text(GUARDED + "// another source\n")
        self.assertIn("holds nothing of this source", self.refuse("run", file, "--tuned"))
        self.assertIn("1 forgotten", run("tune", "forget", "work").stdout)
        self.assertIn("nothing tuned", run("tune", "show").stdout)
        self.assertIn("holds no such kernel", self.refuse("tune", "forget", "work"))

    def test_the_nearest_size_counts(self):
        file = self.write(GUARDED)
        run("tune", file, "--seconds", "1")
        with sqlite3.connect(self.store) as store:
            store.execute("UPDATE tuned SET block_x = 64, configuration = 'block=64'")
            store.execute("INSERT INTO tuned SELECT kernel, id, file, source, device, 20224, 128, 1, 1, bounds, 'block=128', seconds, "
                          "own_seconds, gain, low, high, on_gpu, by_program, 'large', version, moment FROM tuned")
        self.assertIn("<<<80,64>>>", run("run", file, "--tuned", "--no-advice").stdout)
        self.assertIn("<<<158,128>>>", run("run", file, "--tuned", "--no-advice", "--", "large").stdout)

    def test_a_program_asks_for_its_block(self):
        kernel = self.tune(ASKS, "--seconds", "2")
        self.assertEqual(kernel["size"], 3000)
        self.assertIn("96", self.values(kernel, "block"))  # though it uses threadIdx
        file = str(self.path / "mine.cu")
        with sqlite3.connect(self.store) as store:
            store.execute("UPDATE tuned SET block_x = 96, configuration = 'block=96'")
        self.assertEqual(run("run", file, "--quiet").stderr, "32 96 1\n")
        os.environ["HEDDLE_TUNED"] = str(self.path / "none.db")
        self.assertEqual(run("run", file, "--quiet").stderr, "47 64 0\n")
        self.write(run("tune", "export", "--store", str(self.store)).stdout, "rows.h")  # a header needs no store
        other = self.write('#include "rows.h"\n' + ASKS, "other.cu")
        self.assertEqual(run("run", other, "--quiet").stderr, "32 96 1\n")


class Story(unittest.TestCase):
    def test_searches_are_stored_as_they_are_judged(self):
        results = SOURCE / "results/nvidia-h200/tune"
        done = subprocess.run([SOURCE / "scripts/compare", "tune", results, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])


if __name__ == "__main__":
    unittest.main()
