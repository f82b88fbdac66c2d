// expected: a block is a whole number of warps, at most 1024 threads
#include <heddle/compact.cuh>

__global__ void refused() {
  heddle::compact_tiles<48, 4>([](int) { return true; }, [](int) {});
}

int main() {
  refused<<<1, 64>>>();
  return 0;
}
