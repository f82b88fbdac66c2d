// SPDX-License-Identifier: Apache-2.0
// DBSCAN in two dimensions, on integers. Core points first, then labels flow between core points,
// then border points take the label of a core point.

#include <stdio.h>
#include <stdlib.h>
#include <vector>
#include <cuda_runtime.h>

#define NPOINTS 1500
#define EPS 18
#define MINPTS 6
#define THREADS 100 // any number will do

static void _check(cudaError_t e, const char* f, int l) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s:%d %s\n", f, l, cudaGetErrorString(e));
  exit(1);
}
#define check(e) _check(e, __FILE__, __LINE__)

struct Point { int x, y; };

__host__ __device__ bool near_by(Point a, Point b) {
  int dx = a.x - b.x;
  if (dx > EPS || dx < -EPS) return false;
  int dy = a.y - b.y;
  if (dy > EPS || dy < -EPS) return false;
  return dx * dx + dy * dy <= EPS * EPS;
}

__global__ void find_core(const Point* pts, int* core, int* label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NPOINTS) return;
  int count = 0;
  for (int j = 0; j < NPOINTS; j++) {
    if (near_by(pts[i], pts[j])) count++;
    if (count >= MINPTS) break;
  }
  core[i] = count >= MINPTS;
  label[i] = core[i] ? i : -1;
}

__global__ void spread(const Point* pts, const int* core, int* label, int* moved) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NPOINTS) return;
  if (!core[i]) return;
  int best = label[i];
  for (int j = 0; j < NPOINTS; j++) {
    if (core[j] && label[j] < best && near_by(pts[i], pts[j])) best = label[j];
  }
  if (best < label[i]) {
    label[i] = best;
    atomicAdd(moved, 1);
  }
}

// A border point joins the core point near it that has the smallest label.
__global__ void borders(const Point* pts, const int* core, int* label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NPOINTS || core[i]) return;
  int best = NPOINTS;
  for (int j = 0; j < NPOINTS; j++) {
    if (!core[j]) continue;
    if (near_by(pts[i], pts[j]) && label[j] < best) best = label[j];
  }
  if (best < NPOINTS) label[i] = best;
}

int main() {
  std::vector<Point> pts(NPOINTS);
  unsigned s = 77;
  auto rnd = [&](int n) { s = s * 1664525u + 1013904223u; return (int)((s >> 10) % n); };
  for (int i = 0; i < NPOINTS; i++) {
    if (i % 5 == 0) pts[i] = {rnd(1000), rnd(1000)}; // noise
    else { int c = rnd(9); pts[i] = {100 + 300 * (c % 3) + rnd(120), 100 + 300 * (c / 3) + rnd(120)}; }
  }

  Point* d_pts;
  int *d_core, *d_label, *d_moved;
  check(cudaMalloc(&d_pts, NPOINTS * sizeof(Point)));
  check(cudaMalloc(&d_core, NPOINTS * sizeof(int)));
  check(cudaMalloc(&d_label, NPOINTS * sizeof(int)));
  check(cudaMalloc(&d_moved, sizeof(int)));
  check(cudaMemcpy(d_pts, pts.data(), NPOINTS * sizeof(Point), cudaMemcpyHostToDevice));

  int blocks = (NPOINTS + THREADS - 1) / THREADS;
  find_core<<<blocks, THREADS>>>(d_pts, d_core, d_label);
  int moved;
  do {
    check(cudaMemset(d_moved, 0, sizeof(int)));
    spread<<<blocks, THREADS>>>(d_pts, d_core, d_label, d_moved);
    check(cudaMemcpy(&moved, d_moved, sizeof(int), cudaMemcpyDeviceToHost));
  } while (moved > 0);
  borders<<<blocks, THREADS>>>(d_pts, d_core, d_label);
  check(cudaGetLastError());
  std::vector<int> label(NPOINTS);
  check(cudaMemcpy(label.data(), d_label, NPOINTS * sizeof(int), cudaMemcpyDeviceToHost));

  // reference
  std::vector<int> core(NPOINTS), want(NPOINTS, -1);
  for (int i = 0; i < NPOINTS; i++) {
    int c = 0;
    for (int j = 0; j < NPOINTS; j++) c += near_by(pts[i], pts[j]);
    core[i] = c >= MINPTS;
  }
  int clusters = 0, noise = 0, wrong = 0;
  for (int i = 0; i < NPOINTS; i++) {
    if (!core[i] || want[i] >= 0) continue;
    clusters++;
    std::vector<int> todo(1, i);
    want[i] = i;
    while (!todo.empty()) {
      int p = todo.back();
      todo.pop_back();
      for (int j = 0; j < NPOINTS; j++)
        if (core[j] && want[j] < 0 && near_by(pts[p], pts[j])) { want[j] = i; todo.push_back(j); }
    }
  }
  for (int i = 0; i < NPOINTS; i++) {
    if (!core[i]) {
      int best = NPOINTS;
      for (int j = 0; j < NPOINTS; j++)
        if (core[j] && near_by(pts[i], pts[j]) && want[j] < best) best = want[j];
      if (best < NPOINTS) want[i] = best;
    }
    if (label[i] < 0) noise++;
    if (label[i] != want[i]) wrong++;
  }
  printf("clusters: %d, noise: %d, wrong: %d\n", clusters, noise, wrong);
  cudaFree(d_pts); cudaFree(d_core); cudaFree(d_label); cudaFree(d_moved);
  return wrong ? 1 : 0;
}
