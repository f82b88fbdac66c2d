// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: zip_iterator, thrust: for_each, thrust: transform_iterator
// Vectors of three coordinates as separate arrays: dot products and a bounding box with tuples.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/tuple.h>

struct Length2 {
  template <typename Tuple> __host__ __device__ void operator()(Tuple t) const {
    thrust::get<3>(t) = thrust::get<0>(t) * thrust::get<0>(t) +
                        thrust::get<1>(t) * thrust::get<1>(t) +
                        thrust::get<2>(t) * thrust::get<2>(t);
  }
};

using Box = thrust::tuple<float, float>; // least and most
struct ToBox {
  __host__ __device__ Box operator()(float x) const { return thrust::make_tuple(x, x); }
};
struct Merge {
  __host__ __device__ Box operator()(const Box& a, const Box& b) const {
    float low = thrust::get<0>(a) < thrust::get<0>(b) ? thrust::get<0>(a) : thrust::get<0>(b);
    float high = thrust::get<1>(a) > thrust::get<1>(b) ? thrust::get<1>(a) : thrust::get<1>(b);
    return thrust::make_tuple(low, high);
  }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  std::vector<float> x(n), y(n), z(n), r(n);
  float low = 1e30f, high = -1e30f;
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i * 13 % 101 - 50);
    y[i] = (float)(i % 17);
    z[i] = (float)(i % 5) * 0.5f;
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
  }
  thrust::device_vector<float> dx(x.begin(), x.end()), dy(y.begin(), y.end()),
      dz(z.begin(), z.end()), dr(n);
  auto first =
      thrust::make_zip_iterator(thrust::make_tuple(dx.begin(), dy.begin(), dz.begin(), dr.begin()));
  thrust::for_each(first, first + n, Length2());
  thrust::copy(dr.begin(), dr.end(), r.begin());
  auto boxes = thrust::make_transform_iterator(dx.begin(), ToBox());
  Box box = thrust::reduce(boxes, boxes + n, Box(x[0], x[0]), Merge());
  int bad = thrust::get<0>(box) != low || thrust::get<1>(box) != high;
  for (int i = 0; i < n; ++i)
    bad += r[i] != x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
