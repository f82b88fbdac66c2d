// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: device_vector, thrust: raw pointers
// Vectors of host and device: copies, single elements, resize, iterators, and raw pointers into
// kernels.
#include <cstdio>
#include <cstdlib>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

__global__ void square(int* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= v[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  thrust::host_vector<int> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = i - 50;
  thrust::device_vector<int> d = h;
  square<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(d.data()), n);
  if (cudaGetLastError() != cudaSuccess) {
    puts("FAIL");
    return 1;
  }
  d[3] = 99;
  int read = d[3];
  d.resize(n + 10, 7);
  thrust::fill(d.begin() + n, d.begin() + n + 4, 8);
  thrust::device_vector<int> s(20);
  thrust::sequence(s.begin(), s.end(), 5, 3);
  thrust::copy(s.begin(), s.begin() + 5, d.begin() + 10);
  thrust::host_vector<int> back = d;
  int bad = read != 99 || back.size() != (size_t)n + 10;
  for (int i = 0; i < n + 10; ++i) {
    int want = i == 3              ? 99
               : i >= 10 && i < 15 ? 5 + 3 * (i - 10)
               : i < n             ? (i - 50) * (i - 50)
               : i < n + 4         ? 8
                                   : 7;
    if (back[i] != want && bad++ < 5)
      printf("element %d is %d, expected %d\n", i, (int)back[i], want);
  }
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
