// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: transform, lambdas
// FLAGS: --extended-lambda
// saxpy as a transform with a functor, with a lambda, and with functions of the library.
#include <cstdio>
#include <cstdlib>

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>

struct saxpy_functor {
  const float a;
  explicit saxpy_functor(float a_) : a(a_) {}
  __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2048;
  thrust::host_vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i % 100);
    y[i] = (float)(i % 7);
  }
  thrust::device_vector<float> dx = x, dy = y, r(n), q(n);
  thrust::transform(dx.begin(), dx.end(), dy.begin(), r.begin(), saxpy_functor(2.0f));
  float b = 3.0f;
  thrust::transform(r.begin(), r.end(), r.begin(), [=] __device__(float v) { return v + b; });
  thrust::transform(dx.begin(), dx.end(), dy.begin(), q.begin(), thrust::multiplies<float>());
  thrust::transform(q.begin(), q.end(), q.begin(), thrust::negate<float>());
  thrust::host_vector<float> hr = r, hq = q;
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += hr[i] != 2 * x[i] + y[i] + 3 || hq[i] != -(x[i] * y[i]);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
