// SPDX-License-Identifier: Apache-2.0
// Overlapping max pooling that remembers where the maxima were, and its backward pass by atomic
// scatter and by gathering.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <int KERNEL, int STRIDE> struct Pool {
  static __host__ __device__ int outSize(int in) { return (in - KERNEL) / STRIDE + 1; }
};
typedef Pool<3, 2> P;

static int fail(const char* what) {
  printf("FAIL %s\n", what);
  return 1;
}

template <typename T>
__global__ void poolForward(const T* in, T* out, int* where, int planes, int h, int w, int oh,
                            int ow) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= planes * oh * ow)
    return;
  int ox = idx % ow, oy = idx / ow % oh, p = idx / (ow * oh);
  const T* src = in + (size_t)p * h * w;
  T best = src[oy * 2 * w + ox * 2];
  int at = oy * 2 * w + ox * 2;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      int q = (oy * 2 + j) * w + ox * 2 + i;
      if (src[q] > best) {
        best = src[q];
        at = q;
      }
    }
  out[idx] = best;
  where[idx] = at;
}

// windows overlap, so several outputs may have had the same maximum
template <typename T>
__global__ void poolBackwardScatter(const T* gout, const int* where, T* gin, int planes, int hw,
                                    int ohw) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < planes * ohw)
    atomicAdd(&gin[(size_t)(idx / ohw) * hw + where[idx]], gout[idx]);
}

// the other way round: each input asks the windows it lies in
template <typename T>
__global__ void poolBackwardGather(const T* gout, const int* where, T* gin, int h, int w, int oh,
                                   int ow) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int p = blockIdx.z;
  if (x >= w || y >= h)
    return;
  int x0 = x < 3 ? 0 : (x - 1) / 2, x1 = min(x / 2, ow - 1);
  int y0 = y < 3 ? 0 : (y - 1) / 2, y1 = min(y / 2, oh - 1);
  T sum = 0;
  for (int oy = y0; oy <= y1; oy++)
    for (int ox = x0; ox <= x1; ox++) {
      int o = (p * oh + oy) * ow + ox;
      if (where[o] == y * w + x)
        sum += gout[o];
    }
  gin[((size_t)p * h + y) * w + x] = sum;
}

// how much each plane's two gradients differ, and their mass; a block to a plane
template <typename T>
__global__ void compareGradients(const T* a, const T* b, T* diff, T* mass, int hw) {
  __shared__ T sd[128], sm[128];
  T d = 0, m = 0;
  for (int i = threadIdx.x; i < hw; i += 128) {
    T x = a[(size_t)blockIdx.x * hw + i], y = b[(size_t)blockIdx.x * hw + i];
    d += x > y ? x - y : y - x;
    m += y;
  }
  sd[threadIdx.x] = d;
  sm[threadIdx.x] = m;
  __syncthreads();
  if (threadIdx.x == 0) { // serial end of the sum
    for (int i = 1; i < 128; i++) {
      d += sd[i];
      m += sm[i];
    }
    diff[blockIdx.x] = d;
    mass[blockIdx.x] = m;
  }
}

template <typename T> static bool run(int size, int planes) {
  int h = size, w = size + 5, oh = P::outSize(h), ow = P::outSize(w);
  int n = planes * h * w, m = planes * oh * ow;
  std::vector<T> in(n), gout(m), out(m), g1(n), g2(n), diff(planes), mass(planes);
  std::vector<int> where(m);
  unsigned s = 3;
  for (int i = 0; i < n; i++) {
    s = s * 1664525u + 1013904223u;
    in[i] = (T)(s >> 10) / 4194304 - (T)0.5 + (T)0.3 * (T)sin(i * 0.01);
  }
  for (int i = 0; i < m; i++) {
    s = s * 1664525u + 1013904223u;
    gout[i] = (T)(s >> 20) / 4096;
  }
  T *dIn, *dOut, *dGout, *dG1, *dG2, *dDiff, *dMass;
  int* dWhere;
  bool ok = true;
  ok &= !cudaMalloc(&dIn, n * sizeof(T)) && !cudaMalloc(&dOut, m * sizeof(T)) &&
        !cudaMalloc(&dGout, m * sizeof(T)) && !cudaMalloc(&dG1, n * sizeof(T)) &&
        !cudaMalloc(&dG2, n * sizeof(T)) && !cudaMalloc(&dDiff, planes * sizeof(T)) &&
        !cudaMalloc(&dMass, planes * sizeof(T)) && !cudaMalloc(&dWhere, m * sizeof(int));
  if (!ok)
    return false;
  cudaMemcpy(dIn, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(dGout, gout.data(), m * sizeof(T), cudaMemcpyHostToDevice);
  for (int rep = 0; rep < 3; rep++) {
    cudaMemset(dG1, 0, n * sizeof(T));
    poolForward<T><<<(m + 255) / 256, 256>>>(dIn, dOut, dWhere, planes, h, w, oh, ow);
    poolBackwardScatter<T><<<(m + 255) / 256, 256>>>(dGout, dWhere, dG1, planes, h * w, oh * ow);
    poolBackwardGather<T><<<dim3((w + 15) / 16, (h + 7) / 8, planes), dim3(16, 8)>>>(
        dGout, dWhere, dG2, h, w, oh, ow);
    compareGradients<T><<<planes, 128>>>(dG1, dG2, dDiff, dMass, h * w);
  }
  if (cudaDeviceSynchronize() != cudaSuccess)
    return false;
  cudaMemcpy(out.data(), dOut, m * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(where.data(), dWhere, m * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(g1.data(), dG1, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(g2.data(), dG2, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(diff.data(), dDiff, planes * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(mass.data(), dMass, planes * sizeof(T), cudaMemcpyDeviceToHost);

  std::vector<T> want(n, (T)0);
  for (int o = 0; o < m; o++) {
    int ox = o % ow, oy = o / ow % oh, p = o / (ow * oh);
    int at = oy * 2 * w + ox * 2;
    for (int k = 1; k < 9; k++) {
      int q = (oy * 2 + k / 3) * w + ox * 2 + k % 3;
      if (in[(size_t)p * h * w + q] > in[(size_t)p * h * w + at])
        at = q;
    }
    ok = ok && where[o] == at && out[o] == in[(size_t)p * h * w + at];
    want[(size_t)p * h * w + at] += gout[o];
  }
  if (!ok)
    return false;
  double sum = 0;
  for (int i = 0; i < n; i++)
    ok = ok && fabs(want[i] - g1[i]) < 1e-4 && fabs(want[i] - g2[i]) < 1e-4;
  for (int p = 0; p < planes; p++) {
    double expect = 0;
    for (int i = 0; i < oh * ow; i++)
      expect += gout[(size_t)p * oh * ow + i];
    ok = ok && diff[p] < 1e-2 && fabs(mass[p] - expect) < 1e-3 * expect + 1e-3;
    sum += mass[p];
  }
  printf("%d bytes a value: mass %.4f\n", (int)sizeof(T), sum);
  cudaFree(dIn), cudaFree(dOut), cudaFree(dGout), cudaFree(dG1), cudaFree(dG2);
  cudaFree(dDiff), cudaFree(dMass), cudaFree(dWhere);
  return ok;
}

int main(int argc, char** argv) {
  int size = argc > 1 ? atoi(argv[1]) : 32;
  if (size < 8)
    size = 8;
  if (!run<float>(size, 24))
    return fail("float");
  if (!run<double>(size, 12))
    return fail("double");
  printf("PASS\n");
  return 0;
}
