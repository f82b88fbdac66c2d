// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: sort
// Sorting of numbers up and down, of structs by an own order, and over a plain device pointer.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sort.h>

struct Body {
  int mass, id;
};
struct Heavier {
  __host__ __device__ bool operator()(const Body& a, const Body& b) const {
    return a.mass > b.mass || (a.mass == b.mass && a.id < b.id);
  }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1500;
  std::vector<unsigned> h(n);
  std::vector<Body> bodies(n);
  for (int i = 0; i < n; ++i) {
    h[i] = (unsigned)i * 2654435761u;
    bodies[i] = {(int)(h[i] >> 16) % 50, i};
  }
  thrust::device_vector<unsigned> d(h.begin(), h.end());
  thrust::sort(d.begin(), d.end());
  std::vector<unsigned> up(n);
  thrust::copy(d.begin(), d.end(), up.begin());
  std::sort(h.begin(), h.end());
  bool ok = up == h && thrust::is_sorted(d.begin(), d.end());
  unsigned* raw;
  if (cudaMalloc(&raw, n * sizeof(unsigned)) != cudaSuccess)
    return puts("FAIL"), 1;
  cudaMemcpy(raw, up.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  thrust::device_ptr<unsigned> p = thrust::device_pointer_cast(raw);
  thrust::sort(p, p + n, thrust::greater<unsigned>());
  cudaMemcpy(up.data(), raw, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::reverse(h.begin(), h.end());
  ok = ok && up == h;
  thrust::device_vector<Body> db(bodies.begin(), bodies.end());
  thrust::stable_sort(db.begin(), db.end(), Heavier());
  std::vector<Body> got(n);
  thrust::copy(db.begin(), db.end(), got.begin());
  std::sort(bodies.begin(), bodies.end(), Heavier());
  for (int i = 0; i < n; ++i)
    ok = ok && got[i].id == bodies[i].id && got[i].mass == bodies[i].mass;
  cudaFree(raw);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
