// expected: heddle: block_reduce takes blocks of 32 to 1024 threads
#include <heddle/block_reduce.cuh>

__global__ void kernel(int* out) {
  __shared__ heddle::block_reduce_storage<int, 2048> storage;
  *out = heddle::block_reduce(1, storage);
}

int main() {}
