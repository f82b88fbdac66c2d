// expected: heddle: share_rows takes groups of 2, 4, 8, 16 or 32 lanes
#include <heddle/rows.cuh>

__global__ void kernel(int* out) {
  heddle::share_rows<3>(0, 5, [&](int k) { out[k] = k; });
}

int main() {}
