// expected: tiles are a power of two
#include <heddle/compact.cuh>

__global__ void refused() {
  heddle::compact_tiles<64, 6>([](int) { return true; }, [](int) {});
}

int main() {
  refused<<<1, 64>>>();
  return 0;
}
