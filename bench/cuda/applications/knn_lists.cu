// SPDX-License-Identifier: Apache-2.0
// Finds the k nearest reference points of each query with sorted lists held by the threads, and
// lets them vote on a class.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define K 12
#define DIMS 4
#define NCLASS 10
#define TILE_REFS 128

#define HANDLE(err) (handle(err, __FILE__, __LINE__))
static void handle(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("FAIL %s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

typedef struct {
  float x[DIMS];
} Point;

__device__ void insert(float* dist, int* idx, float d, int i) {
  if (d >= dist[K - 1])
    return;
  int j = K - 1;
  while (j > 0 && dist[j - 1] > d) {
    dist[j] = dist[j - 1];
    idx[j] = idx[j - 1];
    j--;
  }
  dist[j] = d;
  idx[j] = i;
}

// a thread for each query, the list in its local memory, references read by everybody from global
__global__ void knn_plain(const Point* refs, int nrefs, const Point* queries, int nq,
                          float* outDist, int* outIdx) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= nq)
    return;
  float dist[K];
  int idx[K];
  for (int j = 0; j < K; j++) {
    dist[j] = FLT_MAX;
    idx[j] = -1;
  }
  Point p = queries[q];
  for (int i = 0; i < nrefs; i++) {
    float d = 0;
    for (int c = 0; c < DIMS; c++)
      d += (refs[i].x[c] - p.x[c]) * (refs[i].x[c] - p.x[c]);
    insert(dist, idx, d, i);
  }
  for (int j = 0; j < K; j++) {
    outDist[q * K + j] = dist[j];
    outIdx[q * K + j] = idx[j];
  }
}

// the references are split over blockIdx.y and staged in shared memory; lists are merged later
__global__ void knn_split(const Point* refs, int nrefs, const Point* queries, int nq, int parts,
                          float* partDist, int* partIdx) {
  __shared__ Point tile[TILE_REFS];
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int share = (nrefs + parts - 1) / parts;
  int begin = blockIdx.y * share, end = min(nrefs, begin + share);
  float dist[K];
  int idx[K];
  for (int j = 0; j < K; j++) {
    dist[j] = FLT_MAX;
    idx[j] = -1;
  }
  Point p = queries[min(q, nq - 1)];
  for (int t0 = begin; t0 < end; t0 += TILE_REFS) {
    int n = min(TILE_REFS, end - t0);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      tile[i] = refs[t0 + i];
    __syncthreads();
    for (int i = 0; i < n; i++) {
      float d = 0;
#pragma unroll
      for (int c = 0; c < DIMS; c++) {
        float e = tile[i].x[c] - p.x[c];
        d += e * e;
      }
      insert(dist, idx, d, t0 + i);
    }
  }
  if (q < nq)
    for (int j = 0; j < K; j++) {
      partDist[(blockIdx.y * K + j) * nq + q] = dist[j];
      partIdx[(blockIdx.y * K + j) * nq + q] = idx[j];
    }
}

__global__ void merge_parts(const float* partDist, const int* partIdx, int parts, int nq,
                            float* outDist, int* outIdx) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= nq)
    return;
  float dist[K];
  int idx[K];
  for (int j = 0; j < K; j++) {
    dist[j] = FLT_MAX;
    idx[j] = -1;
  }
  for (int i = 0; i < parts * K; i++)
    insert(dist, idx, partDist[i * nq + q], partIdx[i * nq + q]);
  for (int j = 0; j < K; j++) {
    outDist[q * K + j] = dist[j];
    outIdx[q * K + j] = idx[j];
  }
}

__global__ void vote(const int* idx, const float* dist, const int* cls, int nq, int* winner,
                     int* tally) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= nq)
    return;
  float weight[NCLASS];
  for (int c = 0; c < NCLASS; c++)
    weight[c] = 0.0f;
  for (int j = 0; j < K; j++)
    weight[cls[idx[q * K + j]]] += 1.0 / (1.0 + sqrt(dist[q * K + j]));
  int best = 0;
  for (int c = 1; c < NCLASS; c++)
    if (weight[c] > weight[best])
      best = c;
  winner[q] = best;
  atomicAdd(&tally[best], 1);
}

int main(int argc, char** argv) {
  int nrefs = argc > 1 ? atoi(argv[1]) : 512;
  if (nrefs < 64)
    nrefs = 64;
  int nq = nrefs / 2 + 5, parts = 8;
  std::vector<Point> refs(nrefs), queries(nq);
  std::vector<int> cls(nrefs);
  unsigned s = 11;
  auto rnd = [&s]() {
    s = s * 1664525u + 1013904223u;
    return (s >> 8) / 16777216.0f;
  };
  for (int i = 0; i < nrefs; i++) {
    for (int c = 0; c < DIMS; c++)
      refs[i].x[c] = rnd();
    cls[i] = ((int)(refs[i].x[0] * 5) + 5 * (refs[i].x[1] > 0.5f)) % NCLASS;
  }
  for (auto& p : queries)
    for (int c = 0; c < DIMS; c++)
      p.x[c] = rnd();

  Point *d_refs, *d_q;
  float *d_dist, *d_dist2, *d_part;
  int *d_idx, *d_idx2, *d_pidx, *d_cls, *d_win, *d_tally;
  HANDLE(cudaMalloc(&d_refs, nrefs * sizeof(Point)));
  HANDLE(cudaMalloc(&d_q, nq * sizeof(Point)));
  HANDLE(cudaMalloc(&d_dist, nq * K * sizeof(float)));
  HANDLE(cudaMalloc(&d_dist2, nq * K * sizeof(float)));
  HANDLE(cudaMalloc(&d_part, parts * nq * K * sizeof(float)));
  HANDLE(cudaMalloc(&d_idx, nq * K * sizeof(int)));
  HANDLE(cudaMalloc(&d_idx2, nq * K * sizeof(int)));
  HANDLE(cudaMalloc(&d_pidx, parts * nq * K * sizeof(int)));
  HANDLE(cudaMalloc(&d_cls, nrefs * sizeof(int)));
  HANDLE(cudaMalloc(&d_win, nq * sizeof(int)));
  HANDLE(cudaMalloc(&d_tally, NCLASS * sizeof(int)));
  HANDLE(cudaMemset(d_tally, 0, NCLASS * sizeof(int)));
  HANDLE(cudaMemcpy(d_refs, refs.data(), nrefs * sizeof(Point), cudaMemcpyHostToDevice));
  HANDLE(cudaMemcpy(d_q, queries.data(), nq * sizeof(Point), cudaMemcpyHostToDevice));
  HANDLE(cudaMemcpy(d_cls, cls.data(), nrefs * sizeof(int), cudaMemcpyHostToDevice));

  int grid = (nq + 63) / 64;
  knn_plain<<<grid, 64>>>(d_refs, nrefs, d_q, nq, d_dist, d_idx);
  knn_split<<<dim3(grid, parts), 64>>>(d_refs, nrefs, d_q, nq, parts, d_part, d_pidx);
  merge_parts<<<grid, 64>>>(d_part, d_pidx, parts, nq, d_dist2, d_idx2);
  vote<<<grid, 64>>>(d_idx2, d_dist2, d_cls, nq, d_win, d_tally);
  std::vector<float> dist(nq * K), dist2(nq * K);
  std::vector<int> idx(nq * K), idx2(nq * K), win(nq), tally(NCLASS);
  HANDLE(cudaMemcpy(dist.data(), d_dist, nq * K * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(dist2.data(), d_dist2, nq * K * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(idx.data(), d_idx, nq * K * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(idx2.data(), d_idx2, nq * K * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(win.data(), d_win, nq * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(tally.data(), d_tally, NCLASS * sizeof(int), cudaMemcpyDeviceToHost));

  int bad = 0;
  std::vector<float> all(nrefs);
  std::vector<int> count(NCLASS, 0);
  auto exact = [&](int q, int i) {
    float d = 0;
    for (int c = 0; c < DIMS; c++)
      d += (refs[i].x[c] - queries[q].x[c]) * (refs[i].x[c] - queries[q].x[c]);
    return d;
  };
  for (int q = 0; q < nq; q++)
    count[win[q] >= 0 && win[q] < NCLASS ? win[q] : 0]++;
  for (int q = 0; q < nq; q += 3) {
    for (int i = 0; i < nrefs; i++)
      all[i] = exact(q, i);
    std::partial_sort(all.begin(), all.begin() + K, all.end());
    for (int j = 0; j < K; j++) {
      int a = idx[q * K + j], b = idx2[q * K + j];
      if (a < 0 || a >= nrefs || b < 0 || b >= nrefs) {
        bad++;
        continue;
      }
      bad += fabsf(dist[q * K + j] - all[j]) > 1e-5f || fabsf(dist2[q * K + j] - all[j]) > 1e-5f;
      bad += fabsf(exact(q, a) - all[j]) > 1e-5f || fabsf(exact(q, b) - all[j]) > 1e-5f;
    }
    double weight[NCLASS] = {0}, top = 0;
    for (int j = 0; j < K && !bad; j++)
      weight[cls[idx2[q * K + j]]] += 1 / (1 + sqrt((double)dist2[q * K + j]));
    for (int c = 0; c < NCLASS; c++)
      top = std::max(top, weight[c]);
    bad += weight[win[q]] < top - 1e-4;
  }
  bad += count != tally;
  printf("%d queries against %d points\n", nq, nrefs);
  if (bad)
    printf("FAIL %d wrong\n", bad);
  else
    printf("PASS\n");
  return bad != 0;
}
