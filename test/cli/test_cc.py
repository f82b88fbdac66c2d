# SPDX-License-Identifier: Apache-2.0
"""heddle cc in a makefile, under CMake, and what it makes."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from heddle_run import HEDDLE, SOURCE, run

PROGRAM = SOURCE / "test" / "programs" / "coverage" / "rdc-two-files"
MAKEFILE = """\
NVCC ?= nvcc
app: main.o libparts.a
	$(NVCC) -arch=sm_90 -rdc=true main.o -L. -lparts -lcudart -o $@
libparts.a: particles.o
	$(NVCC) -lib $^ -o $@
%.o: %.cu
	$(NVCC) -arch=sm_90 -O3 -lineinfo -Xcompiler "-Wall -Wextra" -MD -dc $< -o $@
-include main.d particles.d
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(parts LANGUAGES CXX CUDA)
add_library(parts STATIC particles.cu)
add_executable(app main.cu)
target_link_libraries(app parts)
set_target_properties(app parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_compile_features(app PRIVATE cuda_std_17)
add_library(seven SHARED seven.cu)
add_executable(mixed mixed.cpp)
target_link_libraries(mixed seven)
"""
SEVEN = """\
__global__ void seven(int* p) { *p = 7; }
int ask() {
  int *p = nullptr, answer = 0;
  cudaMalloc(&p, sizeof answer);
  seven<<<1, 1>>>(p);
  cudaMemcpy(&answer, p, sizeof answer, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return answer;
}
"""


class CompileLikeNvcc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        for file in PROGRAM.iterdir():
            shutil.copy(file, self.path)

    def do(self, *command, status=0, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.path, capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def test_makefile(self):
        (self.path / "Makefile").write_text(MAKEFILE)
        make = ("make", f"NVCC={HEDDLE} cc")
        self.do(*make)
        self.assertIn("PASS", self.do("./app"))
        self.assertIn("is up to date", self.do(*make))
        header = self.path / "particles.h"
        header.write_text(header.read_text())
        again = self.do(*make)
        self.assertEqual(again.count("-dc"), 2, again)
        self.assertNotIn("heddle_prelude.h", (self.path / "main.d").read_text())

    def test_a_program_leaves_its_profile_and_runs_with_a_report(self):
        self.do(HEDDLE, "cc", "-rdc=true", "main.cu", "particles.cu", "-o", "app")
        self.do("./app", HEDDLE_PROFILE="profile-%p.json")
        [left] = self.path.glob("profile-*.json")
        self.assertTrue(left.stem.removeprefix("profile-").isdigit())
        names = [kernel["name"] for kernel in json.loads(left.read_text())["kernels"]]
        self.assertIn("simulate", " ".join(names))
        report = run("run", str(self.path / "app"), "--", "100")
        self.assertEqual(report.returncode, 0, report.stderr)
        self.assertIn("PASS", report.stdout)
        self.assertIn("kernel simulate", report.stdout)

    def test_cmake(self):
        (self.path / "CMakeLists.txt").write_text(CMAKE)
        (self.path / "seven.cu").write_text(SEVEN)
        (self.path / "mixed.cpp").write_text("int ask();\nint main() { return ask(); }\n")
        cc = pathlib.Path(HEDDLE).parent / "heddle-cc"
        self.do("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DHEDDLE_CC={cc}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                f"-DCMAKE_TOOLCHAIN_FILE={SOURCE}/cmake/heddle-toolchain.cmake")
        self.do("cmake", "--build", "build")
        self.assertIn("PASS", self.do("build/app"))
        self.do("build/mixed", status=7)
        # The same from what the build tells: a static library, a shared one, and a program of C++ alone.
        self.assertIn("PASS", self.do(HEDDLE, "run", "--project", "build", "--quiet", "--", "build/app"))
        self.do(HEDDLE, "run", "--project", "build", "--quiet", "--", "build/mixed", status=7)

    def test_the_executable_is_where_its_source_is(self):
        (self.path / "where.cu").write_text(
            "#include <cstdio>\n#include <filesystem>\n#include <unistd.h>\n"
            "int main(int, char** argv) {\n"
            "  char text[4096] = {};\n"
            "  readlink(\"/proc/self/exe\", text, sizeof text - 1);\n"
            "  std::printf(\"%s\\n%s\\n%s\\n\", argv[0], text, std::filesystem::canonical(\"/proc/self/exe\").c_str());\n"
            "}\n")
        expected = str(self.path / "where")
        done = run("run", str(self.path / "where.cu"), "--quiet")
        self.assertEqual(done.stdout.split(), [expected, expected, expected])

    def test_messages(self):
        missing = run("cc", "-c", "nowhere.cu")
        self.assertEqual((missing.returncode, missing.stderr),
                         (2, "heddle: error: cannot read nowhere.cu: No such file or directory\n"))
        self.assertIn("release 12.5", run("cc", "--version").stdout)
        broken = self.path / "broken.cu"
        broken.write_text("__global__ void k() { int x = ; }\n")
        failed = run("cc", "-c", str(broken), "-o", str(self.path / "broken.o"))
        self.assertEqual(failed.returncode, 2)
        self.assertIn("broken.cu:1:31: error: expected expression", failed.stderr)
        self.assertFalse((self.path / "broken.o").exists())


unittest.main()
