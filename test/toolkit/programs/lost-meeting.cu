// SPDX-License-Identifier: Apache-2.0
// Rays through a tree of boxes around spheres, walked twice: the second time, towards the light,
// under an if. Lanes that leave the loops at different times meet again behind them.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Node {
  float4 low, high;
  int left, right, first, count; ///< no count: an inner one
};

/// The sphere that a ray hits first, or any one; -1: none.
__device__ int walk(const Node* tree, const float4* spheres, float3 from, float3 along, float& best,
                    bool any) {
  int stack[64], top = 1, hit = -1;
  stack[0] = 0;
  const float3 inverse = make_float3(1 / along.x, 1 / along.y, 1 / along.z);
  while (top > 0) {
    const Node node = tree[stack[--top]];
    float p = (node.low.x - from.x) * inverse.x, q = (node.high.x - from.x) * inverse.x;
    float enter = fminf(p, q), leave = fmaxf(p, q);
    p = (node.low.y - from.y) * inverse.y;
    q = (node.high.y - from.y) * inverse.y;
    enter = fmaxf(enter, fminf(p, q));
    leave = fminf(leave, fmaxf(p, q));
    p = (node.low.z - from.z) * inverse.z;
    q = (node.high.z - from.z) * inverse.z;
    enter = fmaxf(enter, fminf(p, q));
    leave = fminf(leave, fmaxf(p, q));
    if (enter > leave || leave < 0 || enter >= best)
      continue;
    if (node.count)
      for (int i = 0; i < node.count; ++i) {
        const float4 sphere = spheres[node.first + i];
        const float x = from.x - sphere.x, y = from.y - sphere.y, z = from.z - sphere.z;
        const float half = x * along.x + y * along.y + z * along.z;
        const float square = half * half - (x * x + y * y + z * z - sphere.w * sphere.w);
        float distance = -half - sqrtf(square);
        distance = square < 0 ? 1e30f : distance > 1e-3f ? distance : 1e30f;
        if (distance < best) {
          best = distance;
          hit = node.first + i;
          if (any)
            return hit;
        }
      }
    else {
      stack[top++] = node.right;
      stack[top++] = node.left;
    }
  }
  return hit;
}

__global__ void trace(const Node* tree, const float4* spheres, int* seen) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= 200 || y >= 150)
    return;
  const float3 from = make_float3(0, 0, -3);
  float3 along = make_float3((x + .5f) / 100 - 1, (y + .5f) / 75 - 1, 1.7f);
  const float scale = rsqrtf(along.x * along.x + along.y * along.y + along.z * along.z);
  along.x *= scale;
  along.y *= scale;
  along.z *= scale;
  float distance = 1e29f;
  const int hit = walk(tree, spheres, from, along, distance, false);
  int* light = seen + 30000 + y * 200 + x;
  seen[y * 200 + x] = hit;
  if (hit >= 0) {
    const float3 at = make_float3(from.x + distance * along.x, from.y + distance * along.y,
                                  from.z + distance * along.z);
    float toLight = 1e29f;
    *light = walk(tree, spheres, at, make_float3(.577f, .577f, -.577f), toLight, true) < 0;
  } else
    *light = 0;
}

std::vector<Node> tree;
std::vector<float4> spheres;

int build(int first, int count, int axis) {
  const int number = int(tree.size());
  tree.push_back({});
  Node node{};
  node.low = {9, 9, 9};
  node.high = {-9, -9, -9};
  for (int i = first; i < first + count; ++i)
    for (int k = 0; k < 3; ++k) {
      const float at = (&spheres[i].x)[k];
      float &low = (&node.low.x)[k], &high = (&node.high.x)[k];
      low = fminf(low, at - spheres[i].w);
      high = fmaxf(high, at + spheres[i].w);
    }
  if (count < 5) {
    node.first = first;
    node.count = count;
  } else {
    std::sort(spheres.begin() + first, spheres.begin() + first + count,
              [=](float4 a, float4 b) { return (&a.x)[axis] < (&b.x)[axis]; });
    node.left = build(first, count / 2, (axis + 1) % 3);
    node.right = build(first + count / 2, count - count / 2, (axis + 1) % 3);
  }
  tree[number] = node;
  return number;
}

int main() {
  unsigned state = 7;
  const auto random = [&] {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.f;
  };
  for (int i = 0; i < 500; ++i) {
    const float x = random() * 3 - 1.5f, y = random() * 3 - 1.5f, z = random() * 3 - 1;
    spheres.push_back({x, y, z, .02f + .08f * random()});
  }
  build(0, 500, 0);
  const int pixels = 30000;
  Node* nodes = nullptr;
  float4* balls = nullptr;
  int* seen = nullptr;
  cudaMalloc(&nodes, tree.size() * sizeof(Node));
  cudaMalloc(&balls, spheres.size() * sizeof(float4));
  cudaMalloc(&seen, 2 * pixels * sizeof(int));
  cudaMemcpy(nodes, tree.data(), tree.size() * sizeof(Node), cudaMemcpyHostToDevice);
  cudaMemcpy(balls, spheres.data(), spheres.size() * sizeof(float4), cudaMemcpyHostToDevice);
  trace<<<dim3(13, 10), dim3(16, 16)>>>(nodes, balls, seen);
  std::vector<int> hits(pixels);
  cudaMemcpy(hits.data(), seen, pixels * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (const int hit : hits)
    sum += hit;
  printf("%ld\n", sum);
}
