# SPDX-License-Identifier: Apache-2.0
"""Which kernels have independent threads, and who wrote a byte last."""

import json
import os
import pathlib
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run
from test_record import read_record

PROGRAM = r"""
#include <cuda_runtime.h>
__device__ int total;
__global__ void own(char* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] += 1; }
__global__ void sum(char* a) { atomicAdd(&total, a[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void shift(int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i + 1] = i;
  if (i > 0) a[i] += 1;
}
__global__ void reverse(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x + 64 * blockIdx.x] = s[63 - threadIdx.x];
}
int main() {
  char* bytes;
  int* words;
  int host[4];
  cudaMalloc(&bytes, 40 * 64), cudaMemset(bytes, 1, 40 * 64);
  cudaMalloc(&words, 4 * (40 * 64 + 1));
  own<<<40, 64>>>(bytes), own<<<40, 64>>>(bytes);
  sum<<<40, 64>>>(bytes);
  shift<<<40, 64>>>(words);
  cudaMemcpy(host, words + 100, sizeof host, cudaMemcpyDeviceToHost);
  reverse<<<40, 64>>>(words);
  cudaMemcpy(host, words, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemset(words, 0, 16);
  return cudaDeviceSynchronize();
}
"""
LINES = PROGRAM.splitlines()


def line_of(text):
    return next(number for number, line in enumerate(LINES, 1) if text in line)


class Touches(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "p.cu").write_text(PROGRAM)

    def tearDown(self):
        self.folder.cleanup()

    def run_program(self, **environment):
        done = run("run", "--quiet", str(self.path / "p.cu"), env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)

    def kernels(self):
        self.run_program(HEDDLE_TOUCHES=str(self.path / "touches.json"))
        document = json.loads((self.path / "touches.json").read_text())
        schema = json.loads((SOURCE / "docs/schema/touches.schema.json").read_text())
        jsonschema.validate(document, schema)
        return {kernel["kernel"]: kernel for kernel in document["kernels"]}

    def test_verdicts(self):
        verdicts = {name: (kernel["launches"], kernel["independent"], kernel["sharedIndependent"])
                    for name, kernel in self.kernels().items()}
        self.assertEqual(verdicts, {"own": (2, True, True), "sum": (1, True, True), "shift": (1, False, True),
                                    "reverse": (1, True, False)})

    def test_a_conflict_names_both_threads(self):
        conflict = self.kernels()["shift"]["conflict"]
        self.assertEqual(conflict["region"], "cudaMalloc #2 (10244 bytes)")
        self.assertEqual(conflict["first"]["line"], line_of("a[i + 1] = i;"))
        self.assertEqual(conflict["second"]["line"], line_of("if (i > 0)"))
        self.assertEqual((conflict["first"]["access"], conflict["second"]["access"]), ("store", "load"))
        self.assertEqual(conflict["first"]["thread"] + 1, conflict["second"]["thread"])
        self.assertEqual(conflict["offset"], 4 * conflict["second"]["thread"])

    def test_shared_memory(self):
        conflict = self.kernels()["reverse"]["sharedConflict"]
        self.assertEqual(conflict["region"], "shared memory")
        self.assertEqual(conflict["first"]["threadInBlock"][0] + conflict["second"]["threadInBlock"][0], 63)

    def writers(self, watch):
        self.run_program(HEDDLE_RECORD=str(self.path / "record"), HEDDLE_WATCH=watch)
        entries = read_record(self.path / "record")
        return [(entry[1], entries[at + 1][0]) for at, entry in enumerate(entries) if entry[0] == "wrote"]

    def test_the_writer_is_named_where_the_byte_is_seen(self):
        file = self.path / "p.cu"
        made = f"; allocated at {file}:{line_of('cudaMalloc(&words')}"
        shift = f"{file}:{line_of('if (i > 0)')}: kernel 'shift', block (1,0,0), thread (37,0,0){made}"
        reverse = f"{file}:{line_of('= s[63')}: kernel 'reverse', block (1,0,0), thread (37,0,0){made}"
        self.assertEqual(self.writers("cudaMalloc #2:405"), [(shift, "copied"), (reverse, "left")])

    def test_the_host_writes_too(self):
        file = self.path / "p.cu"
        host = f"{file}:{line_of('cudaMemset(words')}: the host, by a copy or a fill"
        made = f"; allocated at {file}:{line_of('cudaMalloc(&words')}"
        self.assertEqual(self.writers("cudaMalloc #2:9")[-1], (host + made, "left"))

    def test_variables_and_atomics(self):
        self.assertIn("kernel 'sum', block (39,0,0), thread (63,0,0)", self.writers("variable 'total':0")[-1][0])

    def test_what_nobody_wrote(self):
        self.assertEqual(self.writers("cudaMalloc #7:0"), [("nobody", "left")])


if __name__ == "__main__":
    unittest.main()
