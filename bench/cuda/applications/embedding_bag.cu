// SPDX-License-Identifier: Apache-2.0
// Sums table rows over bags of very uneven length, sends gradients back to the table, and updates
// the touched rows.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define DIM 64

#define CUDA_CHECK(stmt)                                                                           \
  do {                                                                                             \
    cudaError_t result = (stmt);                                                                   \
    if (cudaSuccess != result) {                                                                   \
      std::printf("FAIL %s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(result));            \
      std::exit(3);                                                                                \
    }                                                                                              \
  } while (0)

// one thread for one dimension of one bag: DIM threads side by side share the bag
__global__ void bag_sum(const float* __restrict__ table, const int64_t* __restrict__ indices,
                        const int64_t* __restrict__ offsets, float* __restrict__ out, int bags) {
  int bag = blockIdx.x * blockDim.y + threadIdx.y;
  if (bag >= bags)
    return;
  float acc = 0.0f;
  for (int64_t i = offsets[bag]; i < offsets[bag + 1]; i++)
    acc += table[indices[i] * DIM + threadIdx.x];
  out[bag * DIM + threadIdx.x] = acc;
}

// a whole block for one bag, its members dealt to the warps, two floats to a lane
__global__ void bag_mean_block(const float* table, const int64_t* indices, const int64_t* offsets,
                               float* out) {
  __shared__ float2 part[4][32];
  int bag = blockIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int64_t begin = offsets[bag], end = offsets[bag + 1];
  float2 acc = make_float2(0, 0);
  for (int64_t i = begin + warp; i < end; i += 4) {
    float2 v = reinterpret_cast<const float2*>(table)[indices[i] * (DIM / 2) + lane];
    acc.x += v.x;
    acc.y += v.y;
  }
  part[warp][lane] = acc;
  __syncthreads();
  if (warp == 0) {
    for (int k = 1; k < 4; k++) {
      acc.x += part[k][lane].x;
      acc.y += part[k][lane].y;
    }
    float inv = end > begin ? 1.0f / (end - begin) : 0.0f;
    out[bag * DIM + 2 * lane] = acc.x * inv;
    out[bag * DIM + 2 * lane + 1] = acc.y * inv;
  }
}

// gradient of the table: a thread for each (member, dimension), the bag found by bisection
__global__ void scatter_grad(float* grad, const float* gout, const int64_t* indices,
                             const int64_t* offsets, int bags, int64_t total) {
  int64_t idx = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int64_t i = idx / DIM;
  int d = idx % DIM;
  if (i >= total)
    return;
  int lo = 0, hi = bags; // last bag with offset <= i
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (offsets[mid] <= i)
      lo = mid;
    else
      hi = mid;
  }
  atomicAdd(&grad[indices[i] * DIM + d], gout[lo * DIM + d]);
}

__global__ void mark_touched(const int64_t* indices, int* touched, int64_t total) {
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < total)
    atomicAdd(&touched[indices[i]], 1);
}

__global__ void update_rows(float* table, float* grad, const int* touched, int rows, float rate) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows || !touched[row])
    return;
  float scale = rate / sqrtf((float)touched[row]);
  for (int d = threadIdx.x; d < DIM; d += blockDim.x) {
    table[row * DIM + d] -= scale * grad[row * DIM + d];
    grad[row * DIM + d] = 0.0f;
  }
}

static uint32_t mix(uint32_t x) {
  x = (x ^ 61) ^ (x >> 16);
  x *= 9;
  x ^= x >> 4;
  x *= 0x27d4eb2d;
  return x ^ (x >> 15);
}

int main(int argc, char** argv) {
  int bags = argc > 1 ? std::atoi(argv[1]) : 256;
  if (bags < 4)
    bags = 4;
  const int rows = 4 * bags + 17, epochs = 3;
  std::vector<int64_t> offsets(bags + 1, 0), indices;
  for (int b = 0; b < bags; b++) {
    uint32_t r = mix(b * 31 + 5);
    int len = r % 7; // most are short, a few are very long
    if (r % 16 == 3)
      len = 40 + (r >> 8) % 60;
    if (b % 97 == 50)
      len = 400;
    for (int k = 0; k < len; k++) {
      uint32_t q = mix(r + 7919 * k);
      indices.push_back(q % 4 ? (q >> 3) % rows : (q >> 3) % 64); // some rows are popular
    }
    offsets[b + 1] = (int64_t)indices.size();
  }
  const int64_t total = (int64_t)indices.size();
  std::vector<float> table(rows * DIM), sum(bags * DIM), mean(bags * DIM), got(rows * DIM);
  for (size_t i = 0; i < table.size(); i++)
    table[i] = (mix((uint32_t)i + 1000003) & 0xffff) / 65536.0f - 0.5f;

  float *d_table, *d_grad, *d_sum, *d_mean;
  int64_t *d_idx, *d_off;
  int* d_touched;
  CUDA_CHECK(cudaMalloc(&d_table, table.size() * 4));
  CUDA_CHECK(cudaMalloc(&d_grad, table.size() * 4));
  CUDA_CHECK(cudaMalloc(&d_sum, sum.size() * 4));
  CUDA_CHECK(cudaMalloc(&d_mean, mean.size() * 4));
  CUDA_CHECK(cudaMalloc(&d_idx, total * 8));
  CUDA_CHECK(cudaMalloc(&d_off, (bags + 1) * 8));
  CUDA_CHECK(cudaMalloc(&d_touched, rows * 4));
  CUDA_CHECK(cudaMemcpy(d_table, table.data(), table.size() * 4, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_idx, indices.data(), total * 8, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_off, offsets.data(), (bags + 1) * 8, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_grad, 0, table.size() * 4));
  CUDA_CHECK(cudaMemset(d_touched, 0, rows * 4));
  mark_touched<<<(int)((total + 127) / 128), 128>>>(d_idx, d_touched, total);
  for (int e = 0; e < epochs; e++) {
    bag_sum<<<(bags + 3) / 4, dim3(DIM, 4)>>>(d_table, d_idx, d_off, d_sum, bags);
    bag_mean_block<<<bags, 128>>>(d_table, d_idx, d_off, d_mean);
    // the loss is half the squared mean, so the gradient of each member is the mean itself
    scatter_grad<<<(int)((total * DIM + 255) / 256), 256>>>(d_grad, d_mean, d_idx, d_off, bags,
                                                            total);
    update_rows<<<(rows + 7) / 8, dim3(32, 8)>>>(d_table, d_grad, d_touched, rows, 0.05f);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(sum.data(), d_sum, sum.size() * 4, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(mean.data(), d_mean, mean.size() * 4, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(got.data(), d_table, got.size() * 4, cudaMemcpyDeviceToHost));

  std::vector<double> ref(table.begin(), table.end()), s(bags * DIM), g(rows * DIM);
  std::vector<int> touched(rows, 0);
  for (int64_t i : indices)
    touched[i]++;
  for (int e = 0; e < epochs; e++) {
    std::fill(s.begin(), s.end(), 0.0);
    std::fill(g.begin(), g.end(), 0.0);
    for (int b = 0; b < bags; b++) {
      int64_t len = offsets[b + 1] - offsets[b];
      for (int64_t i = offsets[b]; i < offsets[b + 1]; i++)
        for (int d = 0; d < DIM; d++)
          s[b * DIM + d] += ref[indices[i] * DIM + d];
      for (int64_t i = offsets[b]; i < offsets[b + 1]; i++)
        for (int d = 0; d < DIM; d++)
          g[indices[i] * DIM + d] += s[b * DIM + d] / len;
    }
    for (int r = 0; r < rows; r++)
      if (touched[r])
        for (int d = 0; d < DIM; d++)
          ref[r * DIM + d] -= 0.05 / std::sqrt((double)touched[r]) * g[r * DIM + d];
  }
  double worst = 0;
  for (int i = 0; i < bags * DIM; i++) {
    int64_t len = offsets[i / DIM + 1] - offsets[i / DIM];
    worst = std::fmax(worst, std::fabs(s[i] - sum[i]) / (1 + std::fabs(s[i])));
    worst = std::fmax(worst, std::fabs((len ? s[i] / len : 0) - mean[i]));
  }
  for (int i = 0; i < rows * DIM; i++)
    worst = std::fmax(worst, std::fabs(ref[i] - got[i]));
  std::printf("%lld members in %d bags, worst %.3g\n", (long long)total, bags, worst);
  if (!(worst < 1e-3)) {
    std::printf("FAIL\n");
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
