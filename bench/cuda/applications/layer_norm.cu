// SPDX-License-Identifier: Apache-2.0
// Layer normalisation: forward with a warp to a row, backward for the input and, over all rows, for
// gain and bias.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define FULL 0xffffffffu

static void gpu(cudaError_t e) {
  if (e != cudaSuccess) {
    printf("FAIL %s\n", cudaGetErrorString(e));
    exit(2);
  }
}

__inline__ __device__ float warpSum(float v) {
#pragma unroll
  for (int m = 16; m; m >>= 1)
    v += __shfl_xor_sync(FULL, v, m);
  return v;
}

__global__ void ln_forward(float* __restrict__ out, float* __restrict__ mean,
                           float* __restrict__ rstd, const float* __restrict__ inp,
                           const float* __restrict__ gain, const float* __restrict__ bias, int N,
                           int C) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= N)
    return;
  const float* x = inp + row * C;
  float s = 0.f;
  for (int i = lane; i < C; i += 32)
    s += x[i];
  float m = warpSum(s) / C;
  s = 0.f;
  for (int i = lane; i < C; i += 32)
    s += (x[i] - m) * (x[i] - m);
  float r = rsqrtf(warpSum(s) / C + 1e-5f);
  if (lane == 0) {
    mean[row] = m;
    rstd[row] = r;
  }
  for (int i = lane; i < C; i += 32)
    out[row * C + i] = (x[i] - m) * r * gain[i] + bias[i];
}

// a block to a row with sums in shared memory
__global__ void ln_backward_input(float* dinp, const float* dout, const float* inp,
                                  const float* gain, const float* mean, const float* rstd, int C) {
  extern __shared__ float sh[];
  float *a = sh, *b = sh + blockDim.x;
  int row = blockIdx.x, t = threadIdx.x;
  const float* dy = dout + row * C;
  const float* x = inp + row * C;
  float m = mean[row], r = rstd[row];
  float s1 = 0, s2 = 0;
  for (int i = t; i < C; i += blockDim.x) {
    float d = dy[i] * gain[i];
    s1 += d;
    s2 += d * (x[i] - m) * r;
  }
  a[t] = s1;
  b[t] = s2;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) {
      a[t] += a[t + k];
      b[t] += b[t + k];
    }
    __syncthreads();
  }
  s1 = a[0] / C;
  s2 = b[0] / C;
  for (int i = t; i < C; i += blockDim.x) {
    float norm = (x[i] - m) * r;
    dinp[row * C + i] += (dy[i] * gain[i] - s1 - norm * s2) * r;
  }
}

// each thread owns a channel and goes through all rows; only C / 64 blocks
__global__ void ln_backward_params_simple(float* dgain, float* dbias, const float* dout,
                                          const float* inp, const float* mean, const float* rstd,
                                          int N, int C) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C)
    return;
  float g = 0, b = 0;
  for (int n = 0; n < N; n++) {
    float d = dout[n * C + c];
    g += d * (inp[n * C + c] - mean[n]) * rstd[n];
    b += d;
  }
  dgain[c] += g;
  dbias[c] += b;
}

// strips of rows, then atomics
__global__ void ln_backward_params_strips(float* dgain, float* dbias, const float* dout,
                                          const float* inp, const float* mean, const float* rstd,
                                          int N, int C, int strip) {
  int c = blockIdx.x * 32 + threadIdx.x;
  __shared__ float sg[8][32], sb[8][32];
  float g = 0, b = 0;
  int end = min(N, (int)(blockIdx.y + 1) * strip);
  if (c < C)
    for (int n = blockIdx.y * strip + threadIdx.y; n < end; n += 8) {
      float d = dout[n * C + c];
      g += d * (inp[n * C + c] - mean[n]) * rstd[n];
      b += d;
    }
  sg[threadIdx.y][threadIdx.x] = g;
  sb[threadIdx.y][threadIdx.x] = b;
  __syncthreads();
  if (threadIdx.y == 0 && c < C) {
    for (int k = 1; k < 8; k++) {
      g += sg[k][threadIdx.x];
      b += sb[k][threadIdx.x];
    }
    atomicAdd(dgain + c, g);
    atomicAdd(dbias + c, b);
  }
}

static float* toDevice(const std::vector<float>& v) {
  float* p;
  gpu(cudaMalloc(&p, v.size() * sizeof(float)));
  gpu(cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  return p;
}

static bool agrees(const char* what, const float* dev, const std::vector<double>& want,
                   double tol) {
  std::vector<float> got(want.size());
  gpu(cudaMemcpy(got.data(), dev, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (size_t i = 0; i < got.size(); i++)
    worst = fmax(worst, fabs(got[i] - want[i]) / (1.0 + fabs(want[i])));
  printf("%s: %g\n", what, worst);
  return worst < tol;
}

int main(int argc, char** argv) {
  int N = argc > 1 ? atoi(argv[1]) : 128, C = 384;
  if (N < 8)
    N = 8;
  std::minstd_rand gen(17);
  auto fill = [&](size_t n, float lo, float hi) {
    std::vector<float> v(n);
    for (auto& x : v)
      x = lo + (hi - lo) * (gen() % 65536) / 65536.0f;
    return v;
  };
  std::vector<float> x = fill((size_t)N * C, -2, 3), dy = fill((size_t)N * C, -1, 1);
  std::vector<float> gain = fill(C, 0.5f, 1.5f), bias = fill(C, -0.2f, 0.2f);
  float *d_x = toDevice(x), *d_dy = toDevice(dy), *d_gain = toDevice(gain),
        *d_bias = toDevice(bias);
  float *d_out = toDevice(std::vector<float>((size_t)N * C)),
        *d_dx = toDevice(std::vector<float>((size_t)N * C));
  float *d_mean = toDevice(std::vector<float>(N)), *d_rstd = toDevice(std::vector<float>(N));
  float *d_dg = toDevice(std::vector<float>(C)), *d_db = toDevice(std::vector<float>(C));

  // two accumulation steps, one with each kernel for the parameters
  for (int step = 0; step < 2; step++) {
    ln_forward<<<(N * 32 + 255) / 256, 256>>>(d_out, d_mean, d_rstd, d_x, d_gain, d_bias, N, C);
    ln_backward_input<<<N, 128, 2 * 128 * sizeof(float)>>>(d_dx, d_dy, d_x, d_gain, d_mean, d_rstd,
                                                           C);
    if (step == 0)
      ln_backward_params_simple<<<(C + 63) / 64, 64>>>(d_dg, d_db, d_dy, d_x, d_mean, d_rstd, N, C);
    else
      ln_backward_params_strips<<<dim3((C + 31) / 32, (N + 63) / 64), dim3(32, 8)>>>(
          d_dg, d_db, d_dy, d_x, d_mean, d_rstd, N, C, 64);
  }
  gpu(cudaDeviceSynchronize());

  std::vector<double> out(x.size()), dx(x.size()), dg(C), db(C);
  for (int n = 0; n < N; n++) {
    const float *r = &x[(size_t)n * C], *d = &dy[(size_t)n * C];
    double m = 0, v = 0, s1 = 0, s2 = 0;
    for (int c = 0; c < C; c++)
      m += r[c] / C;
    for (int c = 0; c < C; c++)
      v += (r[c] - m) * (r[c] - m) / C;
    double rs = 1.0 / sqrt(v + 1e-5);
    for (int c = 0; c < C; c++) {
      double norm = (r[c] - m) * rs;
      out[(size_t)n * C + c] = norm * gain[c] + bias[c];
      s1 += d[c] * gain[c] / C;
      s2 += d[c] * gain[c] * norm / C;
      dg[c] += 2 * d[c] * norm;
      db[c] += 2 * d[c];
    }
    for (int c = 0; c < C; c++)
      dx[(size_t)n * C + c] = 2 * (d[c] * gain[c] - s1 - (r[c] - m) * rs * s2) * rs;
  }
  bool ok = agrees("out", d_out, out, 1e-4) & agrees("dx", d_dx, dx, 1e-4) &
            agrees("dgain", d_dg, dg, 1e-3) & agrees("dbias", d_db, db, 1e-3);
  printf(ok ? "PASS\n" : "FAIL\n");
  return ok ? 0 : 1;
}
