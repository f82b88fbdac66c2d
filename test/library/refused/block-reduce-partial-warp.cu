// expected: heddle: block_reduce takes blocks of whole warps
#include <heddle/block_reduce.cuh>

__global__ void kernel(int* out) {
  __shared__ heddle::block_reduce_storage<int, 48> storage;
  *out = heddle::block_reduce(1, storage);
}

int main() {}
