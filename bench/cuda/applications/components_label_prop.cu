// SPDX-License-Identifier: Apache-2.0
// Connected components of a graph by minimum label propagation along edges with label shortcuts.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA_OK(stmt)                                                                              \
  do {                                                                                             \
    if ((stmt) != cudaSuccess) {                                                                   \
      printf("FAIL at line %d\n", __LINE__);                                                       \
      return 2;                                                                                    \
    }                                                                                              \
  } while (0)

__global__ void init_labels(int* label, int n) {
  int v = threadIdx.x + blockDim.x * blockIdx.x;
  if (v < n)
    label[v] = v;
}

// edges as pairs (array of structures)
__global__ void propagate(const int2* edge, int m, int* label, int* changed) {
  int e = threadIdx.x + blockDim.x * blockIdx.x;
  if (e >= m)
    return;
  int2 uv = edge[e];
  int a = label[uv.x];
  int b = label[uv.y];
  if (a == b)
    return;
  int hi = a > b ? a : b;
  int lo = a > b ? b : a;
  // the label is a vertex, too: improve the label of the end and of its representative
  if (atomicMin(&label[a > b ? uv.x : uv.y], lo) > lo)
    *changed = 1;
  if (atomicMin(&label[hi], lo) > lo)
    *changed = 1;
}

__global__ void shortcut(int* label, int n) {
  int v = threadIdx.x + blockDim.x * blockIdx.x;
  if (v >= n)
    return;
  int l = label[v];
  int up = label[l];
  while (up != l) {
    l = up;
    up = label[l];
  }
  atomicMin(&label[v], l);
}

__global__ void component_sizes(const int* label, int n, int* size) {
  int v = threadIdx.x + blockDim.x * blockIdx.x;
  if (v < n)
    atomicAdd(&size[label[v]], 1);
}

__global__ void count_roots(const int* label, const int* size, int n, int* roots, int* largest) {
  int v = threadIdx.x + blockDim.x * blockIdx.x;
  bool root = v < n && label[v] == v;
  int c = __syncthreads_count(root);
  if (threadIdx.x == 0)
    atomicAdd(roots, c);
  if (root)
    atomicMax(largest, size[v]);
}

static int find_root(std::vector<int>& p, int x) {
  while (p[x] != x) {
    p[x] = p[p[x]];
    x = p[x];
  }
  return x;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000;
  int side = 1;
  while (side * side < n)
    side++;
  // part of a grid, with vertices renamed, and a few long edges
  std::vector<int> name(n);
  for (int i = 0; i < n; i++)
    name[i] = i;
  unsigned r = 777u;
  for (int i = n - 1; i > 0; i--) {
    r = r * 1664525u + 1013904223u;
    int j = (int)((r >> 3) % (unsigned)(i + 1));
    int t = name[i];
    name[i] = name[j];
    name[j] = t;
  }
  std::vector<int2> edges;
  for (int i = 0; i < n; i++) {
    r = r * 1664525u + 1013904223u;
    if ((r >> 16) % 100 < 55 && (i + 1) % side != 0 && i + 1 < n)
      edges.push_back(make_int2(name[i], name[i + 1]));
    r = r * 1664525u + 1013904223u;
    if ((r >> 16) % 100 < 55 && i + side < n)
      edges.push_back(make_int2(name[i], name[i + side]));
    if (i % 50 == 0) {
      r = r * 1664525u + 1013904223u;
      edges.push_back(make_int2(name[i], (int)((r >> 4) % (unsigned)n)));
    }
  }
  int m = (int)edges.size();

  int2* d_edge;
  int *d_label, *d_size, *d_scalars;
  CUDA_OK(cudaMalloc(&d_edge, m * sizeof(int2)));
  CUDA_OK(cudaMalloc(&d_label, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&d_size, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&d_scalars, 3 * sizeof(int)));
  CUDA_OK(cudaMemcpy(d_edge, edges.data(), m * sizeof(int2), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(d_size, 0, n * sizeof(int)));
  CUDA_OK(cudaMemset(d_scalars, 0, 3 * sizeof(int)));

  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  const int T = 192;
  dim3 vgrid((n + T - 1) / T), egrid((m + T - 1) / T);
  init_labels<<<vgrid, T>>>(d_label, n);
  int rounds = 0, changed = 1;
  while (changed) {
    CUDA_OK(cudaMemset(d_scalars, 0, sizeof(int)));
    propagate<<<egrid, T>>>(d_edge, m, d_label, d_scalars);
    shortcut<<<vgrid, T>>>(d_label, n);
    CUDA_OK(cudaMemcpy(&changed, d_scalars, sizeof(int), cudaMemcpyDeviceToHost));
    rounds++;
  }
  component_sizes<<<vgrid, T>>>(d_label, n, d_size);
  count_roots<<<vgrid, T>>>(d_label, d_size, n, d_scalars + 1, d_scalars + 2);
  cudaEventRecord(end);
  CUDA_OK(cudaEventSynchronize(end));
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  std::vector<int> label(n);
  int counts[2];
  CUDA_OK(cudaMemcpy(label.data(), d_label, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(counts, d_scalars + 1, sizeof counts, cudaMemcpyDeviceToHost));
  printf("%d rounds, %d components, largest %d (%.3f ms)\n", rounds, counts[0], counts[1], ms);

  // on the host: union by smaller name, so the root is the smallest vertex of a component
  std::vector<int> parent(n), sizes(n, 0);
  for (int v = 0; v < n; v++)
    parent[v] = v;
  for (int e = 0; e < m; e++) {
    int a = find_root(parent, edges[e].x), b = find_root(parent, edges[e].y);
    if (a < b)
      parent[b] = a;
    else
      parent[a] = b;
  }
  int roots = 0, largest = 0, wrong = 0;
  for (int v = 0; v < n; v++) {
    int root = find_root(parent, v);
    if (root == v)
      roots++;
    if (++sizes[root] > largest)
      largest = sizes[root];
    wrong += root != label[v];
  }
  if (wrong || roots != counts[0] || largest != counts[1]) {
    printf("FAIL %d wrong labels, %d components expected, largest %d\n", wrong, roots, largest);
    return 1;
  }
  printf("PASS\n");
  cudaFree(d_edge);
  cudaFree(d_label);
  cudaFree(d_size);
  cudaFree(d_scalars);
  return 0;
}
