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


if __name__ == "__main__":
    unittest.main()
