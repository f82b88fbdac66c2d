# SPDX-License-Identifier: Apache-2.0
"""Managed memory that a kernel touches first: a line of its own, fields, the clock of the modelled GPU, advice."""

import json
import pathlib
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run

# Each launch is of another kernel, so that each has its own line.
PROGRAM = r"""
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
template <int which> __global__ void twice(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
template <int which> void launch(int* a, int n) {
  cudaEvent_t begin, end;
  float ms;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  cudaEventRecord(begin);
  twice<which><<<n / 256, 256>>>(a, n);
  cudaEventRecord(end), cudaEventSynchronize(end);
  cudaEventElapsedTime(&ms, begin, end);
  std::printf("%d: %.4f ms\n", which, ms);
}
int main() {
  const int n = 4 << 20;
  int *a, *pinned;
  cudaMallocManaged(&a, n * sizeof(int));
  std::memset(a, 0, n * sizeof(int));
  launch<0>(a, n);
  launch<1>(a, n);
  a[n / 2] = 5;
  launch<2>(a, n);
  std::memset(a, 0, n * sizeof(int));
  cudaMemPrefetchAsync(a, n * sizeof(int), 0);
  launch<3>(a, n);
  std::memset(a, 7, n * sizeof(int));
  cudaMemAdvise(a, n * sizeof(int), cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
  launch<4>(a, n);
  cudaFree(a);
  cudaMallocManaged(&a, n * sizeof(int));
  launch<5>(a, n);
  cudaMallocHost(&pinned, n * sizeof(int));
  launch<6>(pinned, n);
  cudaFreeHost(pinned), cudaFree(a);
}
"""


class Managed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        (path / "p.cu").write_text(PROGRAM)
        cls.shown = run("run", "--device", "h200", "--kernels", "9", "p.cu", cwd=path)
        cls.profile = path / "profile.json"
        done = run("run", "--device", "h200", "--quiet", "--profile", str(cls.profile), "p.cu", cwd=path)
        assert done.returncode == 0, done.stderr
        document = json.loads(cls.profile.read_text())
        cls.document = document
        cls.kernels = {int(kernel["name"].split("<")[1][0]): kernel for kernel in document["kernels"]}
        cls.milliseconds = {int(line[0]): float(line.split()[1]) for line in done.stdout.splitlines() if " ms" in line}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_what_the_host_wrote_is_brought_once(self):
        touch = self.kernels[0]["firstTouch"]
        self.assertEqual(touch["bytes"], 16 << 20)
        self.assertAlmostEqual(touch["seconds"] * 1e6, 60 + 150 + 95 * 16, places=6)
        self.assertAlmostEqual(touch["prefetchSeconds"] * 1e6, 17 + 35 + 21 * 16, places=6)
        self.assertNotIn("firstTouch", self.kernels[1])

    def test_one_word_brings_one_piece(self):
        self.assertEqual(self.kernels[2]["firstTouch"]["bytes"], 64 << 10)
        self.assertLess(self.kernels[2]["firstTouch"]["seconds"], 100e-6)

    def test_a_prefetch_brings_it_before(self):
        self.assertNotIn("firstTouch", self.kernels[3])

    def test_what_is_to_stay_with_the_host_stays(self):
        self.assertNotIn("firstTouch", self.kernels[4])

    def test_new_memory_takes_less(self):
        touch = self.kernels[5]["firstTouch"]
        self.assertEqual(touch["bytes"], 16 << 20)
        self.assertAlmostEqual(touch["seconds"] * 1e6, 60 + 130 + 70 * 16, places=6)

    def test_it_is_not_in_the_kernels_time_but_on_the_clock(self):
        first, second = self.kernels[0]["timing"]["seconds"], self.kernels[1]["timing"]["seconds"]
        self.assertAlmostEqual(first / second, 1, delta=0.2)
        self.assertAlmostEqual(self.milliseconds[0], (first + self.kernels[0]["firstTouch"]["seconds"]) * 1e3, places=3)
        self.assertAlmostEqual(self.milliseconds[1], second * 1e3, places=3)

    def test_pinned_memory_comes_over_the_bus(self):
        self.assertNotIn("firstTouch", self.kernels[6])
        self.assertGreater(self.kernels[6]["timing"]["seconds"], 16 * 20e-6)
        self.assertLess(self.kernels[6]["timing"]["seconds"], 16 * 26e-6)
        self.assertEqual(self.kernels[6]["timing"]["bound"], "memory")

    def test_the_report_has_a_line_and_an_advice(self):
        lines = [line for line in self.shown.stdout.splitlines() if line.startswith("  first touch")]
        self.assertEqual(len(lines), 3, self.shown.stdout)
        self.assertTrue(lines[0].startswith("  first touch      16 MiB of managed memory: 1.7 ms, not in the kernel's "), lines[0])
        self.assertTrue(lines[0].endswith(" (cudaMemPrefetchAsync first: 390 us)"), lines[0])
        self.assertIn("64 KiB of managed memory: 75 us, ", lines[1])
        self.assertIn("1.3 ms", lines[2])
        self.assertEqual(self.shown.stdout.count("  prefetch    advice"), 3, self.shown.stdout)

    def test_the_profile_is_as_its_schema_says(self):
        schema = json.loads((SOURCE / "docs/schema/profile.schema.json").read_text())
        jsonschema.validate(self.document, schema)
        self.assertEqual(self.document["launches"][0]["firstTouch"], self.kernels[0]["firstTouch"])


if __name__ == "__main__":
    unittest.main()
