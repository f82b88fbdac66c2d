// SPDX-License-Identifier: Apache-2.0
// Computes softmax, cross entropy loss, its gradient and the top-1 accuracy of a batch of class
// scores, and steps the scores.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CLASSES 200
#define BLOCK 128

void checkCuda(cudaError_t result, char const* const func, int const line) {
  if (result) {
    printf("FAIL CUDA error %u at %d '%s'\n", (unsigned)result, line, func);
    exit(99);
  }
}
#define checkCudaErrors(val) checkCuda((val), #val, __LINE__)

/* first version: a thread owns a whole row and goes over it three times */
__global__ void softmax_rows_naive(const float* logits, float* prob, int batch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= batch)
    return;
  const float* x = logits + row * CLASSES;
  float m = -FLT_MAX;
  for (int c = 0; c < CLASSES; c++)
    m = fmaxf(m, x[c]);
  float sum = 0;
  for (int c = 0; c < CLASSES; c++)
    sum += exp(x[c] - m);
  for (int c = 0; c < CLASSES; c++)
    prob[row * CLASSES + c] = exp(x[c] - m) / sum;
}

template <bool MAX> __device__ float block_reduce(float v, float* scratch) {
  for (int o = 16; o > 0; o /= 2) {
    float other = __shfl_xor_sync(0xffffffff, v, o);
    v = MAX ? fmaxf(v, other) : v + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = v;
  __syncthreads();
  v = scratch[0];
  for (int i = 1; i < BLOCK / 32; i++)
    v = MAX ? fmaxf(v, scratch[i]) : v + scratch[i];
  return v;
}

/* second version: a block for each row */
__global__ void softmax_rows_block(const float* __restrict__ logits, float* __restrict__ prob) {
  __shared__ float scratch[BLOCK / 32];
  const float* x = logits + (size_t)blockIdx.x * CLASSES;
  float m = -FLT_MAX;
  for (int c = threadIdx.x; c < CLASSES; c += BLOCK)
    m = fmaxf(m, x[c]);
  m = block_reduce<true>(m, scratch);
  float sum = 0;
  for (int c = threadIdx.x; c < CLASSES; c += BLOCK)
    sum += __expf(x[c] - m);
  sum = block_reduce<false>(sum, scratch);
  float inv = 1.0f / sum;
  for (int c = threadIdx.x; c < CLASSES; c += BLOCK)
    prob[(size_t)blockIdx.x * CLASSES + c] = __expf(x[c] - m) * inv;
}

__global__ void loss_and_hits(const float* prob, const int* target, int batch, double* loss,
                              int* hits) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= batch)
    return;
  const float* p = prob + row * CLASSES;
  float mine = p[target[row]];
  int better = 0;
  for (int c = 0; c < CLASSES; c++)
    better += p[c] > mine;
  atomicAdd(loss, -log((double)mine));
  if (better == 0)
    atomicAdd(hits, 1);
}

__global__ void gradient_step(float* logits, const float* prob, const int* target, int batch,
                              float rate) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (c < CLASSES) {
    float g = prob[row * CLASSES + c] - (c == target[row] ? 1.0f : 0.0f);
    logits[row * CLASSES + c] -= rate * g;
  }
}

int main(int argc, char** argv) {
  int batch = argc > 1 ? atoi(argv[1]) : 64;
  if (batch < 1)
    batch = 1;
  const int steps = 4;
  const float rate = 1.5f;
  std::vector<float> logits(batch * CLASSES);
  std::vector<int> target(batch);
  unsigned r = 4711;
  for (auto& v : logits) {
    r = r * 1664525u + 1013904223u;
    v = ((r >> 8) / 16777216.0f - 0.5f) * 4.0f;
  }
  for (int b = 0; b < batch; b++)
    target[b] = (b * 7919 + 13) % CLASSES;

  float *d_logits, *d_prob;
  int *d_target, *d_hits;
  double* d_loss;
  checkCudaErrors(cudaMalloc(&d_logits, logits.size() * 4));
  checkCudaErrors(cudaMalloc(&d_prob, logits.size() * 4));
  checkCudaErrors(cudaMalloc(&d_target, batch * 4));
  checkCudaErrors(cudaMalloc(&d_hits, steps * sizeof(int)));
  checkCudaErrors(cudaMalloc(&d_loss, steps * sizeof(double)));
  checkCudaErrors(cudaMemcpy(d_logits, logits.data(), logits.size() * 4, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_target, target.data(), batch * 4, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemset(d_hits, 0, steps * sizeof(int)));
  checkCudaErrors(cudaMemset(d_loss, 0, steps * sizeof(double)));
  for (int s = 0; s < steps; s++) {
    if (s % 2 == 0)
      softmax_rows_naive<<<(batch + 63) / 64, 64>>>(d_logits, d_prob, batch);
    else
      softmax_rows_block<<<batch, BLOCK>>>(d_logits, d_prob);
    loss_and_hits<<<(batch + 127) / 128, 128>>>(d_prob, d_target, batch, d_loss + s, d_hits + s);
    gradient_step<<<dim3((CLASSES + 127) / 128, batch), 128>>>(d_logits, d_prob, d_target, batch,
                                                               rate);
  }
  checkCudaErrors(cudaDeviceSynchronize());
  std::vector<float> got(logits.size());
  double loss[steps];
  int hits[steps];
  checkCudaErrors(cudaMemcpy(got.data(), d_logits, got.size() * 4, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(loss, d_loss, sizeof(loss), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost));

  bool ok = true;
  std::vector<float> p(CLASSES);
  for (int s = 0; s < steps; s++) {
    double want = 0;
    int wantHits = 0;
    for (int b = 0; b < batch; b++) {
      float* x = &logits[b * CLASSES];
      float m = x[0], sum = 0;
      for (int c = 1; c < CLASSES; c++)
        m = fmaxf(m, x[c]);
      for (int c = 0; c < CLASSES; c++)
        sum += p[c] = expf(x[c] - m);
      int better = 0;
      for (int c = 0; c < CLASSES; c++) {
        p[c] /= sum;
      }
      for (int c = 0; c < CLASSES; c++)
        better += p[c] > p[target[b]];
      wantHits += better == 0;
      want -= log((double)p[target[b]]);
      for (int c = 0; c < CLASSES; c++)
        x[c] -= rate * (p[c] - (c == target[b]));
    }
    printf("step %d: loss %.6f, %d right\n", s, loss[s] / batch, hits[s]);
    ok = ok && fabs(want - loss[s]) < 1e-3 * want && abs(wantHits - hits[s]) <= 1 + batch / 200;
  }
  double worst = 0;
  for (size_t i = 0; i < got.size(); i++)
    worst = fmax(worst, fabs(got[i] - logits[i]));
  ok = ok && worst < 1e-3;
  if (!ok) {
    printf("FAIL scores differ by %g\n", worst);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
