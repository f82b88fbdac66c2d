// RUN: %refused fix %s --only reshape --line 5 --unproven > %t && FileCheck-19 %s < %t

#define ITEM (blockIdx.x * 48 + threadIdx.x)

__global__ void k(float* x) {
  x[ITEM] = 1;
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :5: reshape refused: line 6 has in a macro what must change [macro-in-the-way]
