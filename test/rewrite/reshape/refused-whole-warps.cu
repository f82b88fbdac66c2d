// RUN: %refused fix %s --only reshape --line 5 --unproven > %t && FileCheck-19 %s < %t
// RUN: %refused fix %s --only reshape --line 8 --unproven --block 64 > %t && FileCheck-19 --check-prefix HIDDEN %s < %t
// RUN: %refused fix %s --only reshape --line 8 --unproven > %t && FileCheck-19 --check-prefix UNKNOWN %s < %t

__global__ void k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void hidden(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

#define LAUNCH(blocks) hidden<<<blocks, 64>>>(nullptr)

int main() {
  k<<<9, 64>>>(nullptr);
  k<<<9, 128>>>(nullptr);
  LAUNCH(9);
}
// CHECK:   :5: reshape refused: k has blocks of 64 threads [whole-warps]
// HIDDEN:  :8: reshape refused: hidden has blocks of 64 threads [whole-warps]
// UNKNOWN: :8: reshape refused: line 17 launches hidden in a macro or another file [launch-in-macro]
