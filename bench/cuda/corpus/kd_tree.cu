// SPDX-License-Identifier: Apache-2.0
// Nearest neighbours in the plane by a k-d tree, with a stack for each thread.
#include "common.h"
#include <algorithm>

__global__ void nearestPoint(const float2* tree, int count, const float2* queries, float* distances,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 q = queries[i];
  float best = 1e30f, gaps[24];
  int stack[24], top = 0;
  stack[top] = 0;
  gaps[top++] = 0;
  while (top > 0) {
    int node = stack[--top];
    if (gaps[top] >= best)
      continue;
    for (int depth = 31 - __clz(node + 1); node < count; ++depth) {
      float2 p = tree[node];
      float dx = q.x - p.x, dy = q.y - p.y, off = depth & 1 ? dy : dx;
      best = fminf(best, dx * dx + dy * dy);
      int nearer = 2 * node + (off < 0 ? 1 : 2), farther = 2 * node + (off < 0 ? 2 : 1);
      if (farther < count && off * off < best) {
        stack[top] = farther;
        gaps[top++] = off * off;
      }
      node = nearer;
    }
  }
  distances[i] = best;
}

void build(std::vector<float2>& points, int begin, int end, int node, int depth,
           std::vector<float2>& tree) {
  if (begin >= end)
    return;
  int count = end - begin, full = 1;
  while (2 * full + 1 <= count)
    full = 2 * full + 1;
  int last = count - full, half = (full - 1) / 2;
  int middle = begin + half + std::min(last, (full + 1) / 2);
  std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                   [&](float2 a, float2 b) { return depth & 1 ? a.y < b.y : a.x < b.x; });
  tree[node] = points[middle];
  build(points, begin, middle, 2 * node + 1, depth + 1, tree);
  build(points, middle + 1, end, 2 * node + 2, depth + 1, tree);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 512), count = 1000;
  Random random(131);
  std::vector<float2> points(count), queries(n), tree(count);
  for (float2& p : points)
    p = make_float2(random.uniform(), random.uniform());
  for (float2& q : queries)
    q = make_float2(random.uniform(), random.uniform());
  build(points, 0, count, 0, 0, tree);
  float* distances = allocate<float>(n);
  nearestPoint<<<(n + 127) / 128, 128>>>(upload(tree), count, upload(queries), distances, n);
  std::vector<float> want(n, 1e30f);
  for (int i = 0; i < n; ++i)
    for (float2 p : points)
      want[i] = fminf(want[i], (queries[i].x - p.x) * (queries[i].x - p.x) +
                                   (queries[i].y - p.y) * (queries[i].y - p.y));
  return verdict(allNear(download(distances, n), want, 1e-6));
}
