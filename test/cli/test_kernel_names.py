# SPDX-License-Identifier: Apache-2.0
"""Instances of one template are kernels of their own: what they are called, and how to name one."""

import json
import pathlib
import tempfile
import unittest

from heddle_run import run

PROGRAM = r"""
template <class T, int times> __global__ void scale(T* a) { a[threadIdx.x] *= times; }
namespace { template <class T> __global__ void fill(T* a) { a[threadIdx.x] = 1; } }
int main() {
  double* a;
  cudaMalloc(&a, 1024 * sizeof *a);
  fill<<<1, 32>>>(a);
  scale<float, 4><<<1, 32>>>((float*)a);
  scale<int, 2><<<1, 32>>>((int*)a);
  scale<int, 2><<<1, 32>>>((int*)a);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


class KernelNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.folder.name) / "mine.cu"
        cls.file.write_text(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def profile(self, kernel):
        return run("profile", str(self.file), "--kernel", kernel, "--block", "32", "--arg", "f64[32]:zeros")

    def test_reports_tell_instances_apart(self):
        done = run("run", str(self.file))
        for name in ["fill<double>", "scale<float, 4>", "scale<int, 2>"]:
            self.assertIn(name, done.stdout + done.stderr)

    def test_json_tells_instances_apart(self):
        target = pathlib.Path(self.folder.name) / "profile.json"
        self.assertEqual(run("run", str(self.file), "--quiet", "--profile", str(target)).returncode, 0)
        launches = {kernel["name"]: kernel["launches"] for kernel in json.loads(target.read_text())["kernels"]}
        self.assertEqual(launches, {"fill<double>": 1, "scale<float, 4>": 1, "scale<int, 2>": 2})

    def test_json_knows_kernels_by_their_symbols(self):
        target = pathlib.Path(self.folder.name) / "ids.json"
        self.assertEqual(run("run", str(self.file), "--quiet", "--profile", str(target)).returncode, 0)
        ids = {kernel["name"]: kernel["id"] for kernel in json.loads(target.read_text())["kernels"]}
        self.assertEqual(ids["scale<int, 2>"], "_Z5scaleIiLi2EEvPT_")
        self.assertEqual(len(set(ids.values())), 3)

    def test_an_instance_is_named_as_one_likes(self):
        for name in ["scale<int, 2>", "scale<int,2>", "_Z5scaleIiLi2EEvPT_"]:
            done = self.profile(name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("scale<int, 2>", done.stdout)

    def test_the_only_instance_needs_no_arguments(self):
        self.assertEqual(self.profile("fill").returncode, 0)

    def test_several_instances_are_named(self):
        done = self.profile("scale")
        self.assertEqual(done.returncode, 2)
        self.assertIn("several kernels are called 'scale'; name one of scale<float, 4>, scale<int, 2>", done.stderr)

    def test_registers_for_one_instance_or_all(self):
        target = pathlib.Path(self.folder.name) / "registers.json"
        done = run("run", str(self.file), "--quiet", "--profile", str(target), "--registers", "scale=40", "--registers",
                   "scale<int, 2>=24")
        self.assertEqual(done.returncode, 0, done.stderr)
        kernels = {kernel["name"]: kernel for kernel in json.loads(target.read_text())["kernels"]}
        self.assertEqual(kernels["scale<float, 4>"]["timing"]["registers"], 40)
        self.assertEqual(kernels["scale<int, 2>"]["timing"]["registers"], 24)


# Two kernels of one name. The first one's threads depend on each other, the second one's do not.
OVERLOADS = r"""
#include <cstdio>
#include <vector>
__global__ void walk(int* a) {
  int i = threadIdx.x * 37 % 61, x = 0;
  while (i > 0) {
    if (i % 3 == 0) { for (int k = 0; k < 40; ++k) x = x * 3 + a[threadIdx.x ^ 1]; } else x += i;
    --i;
  }
  a[threadIdx.x] = x;
}
__global__ void walk(unsigned* a) {
  unsigned x = 0;
  int i = threadIdx.x * 37 % 61;
  while (i > 0) {
    if (i % 3 == 0) { for (int k = 0; k < 40; ++k) x = x * 3 + i; } else x += i;
    --i;
  }
  a[threadIdx.x] = x;
}
int main() {
  int* a;
  cudaMalloc(&a, 1024 * sizeof *a);
  cudaMemset(a, 0, 1024 * sizeof *a);
  walk<<<1, 256>>>(a);
  walk<<<1, 256>>>((unsigned*)a);
  std::vector<int> host(256);
  cudaMemcpy(host.data(), a, 1024, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", host[7]);
}
"""


SECOND = r"""
static __global__ void fill(int* a) { a[threadIdx.x] = 2; }
void second(int* a) { fill<<<2, 32>>>(a); }
"""
FIRST = r"""
static __global__ void fill(int* a) { a[threadIdx.x] = 1; }
void second(int* a);
int main() {
  int* a;
  cudaMalloc(&a, 128);
  second(a);
  fill<<<1, 32>>>(a);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


class KernelsOfOneName(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "overloads.cu"
        self.file.write_text(OVERLOADS)

    def tearDown(self):
        self.folder.cleanup()

    def line_of(self, text, after):
        lines = OVERLOADS.splitlines()
        return next(i for i in range(lines.index(after), len(lines)) if text in lines[i]) + 1

    def test_those_of_two_files_are_two(self):
        files = [pathlib.Path(self.folder.name) / name for name in ("a.cu", "b.cu")]
        for file, text in zip(files, (FIRST, SECOND)):
            file.write_text(text)
        target = pathlib.Path(self.folder.name) / "profile.json"
        done = run("run", *map(str, files), "--quiet", "--profile", str(target))
        self.assertEqual(done.returncode, 0, done.stderr)
        kernels = json.loads(target.read_text())["kernels"]
        self.assertEqual({kernel["name"] for kernel in kernels}, {"fill"})
        self.assertEqual({kernel["id"] for kernel in kernels}, {"_ZL4fillPi", "_ZL4fillPi#2"})
        self.assertEqual([kernel["grid"][0] for kernel in kernels], [2, 1])

    def test_each_has_its_own_advice(self):
        first = self.line_of("if (i % 3", "__global__ void walk(int* a) {")
        second = self.line_of("if (i % 3", "__global__ void walk(unsigned* a) {")
        done = run("run", str(self.file))
        shown = (done.stdout + done.stderr).split("kernel walk")[1:]
        self.assertEqual(len(shown), 2)
        rewrites = [part.partition("rewrites")[2] for part in shown]
        self.assertTrue(all(rewrites), done.stdout)
        for part in rewrites:
            self.assertNotEqual(f"overloads.cu:{first} " in part, f"overloads.cu:{second} " in part, part)

    def test_one_is_dependent_and_the_other_is_not(self):
        done = run("fix", str(self.file), "--only", "schedule-iterations", "--json")
        verdicts = {(each["line"], each["id"] == "dependent-threads") for each in json.loads(done.stdout)["candidates"]}
        first = self.line_of("if (i % 3", "__global__ void walk(int* a) {")
        second = self.line_of("if (i % 3", "__global__ void walk(unsigned* a) {")
        self.assertIn((first, True), verdicts)
        self.assertIn((second, False), verdicts)
        self.assertNotIn((second, True), verdicts)


if __name__ == "__main__":
    unittest.main()
