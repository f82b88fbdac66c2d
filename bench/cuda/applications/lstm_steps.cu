// SPDX-License-Identifier: Apache-2.0
// Runs an LSTM cell over a short sequence for a batch: gate products, cell update, and a read-out
// at every step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BATCH 16
#define STEPS 10
#define INPUTS 64

#define OK(e)                                                                                      \
  if ((e) != cudaSuccess) {                                                                        \
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));                               \
    printf("FAIL at %d\n", __LINE__);                                                              \
    return -1;                                                                                     \
  }

// gates[b][g] = bias[g] + wx[g][:] . x[b][:] + wh[g][:] . h[b][:]; each thread reads whole weight
// rows
__global__ void gates_plain(float* gates, const float* wx, const float* wh, const float* bias,
                            const float* x, const float* h, int hidden) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockIdx.y;
  if (g >= 4 * hidden)
    return;
  float s = bias[g];
  for (int i = 0; i < INPUTS; i++)
    s += wx[g * INPUTS + i] * x[b * INPUTS + i];
  for (int i = 0; i < hidden; i++)
    s += wh[g * hidden + i] * h[b * hidden + i];
  gates[b * 4 * hidden + g] = s;
}

// a warp to a gate, all of the batch at once
__global__ void gates_warp(float* __restrict__ gates, const float* __restrict__ wx,
                           const float* __restrict__ wh, const float* __restrict__ bias,
                           const float* __restrict__ x, const float* __restrict__ h, int hidden) {
  int g = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (g >= 4 * hidden)
    return;
  float acc[BATCH];
  for (int b = 0; b < BATCH; b++)
    acc[b] = 0.0f;
  for (int i = lane; i < INPUTS; i += 32) {
    float w = wx[g * INPUTS + i];
#pragma unroll
    for (int b = 0; b < BATCH; b++)
      acc[b] += w * x[b * INPUTS + i];
  }
  for (int i = lane; i < hidden; i += 32) {
    float w = wh[g * hidden + i];
#pragma unroll
    for (int b = 0; b < BATCH; b++)
      acc[b] += w * h[b * hidden + i];
  }
#pragma unroll
  for (int b = 0; b < BATCH; b++) {
    float v = acc[b];
    for (int o = 16; o > 0; o >>= 1)
      v += __shfl_down_sync(0xffffffff, v, o);
    if (lane == 0)
      gates[b * 4 * hidden + g] = v + bias[g];
  }
}

__device__ float sigmoid(float v) {
  return 1.0 / (1.0 + exp(-v)); // in double, as it happens
}

__global__ void cell_update(const float* gates, float* c, float* h, int hidden) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= BATCH * hidden)
    return;
  int b = idx / hidden, j = idx % hidden;
  const float* g = gates + b * 4 * hidden;
  float in = sigmoid(g[j]), forget = sigmoid(g[hidden + j]);
  float cand = tanhf(g[2 * hidden + j]), out = sigmoid(g[3 * hidden + j]);
  c[idx] = forget * c[idx] + in * cand;
  h[idx] = out * tanhf(c[idx]);
}

// y[step][b] = v . h[b], a block to a member of the batch
__global__ void read_out(const float* v, const float* h, float* y, int hidden) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0.0f;
  __syncthreads();
  float s = 0.0f;
  for (int i = threadIdx.x; i < hidden; i += blockDim.x)
    s += v[i] * h[blockIdx.x * hidden + i];
  atomicAdd(&sum, s);
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  int hidden = argc > 1 ? atoi(argv[1]) : 64;
  if (hidden < 8)
    hidden = 8;
  unsigned seed = 20;
  auto rnd = [&](float scale) {
    seed = seed * 1103515245u + 12345u;
    return scale * (((seed >> 9) & 0xffff) / 32768.0f - 1.0f);
  };
  std::vector<float> wx(4 * hidden * INPUTS), wh(4 * hidden * hidden), bias(4 * hidden), v(hidden);
  std::vector<float> x(STEPS * BATCH * INPUTS), y(STEPS * BATCH);
  for (auto& e : wx)
    e = rnd(0.2f);
  for (auto& e : wh)
    e = rnd(1.0f / sqrtf(hidden));
  for (auto& e : bias)
    e = rnd(0.5f);
  for (auto& e : v)
    e = rnd(1.0f);
  for (auto& e : x)
    e = rnd(1.0f);

  float *d_wx, *d_wh, *d_bias, *d_v, *d_x, *d_h, *d_c, *d_gates, *d_y;
  OK(cudaMalloc(&d_wx, wx.size() * sizeof(float)));
  OK(cudaMalloc(&d_wh, wh.size() * sizeof(float)));
  OK(cudaMalloc(&d_bias, bias.size() * sizeof(float)));
  OK(cudaMalloc(&d_v, v.size() * sizeof(float)));
  OK(cudaMalloc(&d_x, x.size() * sizeof(float)));
  OK(cudaMalloc(&d_y, y.size() * sizeof(float)));
  OK(cudaMalloc(&d_h, BATCH * hidden * sizeof(float)));
  OK(cudaMalloc(&d_c, BATCH * hidden * sizeof(float)));
  OK(cudaMalloc(&d_gates, 4 * BATCH * hidden * sizeof(float)));
  OK(cudaMemcpy(d_wx, wx.data(), wx.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d_wh, wh.data(), wh.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d_bias, bias.data(), bias.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d_v, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemset(d_h, 0, BATCH * hidden * sizeof(float)));
  OK(cudaMemset(d_c, 0, BATCH * hidden * sizeof(float)));

  for (int t = 0; t < STEPS; t++) {
    const float* xt = d_x + t * BATCH * INPUTS;
    if (t < STEPS / 2)
      gates_plain<<<dim3((4 * hidden + 127) / 128, BATCH), 128>>>(d_gates, d_wx, d_wh, d_bias, xt,
                                                                  d_h, hidden);
    else
      gates_warp<<<(4 * hidden * 32 + 127) / 128, 128>>>(d_gates, d_wx, d_wh, d_bias, xt, d_h,
                                                         hidden);
    cell_update<<<(BATCH * hidden + 127) / 128, 128>>>(d_gates, d_c, d_h, hidden);
    read_out<<<BATCH, 64>>>(d_v, d_h, d_y + t * BATCH, hidden);
  }
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(y.data(), d_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost));

  std::vector<float> h(BATCH * hidden, 0.0f), c(BATCH * hidden, 0.0f), g(4 * hidden);
  double worst = 0, sum = 0;
  for (int t = 0; t < STEPS; t++)
    for (int b = 0; b < BATCH; b++) {
      for (int k = 0; k < 4 * hidden; k++) {
        float s = bias[k];
        for (int i = 0; i < INPUTS; i++)
          s += wx[k * INPUTS + i] * x[(t * BATCH + b) * INPUTS + i];
        for (int i = 0; i < hidden; i++)
          s += wh[k * hidden + i] * h[b * hidden + i];
        g[k] = s;
      }
      double out = 0;
      for (int j = 0; j < hidden; j++) {
        auto sg = [](float q) { return 1.0f / (1.0f + expf(-q)); };
        float& cc = c[b * hidden + j];
        cc = sg(g[hidden + j]) * cc + sg(g[j]) * tanhf(g[2 * hidden + j]);
        h[b * hidden + j] = sg(g[3 * hidden + j]) * tanhf(cc);
        out += v[j] * h[b * hidden + j];
      }
      worst = fmax(worst, fabs(out - y[t * BATCH + b]));
      sum += out;
    }
  printf("hidden %d: sum %.5f, worst difference %g\n", hidden, sum, worst);
  if (!(worst < 2e-3)) {
    printf("FAIL read-out differs\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
