// expected: a list has at most 65536 items
#include <heddle/compact.cuh>

__global__ void refused() {
  heddle::compact_tiles<1024, 128>([](int) { return true; }, [](int) {});
}

int main() {
  refused<<<1, 64>>>();
  return 0;
}
