// SPDX-License-Identifier: Apache-2.0
// PageRank in push form: every page adds its share to its targets with float atomics.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define DAMPING 0.85f
#define ITERATIONS 9

struct DeviceGraph {
  int pages;
  int links;
  int* outStart;
  int* outTarget;
};

template <typename T> static T* upload(const std::vector<T>& v) {
  T* p = nullptr;
  if (cudaMalloc(&p, v.size() * sizeof(T)) != cudaSuccess ||
      cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) {
    printf("FAIL no device memory\n");
    exit(1);
  }
  return p;
}

__global__ void prepare(DeviceGraph g, const float* rank, float* share, float* next,
                        float* dangling) {
  __shared__ float lost;
  if (threadIdx.x == 0)
    lost = 0.0f;
  __syncthreads();
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < g.pages) {
    int degree = g.outStart[p + 1] - g.outStart[p];
    next[p] = 0.0f;
    share[p] = degree ? rank[p] / degree : 0.0f;
    if (degree == 0)
      atomicAdd(&lost, rank[p]);
  }
  __syncthreads();
  if (threadIdx.x == 0 && lost != 0.0f)
    atomicAdd(dangling, lost);
}

// thread per page: long rows hold up their warps
__global__ void pushPage(DeviceGraph g, const float* share, float* next) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= g.pages)
    return;
  float s = share[p];
  for (int e = g.outStart[p]; e < g.outStart[p + 1]; ++e)
    atomicAdd(next + g.outTarget[e], s);
}

// thread per link: the page is found by bisection in the row starts
__global__ void pushLink(DeviceGraph g, const float* share, float* next) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= g.links)
    return;
  int lo = 0, hi = g.pages;
  while (hi - lo > 1) {
    int mid = (lo + hi) >> 1;
    if (g.outStart[mid] <= e)
      lo = mid;
    else
      hi = mid;
  }
  atomicAdd(next + g.outTarget[e], share[lo]);
}

__global__ void finish(int pages, const float* dangling, float* rank, const float* next,
                       float* change) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  float d = 0.0f;
  if (p < pages) {
    float r = (1.0f - DAMPING) / pages + DAMPING * (next[p] + *dangling / pages);
    d = fabsf(r - rank[p]);
    rank[p] = r;
  }
  for (int o = 16; o; o >>= 1)
    d += __shfl_down_sync(0xffffffffu, d, o);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(change, d);
}

int main(int argc, char** argv) {
  int pages = argc > 1 ? atoi(argv[1]) : 10000;
  std::vector<int> start(pages + 1), target;
  unsigned long long z = 42;
  auto rnd = [&z]() -> unsigned {
    z += 0x9E3779B97F4A7C15ull;
    unsigned long long t = z;
    t = (t ^ (t >> 30)) * 0xBF58476D1CE4E5B9ull;
    t = (t ^ (t >> 27)) * 0x94D049BB133111EBull;
    return (unsigned)((t ^ (t >> 31)) >> 32);
  };
  for (int p = 0; p < pages; ++p) {
    start[p] = (int)target.size();
    unsigned kind = rnd() % 100;
    int degree = kind < 5 ? 0 : kind < 97 ? 2 + rnd() % 12 : 40 + rnd() % 60;
    for (int k = 0; k < degree; ++k) {
      // popular pages have small numbers
      double u = rnd() / 4294967296.0;
      target.push_back((int)(u * u * pages) % pages);
    }
  }
  start[pages] = (int)target.size();
  DeviceGraph g{pages, (int)target.size(), upload(start), upload(target)};
  std::vector<float> rank(pages, 1.0f / pages), zero(pages, 0.0f);
  float* dRank = upload(rank);
  float* dShare = upload(zero);
  float* dNext = upload(zero);
  float* dScalars = upload(std::vector<float>(2 * ITERATIONS, 0.0f));

  int grid = (pages + 255) / 256;
  for (int it = 0; it < ITERATIONS; ++it) {
    prepare<<<grid, 256>>>(g, dRank, dShare, dNext, dScalars + 2 * it);
    if (it % 3 != 2)
      pushPage<<<grid, 256>>>(g, dShare, dNext);
    else
      pushLink<<<(g.links + 255) / 256, 256>>>(g, dShare, dNext);
    finish<<<grid, 256>>>(pages, dScalars + 2 * it, dRank, dNext, dScalars + 2 * it + 1);
  }
  std::vector<float> scalars(2 * ITERATIONS);
  if (cudaMemcpy(rank.data(), dRank, pages * sizeof(float), cudaMemcpyDeviceToHost) ||
      cudaMemcpy(scalars.data(), dScalars, scalars.size() * sizeof(float),
                 cudaMemcpyDeviceToHost)) {
    printf("FAIL cannot read the ranks: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }

  std::vector<double> want(pages, 1.0 / pages), next(pages);
  double change = 0;
  for (int it = 0; it < ITERATIONS; ++it) {
    std::fill(next.begin(), next.end(), 0.0);
    double lost = 0;
    for (int p = 0; p < pages; ++p) {
      int degree = start[p + 1] - start[p];
      if (!degree)
        lost += want[p];
      for (int e = start[p]; e < start[p + 1]; ++e)
        next[target[e]] += want[p] / degree;
    }
    change = 0;
    for (int p = 0; p < pages; ++p) {
      double r = 0.15 / pages + 0.85 * (next[p] + lost / pages);
      change += std::fabs(r - want[p]);
      want[p] = r;
    }
  }
  double error = 0, total = 0;
  for (int p = 0; p < pages; ++p) {
    error += std::fabs(want[p] - rank[p]);
    total += rank[p];
  }
  printf("%d links, sum of ranks %f, last change %g (%g), error %g\n", g.links, total,
         scalars[2 * ITERATIONS - 1], change, error);
  bool good = error < 1e-3 && std::fabs(scalars[2 * ITERATIONS - 1] - change) < 1e-3;
  printf("%s\n", good ? "PASS" : "FAIL ranks differ");
  return good ? 0 : 1;
}
