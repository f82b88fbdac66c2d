# SPDX-License-Identifier: Apache-2.0
"""heddle run and profile --registers: who wins, what is refused."""

import pathlib
import tempfile
import unittest

from heddle_run import run

PROGRAM = r"""
#include <cstdio>
__global__ void scale(float* a) { a[threadIdx.x] *= 2; }
template <class T> __global__ void fill(T* a) { a[threadIdx.x] = 1; }
template <class Kernel> void show(const char* name, Kernel kernel) {
  cudaFuncAttributes attributes;
  int blocks = -1;
  cudaFuncGetAttributes(&attributes, kernel);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0);
  printf("%s %d %d\n", name, attributes.numRegs, blocks);
}
int main() {
  show("scale", scale);
  show("fill", fill<int>);
  float* a;
  cudaMalloc(&a, 1024 * sizeof *a);
  scale<<<1, 1024>>>(a);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
"""


class Registers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = str(pathlib.Path(cls.folder.name) / "mine.cu")
        pathlib.Path(cls.file).write_text(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_flag_takes_one_value_and_leaves_the_file(self):
        done = run("run", "--quiet", "--registers", "scale=40", self.file)
        self.assertEqual(done.stderr, "")
        self.assertIn("scale 40 ", done.stdout)

    def run_program(self, *flags):
        done = run("run", self.file, "--quiet", *flags)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def refuse(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        return done.stderr.strip()

    def test_kernels_have_registers_of_their_own(self):
        scale, fill, launched = self.run_program()
        self.assertRegex(scale, r"^scale (\d+) 8$")
        self.assertRegex(fill, r"^fill (\d+) 8$")
        self.assertLess(int(scale.split()[1]), 20)
        self.assertEqual(launched, "cudaSuccess")

    def test_given_ones_win(self):
        self.assertEqual(self.run_program("--registers", "scale=64", "--registers", "_Z4fillIiEvPT_=128"),
                         ["scale 64 4", "fill 128 2", "cudaSuccess"])

    def test_too_many_for_a_block(self):
        self.assertEqual(self.run_program("--registers", "scale=72")[2], "cudaErrorLaunchOutOfResources")

    def test_what_is_no_kernel_is_refused(self):
        self.assertEqual(self.refuse("run", self.file, "--registers", "scael=6"),
                         "heddle: error: --registers scael=6: no kernel 'scael'; did you mean scale? "
                         "(there are: scale, fill<int>)")

    def test_what_no_gpu_has_is_refused(self):
        self.assertIn("'scale=256': found '256' registers, expected 1 to 255",
                      self.refuse("run", self.file, "--registers", "scale=256"))
        self.assertIn("'scale' is not KERNEL=N", self.refuse("run", self.file, "--registers", "scale"))
        self.assertIn("are given twice", self.refuse("run", self.file, "--registers", "scale=6", "--registers", "scale=7"))
        self.assertIn("compute capability 2.0 allows 1 to 63",
                      self.refuse("run", self.file, "--device", "gtx580", "--registers", "scale=64"))

    def test_profile_takes_them_too(self):
        command = ["profile", self.file, "--kernel", "scale", "--block", "1024", "--arg", "f32[1024]:zeros"]
        self.assertEqual(run(*command, "--registers", "scale=32").returncode, 0)
        self.assertIn("a block of 1024 threads with so many does not fit on H200 SXM",
                      self.refuse(*command, "--registers", "scale=72"))
        self.assertIn("no kernel 'scalp'; did you mean scale?", self.refuse(*command, "--registers", "scalp=72"))


unittest.main()
