// SPDX-License-Identifier: Apache-2.0
// Clusters points by a linking length: persistent threads take work from a counter and join sets.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CUDA_CALL(f)                                                                               \
  if (cudaError_t e = (f); e != cudaSuccess) {                                                     \
    printf("FAIL %s: %s\n", #f, cudaGetErrorString(e));                                            \
    return 1;                                                                                      \
  }

struct Box {
  int cells; // for each side
  int cellSize;
  int link2; // squared linking length
};

struct ClusterInfo {
  int members;
  long long sumX, sumY;
  int minX, maxX;
};

__global__ void prepare(int n, int* parent, int* head, int cells2, ClusterInfo* info) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    parent[i] = i;
    info[i] = ClusterInfo{0, 0, 0, 0x7fffffff, -1};
  }
  if (i < cells2)
    head[i] = -1;
}

// points of a cell form a list
__global__ void binPoints(Box box, int n, const int2* pos, int* head, int* next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int c = pos[i].y / box.cellSize * box.cells + pos[i].x / box.cellSize;
    next[i] = atomicExch(&head[c], i);
  }
}

__device__ int findRoot(volatile int* parent, int x) {
  int p = parent[x];
  while (p != x) {
    int up = parent[p];
    if (up != p)
      parent[x] = up; // halves the path
    x = up;
    p = parent[x];
  }
  return x;
}

__device__ void unite(int* parent, int a, int b) {
  while (true) {
    a = findRoot(parent, a);
    b = findRoot(parent, b);
    if (a == b)
      return;
    if (a < b) {
      int t = a;
      a = b;
      b = t;
    }
    int old = atomicCAS(&parent[a], a, b); // the larger root below the smaller
    if (old == a)
      return;
    a = old;
  }
}

__global__ void linkPersistent(Box box, int n, const int2* __restrict__ pos,
                               const int* __restrict__ head, const int* __restrict__ next,
                               int* parent, int* work) {
  int lane = threadIdx.x & 31;
  while (true) {
    int base = 0;
    if (lane == 0)
      base = atomicAdd(work, 64);
    base = __shfl_sync(0xffffffffu, base, 0);
    if (base >= n)
      return;
    for (int i = base + lane; i < min(base + 64, n); i += 32) {
      int2 me = pos[i];
      int cx = me.x / box.cellSize, cy = me.y / box.cellSize;
      for (int y = max(cy - 1, 0); y <= min(cy + 1, box.cells - 1); ++y)
        for (int x = max(cx - 1, 0); x <= min(cx + 1, box.cells - 1); ++x)
          for (int j = head[y * box.cells + x]; j >= 0; j = next[j]) {
            int dx = pos[j].x - me.x, dy = pos[j].y - me.y;
            if (j < i && dx * dx + dy * dy <= box.link2)
              unite(parent, i, j);
          }
    }
    __syncwarp();
  }
}

__global__ void flatten(int n, int* parent, int* label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int r = i;
    while (parent[r] != r)
      r = parent[r];
    label[i] = r;
  }
}

__global__ void describe(int n, const int2* pos, const int* label, ClusterInfo* info) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  ClusterInfo* c = info + label[i];
  atomicAdd(&c->members, 1);
  atomicAdd((unsigned long long*)&c->sumX, (unsigned long long)pos[i].x);
  atomicAdd((unsigned long long*)&c->sumY, (unsigned long long)pos[i].y);
  atomicMin(&c->minX, pos[i].x);
  atomicMax(&c->maxX, pos[i].x);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  // about two points in a cell on average, in clumps and a background
  Box box;
  box.cellSize = 100;
  box.cells = 1;
  while (2 * box.cells * box.cells < n)
    ++box.cells;
  int side = box.cells * box.cellSize;
  unsigned long long state = 0x1234567ull;
  auto rnd = [&state](int limit) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (unsigned)limit);
  };
  std::vector<int2> pos(n);
  int2 centre = make_int2(side / 2, side / 2);
  for (int i = 0; i < n; ++i) {
    if (rnd(100) == 0)
      centre = make_int2(rnd(side), rnd(side));
    if (rnd(2) == 0) {
      pos[i] = make_int2(rnd(side), rnd(side));
    } else {
      int x = centre.x + rnd(400) + rnd(400) - 400, y = centre.y + rnd(400) + rnd(400) - 400;
      pos[i] = make_int2(std::min(std::max(x, 0), side - 1), std::min(std::max(y, 0), side - 1));
    }
  }
  const int links[3] = {30, 45, 60};

  int2* dPos;
  int *parent, *head, *next, *label, *work;
  ClusterInfo* info;
  int cells2 = box.cells * box.cells;
  CUDA_CALL(cudaMalloc(&dPos, n * sizeof(int2)));
  CUDA_CALL(cudaMalloc(&parent, n * sizeof(int)));
  CUDA_CALL(cudaMalloc(&head, cells2 * sizeof(int)));
  CUDA_CALL(cudaMalloc(&next, n * sizeof(int)));
  CUDA_CALL(cudaMalloc(&label, n * sizeof(int)));
  CUDA_CALL(cudaMalloc(&work, sizeof(int)));
  CUDA_CALL(cudaMalloc(&info, n * sizeof(ClusterInfo)));
  CUDA_CALL(cudaMemcpy(dPos, pos.data(), n * sizeof(int2), cudaMemcpyHostToDevice));

  // the host's lists of cells, used for all linking lengths
  std::vector<std::vector<int>> lists(cells2);
  for (int i = 0; i < n; ++i)
    lists[pos[i].y / box.cellSize * box.cells + pos[i].x / box.cellSize].push_back(i);

  for (int link : links) {
    box.link2 = link * link;
    int grid = (std::max(n, cells2) + 255) / 256;
    prepare<<<grid, 256>>>(n, parent, head, cells2, info);
    binPoints<<<(n + 255) / 256, 256>>>(box, n, dPos, head, next);
    CUDA_CALL(cudaMemset(work, 0, sizeof(int)));
    linkPersistent<<<264, 128>>>(box, n, dPos, head, next, parent, work);
    flatten<<<(n + 255) / 256, 256>>>(n, parent, label);
    describe<<<(n + 127) / 128, 128>>>(n, dPos, label, info);
    std::vector<int> got(n);
    std::vector<ClusterInfo> gotInfo(n);
    CUDA_CALL(cudaMemcpy(got.data(), label, n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaMemcpy(gotInfo.data(), info, n * sizeof(ClusterInfo), cudaMemcpyDeviceToHost));

    std::vector<int> p(n);
    std::iota(p.begin(), p.end(), 0);
    auto root = [&p](int x) {
      while (p[x] != x) {
        p[x] = p[p[x]];
        x = p[x];
      }
      return x;
    };
    for (int i = 0; i < n; ++i) {
      int cx = pos[i].x / box.cellSize, cy = pos[i].y / box.cellSize;
      for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, box.cells - 1); ++y)
        for (int x = std::max(cx - 1, 0); x <= std::min(cx + 1, box.cells - 1); ++x)
          for (int j : lists[y * box.cells + x]) {
            if (j >= i)
              break;
            int dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y;
            if (dx * dx + dy * dy <= box.link2) {
              int a = root(i), b = root(j);
              p[std::max(a, b)] = std::min(a, b);
            }
          }
    }
    std::vector<ClusterInfo> want(n, ClusterInfo{0, 0, 0, 0x7fffffff, -1});
    int wrong = 0, clusters = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
      int r = root(i);
      wrong += r != got[i];
      clusters += r == i;
      ClusterInfo& c = want[r];
      largest = std::max(largest, ++c.members);
      c.sumX += pos[i].x;
      c.sumY += pos[i].y;
      c.minX = std::min(c.minX, pos[i].x);
      c.maxX = std::max(c.maxX, pos[i].x);
    }
    for (int i = 0; i < n; ++i)
      wrong += want[i].members != gotInfo[i].members || want[i].sumX != gotInfo[i].sumX ||
               want[i].sumY != gotInfo[i].sumY || want[i].minX != gotInfo[i].minX ||
               want[i].maxX != gotInfo[i].maxX;
    printf("linking length %d: %d clusters, largest %d\n", link, clusters, largest);
    if (wrong) {
      printf("FAIL %d differences\n", wrong);
      return 1;
    }
  }
  printf("PASS\n");
  return 0;
}
