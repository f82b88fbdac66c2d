// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(unsigned* out) {
  const unsigned streams = gridDim.x * blockDim.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x * 747796405u + streams;
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :3: reshape refused: line 4 uses gridDim.x other than as a stride [grid-size-used]
