# SPDX-License-Identifier: Apache-2.0
"""What a program does not notice stands at the end of the report, with its line."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run
from waiting import PATIENCE

HEAD = """#include <cstdio>
#include <unistd.h>
__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void s(int* p) { extern __shared__ int m[]; m[threadIdx.x] = 1; p[threadIdx.x] = m[0]; }
int main() {
  int h[64], *p; cudaMalloc(&p, sizeof h);
#line 100
"""
TAIL = "\n  cudaFree(p);\n}\n"


class Remarks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def run_code(self, code, *flags, tail=TAIL):
        (self.path / "m.cu").write_text(HEAD + code + tail)
        return run("run", "m.cu", "--no-advice", *flags, cwd=self.path, stdin=subprocess.DEVNULL)

    def test_each_is_named_with_its_line(self):
        for code, line in [
                ("k<<<1, 2048>>>(p);", "m.cu:100  cudaLaunchKernel failed: invalid configuration argument"),
                ("s<<<1, 64, 1 << 20>>>(p);", "m.cu:100  cudaLaunchKernel failed: invalid argument"),
                ("\ncudaMemcpy(h, p, sizeof h, cudaMemcpyHostToDevice);", "m.cu:101  cudaMemcpy failed: invalid argument"),
                ("cudaMemcpy(h, p, 1 << 20, cudaMemcpyDeviceToHost);", "m.cu:100  cudaMemcpy failed: invalid argument"),
                ("cudaFree(p);\ncudaFree(p);\np = nullptr;", "m.cu:101  cudaFree failed: invalid argument"),
                ("int* q; cudaMalloc(&q, 4);", "m.cu:100  cudaMalloc #2 (4 bytes) is never freed"),
                ("k<<<1, 64>>>(p); cudaDeviceSynchronize();\nprintf(\"%d\\n\", p[3]);",
                 "m.cu:101  the host touches device memory: with"),
                ("\n\np[2] = 5;", "m.cu:102  the host touches device memory: with")]:
            leaks = "never freed" in line
            done = self.run_code(code, *(["--strict"] if leaks else []))
            self.assertEqual(done.returncode, 1 if leaks else 0, done.stderr)
            remarks = done.stdout.split("\nremarks\n")
            self.assertEqual(len(remarks), 2, code + done.stdout)
            self.assertIn(line, " ".join(remarks[1].split()).replace(" cuda", "  cuda").replace(" the host", "  the host"))
            self.assertEqual(remarks[1].count("m.cu:"), 1, remarks[1])
            self.assertEqual(self.run_code(code, "--strict", "--quiet").returncode, 1, code)

    def test_leaks_come_in_the_order_of_the_calls(self):
        done = self.run_code("int* q; for (int size : {16, 64 << 20, 16, 32 << 20}) cudaMalloc(&q, size);", "--strict")
        self.assertEqual([part.split(" (")[0] for part in done.stdout.split("cudaMalloc #")[1:]], ["2", "3", "4", "5"])

    def test_a_program_that_looks_has_none(self):
        for code in ["k<<<1, 2048>>>(p); if (cudaGetLastError() != cudaSuccess) puts(\"seen\");",
                     "cudaError_t e = cudaFree(h); printf(\"%s\\n\", cudaGetErrorString(e));",
                     "k<<<1, 64>>>(p); cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h[5]);",
                     "int* q; cudaMallocManaged(&q, 256); k<<<1, 64>>>(q); cudaDeviceSynchronize(); q[1]++; cudaFree(q);"]:
            done = self.run_code(code, "--strict")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotIn("remarks", done.stdout)

    def test_json(self):
        document = json.loads(self.run_code("k<<<1, 2048>>>(p);", "--json").stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/schema/profile.schema.json").read_text()))
        self.assertEqual(document["remarks"][0]["kind"], "failed-call")
        self.assertEqual((document["remarks"][0]["file"], document["remarks"][0]["line"]), ("m.cu", 100))

    def test_exit_without_handlers_is_reported(self):
        done = self.run_code("k<<<1, 64>>>(p); cudaFree(p); _exit(3);")
        self.assertEqual(done.returncode, 3)
        self.assertIn("kernel k <<<1,64>>>", done.stdout)


class Refusals(unittest.TestCase):
    def test_limit_of_instructions(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "k.cu"
            file.write_text("__global__ void k(int* p) { p[threadIdx.x + blockIdx.x * 64] += 1; }\n")
            for limit in ("1", "1000"):
                done = run("profile", str(file), "--kernel", "k", "--grid", "5000", "--block", "64",
                           "--arg", "i32[320000]:zeros", "--max-instructions", limit, "--json")
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"more than {limit} warp-instructions", done.stderr)
                ran = json.loads(done.stdout)["kernels"][0]["warpInstructions"]
                self.assertLess(ran, int(limit) + 2000)

    def test_what_is_no_file(self):
        for source, kind in (("/dev/zero", "a device"), ("/", "a folder")):
            for command in (["run", source], ["check", source], ["profile", source, "--kernel", "k"],
                            ["devices", source], ["run", __file__, "--device", source]):
                done = run(*command, timeout=PATIENCE, stdin=subprocess.DEVNULL)
                self.assertEqual(done.returncode, 2, command)
                if "devices" not in command and "--device" not in command or kind == "a device":
                    self.assertIn(f"{source}: it is {kind}", done.stderr, command)

    def test_a_pipe_is_no_source(self):
        with tempfile.TemporaryDirectory() as folder:
            import os
            pipe = f"{folder}/pipe.cu"
            os.mkfifo(pipe)
            done = run("run", pipe, timeout=PATIENCE, stdin=subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stderr), (2, f"heddle: error: cannot read {pipe}: it is a pipe\n"))

    def test_numbers_that_do_not_fit(self):
        for argument, message in [("i32:99999999999", "i32: 99999999999 is out of range: expected -2147483648 to 2147483647"),
                                  ("u8:-1", "u8: -1 is out of range: expected 0 to 255"), ("i16:0.5", "i16: '0.5' is not a whole number"),
                                  ("i64:9223372036854775808", "is out of range"), ("f32:1e39", "out of the range of numbers")]:
            done = run("profile", "k.cu", "--kernel", "k", "--arg", argument)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_closed_descriptors(self):
        import os
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            done = subprocess.run(["/bin/sh", "-c", f'exec "$HEDDLE" devices {closed}'], capture_output=True, check=False,
                                  env=os.environ)
            self.assertEqual(done.returncode, 2 if ">&-" in closed.split() else 0, (closed, done.stderr))

    def test_headers_that_are_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            for header in ("cuda_fp6.h", "cufft.h", "cusparse.h", "cudnn.h", "nvrtc.h", "cuda/std/optional"):
                file = pathlib.Path(folder) / "a.cu"
                file.write_text(f"#include <{header}>\nint main() {{}}\n")
                for command in ("run", "check"):
                    done = run(command, str(file), stdin=subprocess.DEVNULL)
                    self.assertEqual(done.returncode, 2)
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                    self.assertIn(f"heddle: error: {file}:1: Heddle has no {header}: ", done.stderr)
            self.assertIn("the headers of a CUDA toolkit have all of it, and are used where nvcc is found", done.stderr)


unittest.main()
