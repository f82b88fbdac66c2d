// expected: the list must fit into 48 KiB of shared memory: use fewer tiles
#include <heddle/compact.cuh>

__global__ void refused() {
  heddle::compact_tiles<1024, 32>([](int) { return true; }, [](int) {});
}

int main() {
  refused<<<1, 64>>>();
  return 0;
}
