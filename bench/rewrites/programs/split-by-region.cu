// SPDX-License-Identifier: Apache-2.0
// Distributes customer rows to eight regional partitions; a cursor per region gives the place.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define REGIONS 8

__global__ void countRows(const unsigned char* region, unsigned* count, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[region[i]], 1u);
}

__global__ void place(const unsigned char* region, const unsigned* customer, unsigned* cursor,
                      unsigned* partitioned, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned where = atomicAdd(&cursor[region[i]], 1u);
    partitioned[where] = customer[i];
  }
}

int main(int argc, char** argv) {
  unsigned n = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::vector<unsigned char> region(n);
  std::vector<unsigned> customer(n), out(n);
  unsigned s = 808;
  for (unsigned i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    unsigned r = (s >> 16) & 15;
    region[i] = r < 8 ? r : (r < 13 ? 2 : 5);
    customer[i] = s >> 3;
  }
  unsigned char* dRegion;
  unsigned *dCustomer, *dOut, *dCursor;
  cudaMalloc(&dRegion, n);
  cudaMalloc(&dCustomer, n * sizeof(unsigned));
  cudaMalloc(&dOut, n * sizeof(unsigned));
  cudaMalloc(&dCursor, REGIONS * sizeof(unsigned));
  cudaMemcpy(dRegion, region.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(dCustomer, customer.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(dCursor, 0, REGIONS * sizeof(unsigned));
  unsigned blocks = (n + 255) / 256;
  countRows<<<blocks, 256>>>(dRegion, dCursor, n);
  unsigned count[REGIONS], start[REGIONS + 1] = {0};
  cudaMemcpy(count, dCursor, sizeof(count), cudaMemcpyDeviceToHost);
  for (int r = 0; r < REGIONS; ++r) start[r + 1] = start[r] + count[r];
  cudaMemcpy(dCursor, start, REGIONS * sizeof(unsigned), cudaMemcpyHostToDevice);
  place<<<blocks, 256>>>(dRegion, dCustomer, dCursor, dOut, n);
  cudaMemcpy(out.data(), dOut, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int r = 0; r < REGIONS; ++r) {
    unsigned long long sum = 0;
    for (unsigned k = start[r]; k < start[r + 1]; ++k) sum += out[k];
    std::printf("region %d: %u rows, sum %llu\n", r, count[r], sum);
  }
  cudaFree(dRegion);
  cudaFree(dCustomer);
  cudaFree(dOut);
  cudaFree(dCursor);
  return 0;
}
