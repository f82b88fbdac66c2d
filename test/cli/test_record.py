# SPDX-License-Identifier: Apache-2.0
"""What a program leaves when it is asked for a memory record, and what it reads from a fixed clock."""

import os
import pathlib
import struct
import tempfile
import unittest

from heddle_run import run

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__device__ int answer = 1;
static __device__ int hidden = 5;
__constant__ int table[2] = {7, 8};
__global__ void fill(int* a, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = 0;
  for (int k = 0; k < rounds; ++k) x += table[k & 1] + (a[n + k % 3] & 1);
  if (i < n) a[i] = i + 0 * x;
  if (i == 0) { answer = 42; hidden += x > 0; }
}
__global__ void tick(long long* t, int rounds, int* sink) {
  long long begin = clock64();
  for (int k = 0; k < rounds; ++k) *sink += k;
  t[threadIdx.x] = clock64() - begin;
}
int main(int count, char** arguments) {
  const int rounds = atoi(arguments[1]), n = 100;
  int *a, *scratch, host[100], *managed, *pitched, read = 0, *sink;
  long long *times, elapsed[64];
  size_t pitch;
  cudaMalloc(&a, (n + 3) * sizeof(int));
  cudaMemset(a, 0, (n + 3) * sizeof(int));
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  cudaEventRecord(begin);
  fill<<<1, 128>>>(a, n, rounds);
  cudaEventRecord(end);
  float ms;
  cudaEventElapsedTime(&ms, begin, end);
  cudaMemcpy(host, a + 10, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(host, a, 0, cudaMemcpyDefault);
  cudaMallocAsync(&scratch, 64, 0), cudaFreeAsync(scratch, 0);
  cudaMemcpyFromSymbol(&read, answer, sizeof read);
  cudaMallocManaged(&managed, 16), managed[0] = 9, cudaFree(managed);
  cudaMallocPitch(&pitched, &pitch, 8, 2), cudaMemset2D(pitched, pitch, 3, 8, 2);
  cudaMemcpy2D(host, 8, pitched, pitch, 8, 2, cudaMemcpyDefault);
  cudaMalloc(&times, sizeof elapsed), cudaMalloc(&sink, 4), cudaMemset(sink, 0, 4);
  tick<<<1, 64>>>(times, rounds, sink);
  cudaMemcpy(elapsed, times, sizeof elapsed, cudaMemcpyDeviceToHost);
  printf("%d %d %g %lld\n", read, host[0], ms, elapsed[40]);
  if (count > 2) fill<<<1, 128>>>((int*)0, n, 1);
  return cudaDeviceSynchronize();
}
"""

POINTERS = r"""
#include <cuda_runtime.h>
typedef float (*Op)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float half(float x) { return x / 2; }
__device__ Op ops[2] = {twice, half};
__device__ float* middle;
__global__ void apply(float* a) { a[threadIdx.x] = ops[threadIdx.x & 1](threadIdx.x); middle = a + 5; }
int main() {
  float* a;
  cudaMalloc(&a, 64 * sizeof *a);
  apply<<<1, 64>>>(a);
  return cudaDeviceSynchronize();
}
"""

KINDS = ["", "made", "freed", "copied", "left", "wrote", "ended"]


def read_places(path):
    """What lies where: (first address, size, name)."""
    return [(*numbers[:2], name) for kind, name, numbers, _ in read_entries(path) if kind == "made"]


def read_record(path):
    """Entries as (kind, name, offset, content)."""
    return [(kind, name, numbers[2], content) for kind, name, numbers, content in read_entries(path)]


def read_entries(path):
    data = path.read_bytes()
    assert data[:12] == b"HEDDLEMR" + struct.pack("<I", 1)
    at, entries = 12, []
    while at < len(data):
        kind, length, *numbers = struct.unpack_from("<II8Q", data, at)
        at += 72
        name, content = data[at:at + length].decode(), b""
        at += length
        while len(content) < numbers[7]:
            size, storage = struct.unpack_from("<II", data, at)
            at += 8
            content += bytes([storage]) * size if storage < 256 else data[at:at + size]
            at += size if storage == 256 else 0
        entries.append((KINDS[kind], name, numbers, content))
    return entries


class Record(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "p.cu").write_text(PROGRAM)

    def tearDown(self):
        self.folder.cleanup()

    def run_program(self, *arguments, **environment):
        done = run("run", "--quiet", str(self.path / "p.cu"), "--", *arguments, env={**os.environ, **environment})
        return done

    def record(self, *arguments, status=0, **environment):
        done = self.run_program(*arguments, HEDDLE_RECORD=str(self.path / "record"), **environment)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, read_record(self.path / "record")

    def test_copies_come_in_order_with_region_and_content(self):
        _, entries = self.record("5")
        copies = [entry[1:] for entry in entries if entry[0] == "copied"]
        self.assertEqual(copies[:3], [("cudaMalloc #1", 40, struct.pack("<4i", 10, 11, 12, 13)),
                                      ("variable 'answer'", 0, struct.pack("<i", 42)),
                                      ("cudaMallocPitch #1", 0, b"\3" * 16)])
        self.assertEqual([copy[0] for copy in copies[3:]], ["cudaMalloc #2"])

    def test_managed_memory_is_kept_when_it_is_freed_and_scratch_memory_is_not(self):
        _, entries = self.record("5")
        freed = {name: content for kind, name, _, content in entries if kind == "freed"}
        self.assertEqual(freed, {"cudaMallocAsync #1": b"",
                                 "cudaMallocManaged #1": struct.pack("<i", 9) + b"\x7f" * 12})

    def test_all_that_lives_is_left_at_the_end(self):
        _, entries = self.record("5")
        left = {name: content for kind, name, _, content in entries if kind == "left"}
        self.assertEqual(list(left), ["cudaMalloc #1", "cudaMalloc #2", "cudaMalloc #3", "cudaMallocPitch #1",
                                      "variable 'answer'", "variable 'hidden'", "variable 'table'"])
        self.assertEqual(left["cudaMalloc #1"], struct.pack("<103i", *range(100), 0, 0, 0))
        self.assertEqual(left["cudaMallocPitch #1"][8:512], b"\x7f" * 504)
        self.assertEqual(left["variable 'hidden'"], struct.pack("<i", 6))
        self.assertEqual(entries[-1], ("ended", "", 0, b""))

    def test_a_fault_leaves_a_record_too(self):
        _, entries = self.record("5", "fault", status=2)
        self.assertIn("a null pointer", entries[-1][1])
        self.assertEqual(entries[-1][0], "ended")
        self.assertIn("variable 'answer'", [name for kind, name, _, _ in entries if kind == "left"])

    def test_pointers_can_be_told_by_what_lies_there(self):
        (self.path / "p.cu").write_text(POINTERS)
        _, entries = self.record()
        left = {name: content for kind, name, _, content in entries if kind == "left"}
        places = read_places(self.path / "record")

        def target(pointer):
            here = [(size, name, pointer - begin) for begin, size, name in places if begin <= pointer < begin + size]
            return min(here)[1:]  # the host's heap holds others

        self.assertEqual([target(pointer) for pointer in struct.unpack("<2Q", left["variable 'ops'"])],
                         [("function 'twice(float)'", 0), ("function 'half(float)'", 0)])
        self.assertEqual(target(*struct.unpack("<Q", left["variable 'middle'"])), ("cudaMalloc #1", 20))

    def test_only_a_fixed_clock_hides_the_work(self):
        fixed = {rounds: self.run_program(rounds, HEDDLE_CLOCK="fixed").stdout for rounds in ("5", "5000")}
        self.assertEqual(fixed["5"], "42 50529027 1 1000\n")
        self.assertEqual(fixed["5"], fixed["5000"])
        modelled = {rounds: self.run_program(rounds).stdout for rounds in ("5", "5000")}
        self.assertNotEqual(modelled["5"], modelled["5000"])

    def test_what_cannot_be_written_ends_the_run(self):
        done = self.run_program("5", HEDDLE_RECORD="/nowhere/record")
        self.assertEqual(done.returncode, 2)
        self.assertIn("HEDDLE_RECORD: cannot write '/nowhere/record'", done.stderr)


if __name__ == "__main__":
    unittest.main()
