// RUN: %refused fix %s --only compact --line 6 --block 256 --unproven > %t
// RUN: FileCheck-19 %s < %t

__global__ void probe(const int* next, const char* asked, long long* cycles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && asked[i]) {
    const long long begin = clock64();
    int at = i;
    for (int hop = 0; hop < 32; ++hop)
      at = next[at];
    cycles[i] = clock64() - begin + at;
  }
}

// CHECK: :6: compact refused: line 7 calls clock64, which would time other work [clock-inside]
