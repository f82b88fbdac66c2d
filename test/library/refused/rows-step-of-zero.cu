// expected: heddle: the step of a row is not 0
#include <heddle/rows.cuh>

__global__ void kernel(int* out) {
  heddle::spread<0>(0, 5, [&](int k) { out[k] = k; });
}

int main() {}
