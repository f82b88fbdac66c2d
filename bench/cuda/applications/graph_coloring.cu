// SPDX-License-Identifier: Apache-2.0
// Colours a graph in rounds: independent sets by random priority, smallest free colour each.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

class CudaError {};

inline void require(cudaError_t e) {
  if (e != cudaSuccess) {
    std::cout << "FAIL " << cudaGetErrorString(e) << std::endl;
    throw CudaError();
  }
}

template <class T> class Buffer {
public:
  explicit Buffer(size_t n) : size_(n) { require(cudaMalloc(&data_, n * sizeof(T))); }
  Buffer(const std::vector<T>& v) : Buffer(v.size()) {
    require(cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  T* get() { return data_; }
  void fill(int byte) { require(cudaMemset(data_, byte, size_ * sizeof(T))); }
  std::vector<T> download() const {
    std::vector<T> v(size_);
    require(cudaMemcpy(v.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

private:
  T* data_ = nullptr;
  size_t size_;
};

__host__ __device__ inline uint32_t priorityOf(uint32_t v) {
  v = (v ^ 61u) ^ (v >> 16);
  v *= 9u;
  v ^= v >> 4;
  v *= 0x27d4eb2du;
  return v ^ (v >> 15);
}

__host__ __device__ inline bool before(uint32_t pa, int a, uint32_t pb, int b) {
  return pa > pb || (pa == pb && a > b);
}

__global__ void makePriorities(uint32_t* priority, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n)
    priority[v] = priorityOf((uint32_t)v);
}

// a vertex is chosen when all its neighbours of higher priority have colours
__global__ void pickIndependent(const int* row, const int* adj, const uint32_t* priority,
                                const int* colour, int n, unsigned char* chosen, int* open) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  bool waits = false;
  if (v < n) {
    bool pick = colour[v] < 0;
    if (pick)
      for (int k = row[v]; k < row[v + 1]; ++k) {
        int u = adj[k];
        if (colour[u] < 0 && before(priority[u], u, priority[v], v)) {
          pick = false;
          waits = true;
          break;
        }
      }
    chosen[v] = pick;
  }
  int left = __syncthreads_count(waits);
  if (threadIdx.x == 0 && left)
    atomicAdd(open, left);
}

__global__ void assign(const int* row, const int* adj, const unsigned char* chosen, int* colour,
                       int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !chosen[v])
    return;
  // chosen vertices are never neighbours: nobody writes what is read here
  unsigned long long used = 0;
  for (int k = row[v]; k < row[v + 1]; ++k) {
    int c = colour[adj[k]];
    if (c >= 0)
      used |= 1ull << c;
  }
  colour[v] = __ffsll(~used) - 1;
}

__global__ void verify(const int* row, const int* adj, const int* colour, int n, int* conflicts,
                       int* histogram) {
  __shared__ int bins[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    bins[i] = 0;
  __syncthreads();
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    int c = colour[v];
    if (c < 0) {
      atomicAdd(conflicts, 1);
      continue;
    }
    atomicAdd(&bins[c], 1);
    for (int k = row[v]; k < row[v + 1]; ++k)
      if (colour[adj[k]] == c)
        atomicAdd(conflicts, 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    if (bins[i])
      atomicAdd(&histogram[i], bins[i]);
}

static int run(int n) {
  std::vector<std::pair<int, int>> edges;
  uint32_t s = 99u;
  auto next = [&s] { return (s = s * 22695477u + 1u) >> 6; };
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < 5; ++k) {
      int u = k < 2 ? (v + 1 + (int)(next() % 100)) % n : (int)(next() % (uint32_t)n);
      if (u != v) {
        edges.emplace_back(u, v);
        edges.emplace_back(v, u);
      }
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<int> row(n + 1, 0), adj;
  for (auto& e : edges) {
    ++row[e.first + 1];
    adj.push_back(e.second);
  }
  std::partial_sum(row.begin(), row.end(), row.begin());

  Buffer<int> dRow(row), dAdj(adj), dColour(n), dOpen(1), dConflicts(1), dHistogram(64);
  Buffer<uint32_t> dPriority(n);
  Buffer<unsigned char> dChosen(n);
  dColour.fill(0xff);
  const int block = 128, grid = (n + block - 1) / block;
  makePriorities<<<grid, block>>>(dPriority.get(), n);
  int rounds = 0, open = 1;
  while (open && rounds < 100) {
    dOpen.fill(0);
    pickIndependent<<<grid, block>>>(dRow.get(), dAdj.get(), dPriority.get(), dColour.get(), n,
                                     dChosen.get(), dOpen.get());
    assign<<<grid, block>>>(dRow.get(), dAdj.get(), dChosen.get(), dColour.get(), n);
    open = dOpen.download()[0];
    ++rounds;
  }
  dConflicts.fill(0);
  dHistogram.fill(0);
  verify<<<96, 256>>>(dRow.get(), dAdj.get(), dColour.get(), n, dConflicts.get(), dHistogram.get());
  require(cudaDeviceSynchronize());
  auto colour = dColour.download();
  auto histogram = dHistogram.download();
  int colours = 64 - (int)std::count(histogram.begin(), histogram.end(), 0);
  std::cout << rounds << " rounds, " << colours << " colours\n";

  // the same colours come out of a greedy colouring in the order of priorities
  std::vector<int> order(n), want(n, -1);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [](int a, int b) { return before(priorityOf(a), a, priorityOf(b), b); });
  for (int v : order) {
    unsigned long long used = 0;
    for (int k = row[v]; k < row[v + 1]; ++k)
      if (want[adj[k]] >= 0)
        used |= 1ull << want[adj[k]];
    int c = 0;
    while (used >> c & 1)
      ++c;
    want[v] = c;
  }
  if (dConflicts.download()[0] != 0 || colour != want) {
    std::cout << "FAIL wrong colours" << std::endl;
    return 1;
  }
  std::cout << "PASS" << std::endl;
  return 0;
}

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::stoi(argv[1]) : 10000);
  } catch (const CudaError&) {
    return 1;
  }
}
