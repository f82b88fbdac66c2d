// SPDX-License-Identifier: Apache-2.0
// Solves a sparse lower triangular system level by level, after finding the levels on the device.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kLayers = 14;
constexpr int kBlock = 128;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    std::printf("FAIL %s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
  }
}

struct LowerMatrix {
  int n = 0;
  std::vector<int> ptr, col;
  std::vector<double> val, diag;
};

uint32_t hash32(uint32_t a) {
  a ^= a >> 16;
  a *= 0x7feb352du;
  a ^= a >> 15;
  a *= 0x846ca68bu;
  a ^= a >> 16;
  return a;
}

// Rows come in layers; a row refers to rows of layers before its own only, so depth is bounded.
LowerMatrix makeMatrix(int n) {
  LowerMatrix m;
  m.n = n;
  m.ptr.push_back(0);
  int perLayer = (n + kLayers - 1) / kLayers;
  for (int i = 0; i < n; ++i) {
    int layer = i / perLayer;
    int before = layer * perLayer;
    int count = layer == 0 ? 0 : 6 + hash32(i * 7u + 1u) % 20;
    for (int k = 0; k < count; ++k) {
      uint32_t h = hash32(i * 131u + k);
      int j = (k & 1) ? (int)(h % before) : (layer - 1) * perLayer + (int)(h % perLayer);
      m.col.push_back(j);
      m.val.push_back(((h >> 8) % 200 - 100.0) * 0.0004);
    }
    m.diag.push_back(1.0 + (hash32(i) % 64) / 64.0);
    m.ptr.push_back((int)m.col.size());
  }
  return m;
}

} // namespace

// One round of the search for levels: a row whose level is not known yet takes it when all its
// rows have theirs from rounds before this one.
__global__ void findLevels(int n, const int* ptr, const int* col, int* level, int round,
                           int* remaining) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || level[i] < round)
    return;
  bool ready = true;
  for (int k = ptr[i]; k < ptr[i + 1] && ready; ++k)
    ready = *(volatile int*)&level[col[k]] < round;
  if (ready)
    level[i] = round; // not smaller than round: rows that look at it meanwhile still wait
  else
    atomicAdd(remaining, 1);
}

__global__ void collect(int n, const int* level, int* counters, int* order, const int* start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int l = level[i];
    order[start[l] + atomicAdd(&counters[l], 1)] = i;
  }
}

__global__ void solveLevelThread(const int* rows, int count, const int* ptr, const int* col,
                                 const double* val, const double* diag, const double* b,
                                 double* x) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  int i = rows[t];
  double s = b[i];
  for (int k = ptr[i]; k < ptr[i + 1]; ++k)
    s -= val[k] * x[col[k]];
  x[i] = s / diag[i];
}

__global__ void solveLevelWarp(const int* rows, int count, const int* ptr, const int* col,
                               const double* val, const double* diag, const double* b, double* x) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (w >= count)
    return;
  int i = rows[w];
  double s = 0;
  for (int k = ptr[i] + lane; k < ptr[i + 1]; k += 32)
    s += val[k] * x[col[k]];
  for (int d = 16; d; d >>= 1)
    s += __shfl_xor_sync(0xffffffff, s, d);
  if (lane == 0)
    x[i] = (b[i] - s) / diag[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 20000;
  LowerMatrix m = makeMatrix(n);
  size_t nnz = m.col.size();
  std::vector<double> b(n);
  for (int i = 0; i < n; ++i)
    b[i] = 1.0 + (i % 97) * 0.01;

  int *ptr, *col, *level, *remaining, *counters, *order, *start;
  double *val, *diag, *db, *x;
  check(cudaMalloc(&ptr, sizeof(int) * (n + 1)), "malloc");
  check(cudaMalloc(&col, sizeof(int) * nnz), "malloc");
  check(cudaMalloc(&val, sizeof(double) * nnz), "malloc");
  check(cudaMalloc(&diag, sizeof(double) * n), "malloc");
  check(cudaMalloc(&db, sizeof(double) * n), "malloc");
  check(cudaMalloc(&x, sizeof(double) * n), "malloc");
  check(cudaMalloc(&level, sizeof(int) * n), "malloc");
  check(cudaMalloc(&order, sizeof(int) * n), "malloc");
  check(cudaMalloc(&remaining, sizeof(int)), "malloc");
  check(cudaMalloc(&counters, sizeof(int) * (kLayers + 1)), "malloc");
  check(cudaMalloc(&start, sizeof(int) * (kLayers + 1)), "malloc");
  cudaMemcpy(ptr, m.ptr.data(), sizeof(int) * (n + 1), cudaMemcpyHostToDevice);
  cudaMemcpy(col, m.col.data(), sizeof(int) * nnz, cudaMemcpyHostToDevice);
  cudaMemcpy(val, m.val.data(), sizeof(double) * nnz, cudaMemcpyHostToDevice);
  cudaMemcpy(diag, m.diag.data(), sizeof(double) * n, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), sizeof(double) * n, cudaMemcpyHostToDevice);
  check(cudaMemset(level, 0x7f, sizeof(int) * n), "memset");
  check(cudaMemset(x, 0, sizeof(double) * n), "memset");
  check(cudaMemset(counters, 0, sizeof(int) * (kLayers + 1)), "memset");

  int grid = (n + kBlock - 1) / kBlock;
  int levels = 0;
  for (int left = 1; left > 0 && levels <= kLayers; ++levels) {
    cudaMemset(remaining, 0, sizeof(int));
    findLevels<<<grid, kBlock>>>(n, ptr, col, level, levels, remaining);
    cudaMemcpy(&left, remaining, sizeof(int), cudaMemcpyDeviceToHost);
  }
  check(cudaGetLastError(), "findLevels");
  std::vector<int> hostLevel(n);
  cudaMemcpy(hostLevel.data(), level, sizeof(int) * n, cudaMemcpyDeviceToHost);
  std::vector<int> hostStart(levels + 1, 0);
  for (int l : hostLevel) {
    if (l < 0 || l >= levels) {
      std::printf("FAIL a level is missing\n");
      return 1;
    }
    ++hostStart[l + 1];
  }
  for (int l = 0; l < levels; ++l)
    hostStart[l + 1] += hostStart[l];
  cudaMemcpy(start, hostStart.data(), sizeof(int) * levels, cudaMemcpyHostToDevice);
  collect<<<grid, kBlock>>>(n, level, counters, order, start);

  for (int l = 0; l < levels; ++l) {
    int count = hostStart[l + 1] - hostStart[l];
    if (l % 2 == 0)
      solveLevelThread<<<(count + kBlock - 1) / kBlock, kBlock>>>(order + hostStart[l], count, ptr,
                                                                  col, val, diag, db, x);
    else
      solveLevelWarp<<<(count * 32 + kBlock - 1) / kBlock, kBlock>>>(order + hostStart[l], count,
                                                                     ptr, col, val, diag, db, x);
  }
  std::vector<double> got(n);
  check(cudaMemcpy(got.data(), x, sizeof(double) * n, cudaMemcpyDeviceToHost), "solve");

  std::vector<double> want(n);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double s = b[i];
    for (int k = m.ptr[i]; k < m.ptr[i + 1]; ++k)
      s -= m.val[k] * want[m.col[k]];
    want[i] = s / m.diag[i];
    worst = std::fmax(worst, std::fabs(want[i] - got[i]));
  }
  std::printf("%d levels, largest error %.3e\n", levels, worst);
  bool ok = worst < 1e-9;
  std::printf(ok ? "PASS\n" : "FAIL error too large\n");
  return ok ? 0 : 1;
}
