// SPDX-License-Identifier: Apache-2.0
// Feature gathering from mapped pinned host memory: rows picked by an index list are read over the
// bus, reduced and written back.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#define TRY(call) throw_on((call), #call, __LINE__)
static void throw_on(cudaError_t e, const char* call, int line) {
  if (e == cudaSuccess)
    return;
  std::ostringstream s;
  s << call << " line " << line << ": " << cudaGetErrorString(e);
  throw std::runtime_error(s.str());
}

constexpr int kFeatures = 32;

// a pinned host array that the device may read at another address
template <typename T> class Mapped {
  T* host_ = nullptr;
  T* device_ = nullptr;
  size_t n_;

public:
  explicit Mapped(size_t n, unsigned flags = cudaHostAllocMapped) : n_(n) {
    TRY(cudaHostAlloc((void**)&host_, n * sizeof(T), flags));
    TRY(cudaHostGetDevicePointer((void**)&device_, host_, 0));
  }
  ~Mapped() { cudaFreeHost(host_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  T& operator[](size_t i) { return host_[i]; }
  T* dev() { return device_; }
  size_t size() const { return n_; }
};

// a warp per row: one full line of the row at a time
__global__ void gather_rows(const float* table, const int* rows, float* out, int count) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (w < count)
    out[(size_t)w * kFeatures + lane] = table[(size_t)rows[w] * kFeatures + lane];
}

// a thread per row: reads its row one float after the other
__global__ void row_norms_naive(const float* table, const int* rows, float* norm, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float* r = table + (size_t)rows[i] * kFeatures;
  float s = 0;
  for (int f = 0; f < kFeatures; ++f)
    s += r[f] * r[f];
  norm[i] = sqrtf(s);
}

// column sums straight from the mapped table, partial sums in shared memory
__global__ void column_sums(const float* table, int rows, float* sums) {
  __shared__ float part[8][kFeatures];
  int f = threadIdx.x, g = threadIdx.y;
  float s = 0;
  for (int r = blockIdx.x * 8 + g; r < rows; r += gridDim.x * 8)
    s += table[(size_t)r * kFeatures + f];
  part[g][f] = s;
  __syncthreads();
  if (g == 0) {
    for (int k = 1; k < 8; ++k)
      s += part[k][f];
    atomicAdd(&sums[f], s);
  }
}

// the gathered copy in device memory: dot product of each row with the mean row; the result goes to
// host memory
__global__ void score(const float* gathered, const float* sums, float inv, float* scores_host,
                      int count) {
  __shared__ float mean[kFeatures];
  if (threadIdx.x < kFeatures)
    mean[threadIdx.x] = sums[threadIdx.x] * inv;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float s = 0;
  for (int f = 0; f < kFeatures; ++f)
    s += gathered[(size_t)i * kFeatures + f] * mean[f];
  scores_host[i] = s;
}

// the best row; packed score and index, so that an integer atomic in host-visible memory is not
// needed
__global__ void argmax(const float* norm, int count, unsigned long long* best) {
  __shared__ unsigned long long b;
  if (threadIdx.x == 0)
    b = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned long long key =
        ((unsigned long long)__float_as_uint(norm[i]) << 32) | (0xffffffffu - i);
    atomicMax(&b, key);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(best, b);
}

static int run(int count) {
  const int tableRows = count * 2;
  TRY(cudaSetDeviceFlags(cudaDeviceMapHost));
  Mapped<float> table((size_t)tableRows * kFeatures,
                      cudaHostAllocMapped | cudaHostAllocWriteCombined);
  Mapped<int> rows(count);
  Mapped<float> scores(count), norms(count);
  std::vector<float> copy(table.size());
  uint64_t s = 12345;
  auto rnd = [&s] {
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    return (uint32_t)((s * 2685821657736338717ULL) >> 32);
  };
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = copy[i] = (rnd() % 2001) * 0.001f - 0.9f;

  float *gathered, *sums;
  unsigned long long* best;
  TRY(cudaMalloc(&gathered, (size_t)count * kFeatures * sizeof(float)));
  TRY(cudaMalloc(&sums, kFeatures * sizeof(float)));
  TRY(cudaMalloc(&best, sizeof *best));

  int bad = 0;
  for (int batch = 0; batch < 3; ++batch) {
    // the host writes a new batch of indices where the device reads it; some rows occur often
    for (int i = 0; i < count; ++i)
      rows[i] = rnd() % 4 == 0 ? (int)(rnd() % 16) : (int)(rnd() % tableRows);
    TRY(cudaMemset(sums, 0, kFeatures * sizeof(float)));
    TRY(cudaMemset(best, 0, sizeof *best));
    gather_rows<<<(count * 32 + 255) / 256, 256>>>(table.dev(), rows.dev(), gathered, count);
    row_norms_naive<<<(count + 127) / 128, 128>>>(table.dev(), rows.dev(), norms.dev(), count);
    column_sums<<<48, dim3(kFeatures, 8)>>>(table.dev(), tableRows, sums);
    score<<<(count + 127) / 128, 128>>>(gathered, sums, 1.0f / tableRows, scores.dev(), count);
    argmax<<<16, 256>>>(norms.dev(), count, best);
    TRY(cudaGetLastError());
    TRY(cudaDeviceSynchronize());

    unsigned long long packed;
    TRY(cudaMemcpy(&packed, best, sizeof packed, cudaMemcpyDeviceToHost));
    std::vector<double> mean(kFeatures, 0.0);
    for (int r = 0; r < tableRows; ++r)
      for (int f = 0; f < kFeatures; ++f)
        mean[f] += copy[(size_t)r * kFeatures + f] / tableRows;
    float top = 0;
    int topRow = 0;
    for (int i = 0; i < count; ++i) {
      double norm = 0, dot = 0;
      for (int f = 0; f < kFeatures; ++f) {
        double v = copy[(size_t)rows[i] * kFeatures + f];
        norm += v * v;
        dot += v * mean[f];
      }
      if (!(std::fabs(std::sqrt(norm) - norms[i]) < 1e-4) || !(std::fabs(dot - scores[i]) < 1e-3))
        ++bad;
      if (norms[i] > top) {
        top = norms[i];
        topRow = i;
      }
    }
    int found = (int)(0xffffffffu - (uint32_t)packed);
    if (found != topRow)
      ++bad;
    std::cout << "batch " << batch << ": longest row " << found << " norm " << top << "\n";
  }
  cudaFree(gathered);
  cudaFree(sums);
  cudaFree(best);
  return bad;
}

int main(int argc, char** argv) {
  int bad = 0;
  try {
    bad = run(argc > 1 ? std::atoi(argv[1]) : 4096);
  } catch (const std::exception& e) {
    std::cout << "FAIL " << e.what() << "\n";
    return 1;
  }
  if (bad)
    std::cout << "FAIL " << bad << " rows\n";
  else
    std::cout << "PASS\n";
  return bad != 0;
}
