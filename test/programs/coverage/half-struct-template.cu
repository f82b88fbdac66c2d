// SPDX-License-Identifier: Apache-2.0
// COVERS: half, bfloat16, templates
// One templated kernel for double, float, half and bfloat16, with the number type inside a struct.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define CUDACHECK(cmd)                                                                             \
  do {                                                                                             \
    cudaError_t e = cmd;                                                                           \
    if (e != cudaSuccess) {                                                                        \
      printf("Failed: CUDA error %s:%d '%s'\nFAIL\n", __FILE__, __LINE__, cudaGetErrorString(e));  \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

template <typename T> struct Particle {
  T position[3];
  T velocity[3];
  int id;
};

template <typename T> struct Limits;
template <> struct Limits<double> {
  static constexpr double tolerance = 1e-12;
};
template <> struct Limits<float> {
  static constexpr double tolerance = 1e-5;
};
template <> struct Limits<__half> {
  static constexpr double tolerance = 2e-2;
};
template <> struct Limits<__nv_bfloat16> {
  static constexpr double tolerance = 1.5e-1;
};

template <typename T> __host__ __device__ T from(double x) {
  return T((float)x);
}
template <> __host__ __device__ inline double from<double>(double x) {
  return x;
}
template <typename T> __host__ __device__ double to(T x) {
  return (double)(float)x;
}
template <> __host__ __device__ inline double to<double>(double x) {
  return x;
}

template <typename T> __global__ void step(Particle<T>* p, int n, int steps, double dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle<T> me = p[i];
  T h = from<T>(dt);
  for (int s = 0; s < steps; ++s)
    for (int k = 0; k < 3; ++k) {
      me.velocity[k] = me.velocity[k] - me.position[k] * h;
      me.position[k] = me.position[k] + me.velocity[k] * h;
    }
  me.id = -me.id;
  p[i] = me;
}

template <typename T> int run(const char* name, int n, int steps) {
  std::vector<Particle<T>> particles(n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      particles[i].position[k] = from<T>((i % 8 + k) * 0.125);
      particles[i].velocity[k] = from<T>(0.25 * k - 0.25);
    }
    particles[i].id = i + 1;
  }
  std::vector<Particle<T>> start = particles;
  Particle<T>* d;
  size_t bytes = n * sizeof(Particle<T>);
  CUDACHECK(cudaMalloc(&d, bytes));
  CUDACHECK(cudaMemcpy(d, particles.data(), bytes, cudaMemcpyHostToDevice));
  step<T><<<(n + 63) / 64, 64>>>(d, n, steps, 0.125);
  CUDACHECK(cudaGetLastError());
  CUDACHECK(cudaMemcpy(particles.data(), d, bytes, cudaMemcpyDeviceToHost));
  CUDACHECK(cudaFree(d));
  int errors = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      double x = to(start[i].position[k]), v = to(start[i].velocity[k]);
      for (int s = 0; s < steps; ++s) {
        v -= x * 0.125;
        x += v * 0.125;
      }
      double got = to(particles[i].position[k]);
      if (fabs(got - x) > Limits<T>::tolerance || particles[i].id != -i - 1)
        if (errors++ < 4)
          printf("%s: particle %d (%d) at %g, expected %g\n", name, i, particles[i].id, got, x);
    }
  printf("%-8s struct of %zu bytes, %d errors\n", name, sizeof(Particle<T>), errors);
  return errors;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200, steps = argc > 2 ? atoi(argv[2]) : 10;
  int errors = run<double>("double", n, steps) + run<float>("float", n, steps) +
               run<__half>("half", n, steps) + run<__nv_bfloat16>("bfloat16", n, steps);
  printf("%s\n", errors ? "FAIL" : "PASS");
  return errors != 0;
}
