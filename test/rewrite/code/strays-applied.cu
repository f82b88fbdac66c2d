// RUN: %heddle fix %s --only align-to-warp > %t.diff
// RUN: FileCheck-19 %s --check-prefix=FIX < %t.diff
// RUN: %heddle fix %s --only align-to-warp --json > %t.json
// RUN: FileCheck-19 %s --check-prefix=JSON < %t.json
// RUN: not %heddle run %s 2> %t.run > %t.out
// RUN: FileCheck-19 %s --check-prefix=STOPS < %t.run
// SPDX-License-Identifier: Apache-2.0
__global__ void smooth(const unsigned* seeds, float* results, int steps) {
  const unsigned thread = threadIdx.x;
  const unsigned place = blockIdx.x * blockDim.x + thread;
  float value = static_cast<float>(seeds[place] >> 8) / 16777216.0f;
  const float next = static_cast<float>(seeds[place + 1] >> 8) / 16777216.0f;
  if (thread % 2 == 0) {
#pragma unroll 1
    for (int i = 0; i < steps; ++i)
      value = fmaf(value, 0.999f, 0.25f);
  } else {
#pragma unroll 1
    for (int i = 0; i < steps; ++i)
      value = fabsf(value - 0.5f) * 0.9f;
  }
  results[place] = value + next;
}

int main() {
  constexpr int blocks = 264, threads = 256;
  unsigned* seeds = nullptr;
  float* results = nullptr;
  cudaMalloc(&seeds, blocks * threads * sizeof(unsigned));
  cudaMalloc(&results, blocks * threads * sizeof(float));
  cudaMemset(seeds, 0x35, blocks * threads * sizeof(unsigned));
  for (int step = 0; step < 2; ++step)
    smooth<<<blocks, threads>>>(seeds, results, 1500);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

// FIX: the program goes outside of its memory:
// FIX-NEXT: strays-applied.cu:12: kernel 'smooth' reads 1 element of 4 bytes behind cudaMalloc #1 (270336
// FIX-NEXT: bytes), 2 times; first thread (255,0,0) of block (263,0,0)
// FIX-NEXT: in these runs such a read got 0 and such a write was dropped.
// FIX: {{^}}+  const unsigned thread = threadIdx.x % (blockDim.x / 2) * 2
// FIX: proof: a run of the rewritten program left the same
// FIX-SAME: but for what accesses outside of memory get on a GPU
// FIX: strays-applied.cu:13  align-to-warp  {{.*}}  apply
// FIX-NOT: goes outside

// JSON: "strays": [
// JSON-NEXT: {
// JSON-NEXT: "kernel": "smooth",
// JSON-NEXT: "file": {{.*}}strays-applied.cu",
// JSON-NEXT: "line": 12,
// JSON: "text": "reads 1 element of 4 bytes behind cudaMalloc #1 (270336 bytes), 2 times",
// JSON-NEXT: "count": 2,

// STOPS: strays-applied.cu:12: kernel 'smooth': thread (255,0,0) of block (263,0,0) reads 4 bytes
