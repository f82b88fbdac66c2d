// SPDX-License-Identifier: Apache-2.0
// Gravity of a star cluster by tiled direct summation and by an octree walk with explicit stacks,
// with leapfrog steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using std::vector;

constexpr int TILE = 128;
constexpr float SOFT2 = 1e-3f;
constexpr float THETA = 0.6f;
constexpr int LEAF = 8;

inline void gpu(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("FAIL %s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}

struct Node {
  float cx, cy, cz, mass; // centre of mass
  float size;             // edge of the cube
  int child;              // first of its children, which lie in a row, or -1 for a leaf
  int children;
  int first, count; // bodies of a leaf
};

__device__ __forceinline__ void pull(float3& a, float4 p, float4 q) {
  float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
  float r2 = dx * dx + dy * dy + dz * dz + SOFT2;
  float inv = rsqrtf(r2);
  float s = q.w * inv * inv * inv;
  a.x += dx * s;
  a.y += dy * s;
  a.z += dz * s;
}

__global__ void directTiled(const float4* __restrict__ body, float3* acc, int n) {
  __shared__ float4 tile[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float4 p = i < n ? body[i] : make_float4(0, 0, 0, 0);
  float3 a = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += TILE) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < TILE; ++k)
      pull(a, p, tile[k]);
    __syncthreads();
  }
  if (i < n)
    acc[i] = a;
}

__global__ void treeWalk(const float4* body, const Node* nodes, float3* acc, int* visited, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int stack[96];
  int top = 0, steps = 0;
  stack[top++] = 0;
  float4 p = body[i];
  float3 a = make_float3(0, 0, 0);
  while (top > 0) {
    const Node nd = nodes[stack[--top]];
    ++steps;
    if (nd.child < 0) {
      for (int k = 0; k < nd.count; ++k)
        pull(a, p, body[nd.first + k]);
      continue;
    }
    float dx = nd.cx - p.x, dy = nd.cy - p.y, dz = nd.cz - p.z;
    float d2 = dx * dx + dy * dy + dz * dz;
    if (nd.size * nd.size < THETA * THETA * d2)
      pull(a, p, make_float4(nd.cx, nd.cy, nd.cz, nd.mass));
    else
      for (int c = 0; c < nd.children; ++c)
        stack[top++] = nd.child + c;
  }
  acc[i] = a;
  visited[i] = steps;
}

// the same walk for a warp of bodies with one common stack in shared memory: a node opens when any
// lane wants it
__global__ void treeWalkWarp(const float4* body, const Node* nodes, float3* acc, int n) {
  __shared__ int stacks[4][96];
  int warp = threadIdx.x / 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* stack = stacks[warp];
  bool alive = i < n;
  float4 p = alive ? body[i] : body[n - 1];
  float3 a = make_float3(0, 0, 0);
  int top = 1;
  if (threadIdx.x % 32 == 0)
    stack[0] = 0;
  __syncwarp();
  while (top > 0) {
    int id = stack[--top];
    __syncwarp();
    float4 com = make_float4(nodes[id].cx, nodes[id].cy, nodes[id].cz, nodes[id].mass);
    int child = nodes[id].child;
    if (child < 0) {
      for (int k = 0; k < nodes[id].count; ++k)
        pull(a, p, body[nodes[id].first + k]);
      continue;
    }
    float dx = com.x - p.x, dy = com.y - p.y, dz = com.z - p.z;
    float size = nodes[id].size;
    bool open = size * size >= THETA * THETA * (dx * dx + dy * dy + dz * dz);
    if (__any_sync(0xffffffffu, open)) {
      int m = nodes[id].children;
      if (threadIdx.x % 32 < m)
        stack[top + threadIdx.x % 32] = child + threadIdx.x % 32;
      top += m;
      __syncwarp();
    } else
      pull(a, p, com);
  }
  if (alive)
    acc[i] = a;
}

__global__ void leapfrog(float4* body, float3* vel, const float3* acc, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 v = vel[i];
  v.x += acc[i].x * dt;
  v.y += acc[i].y * dt;
  v.z += acc[i].z * dt;
  vel[i] = v;
  float4 b = body[i];
  b.x += v.x * dt;
  b.y += v.y * dt;
  b.z += v.z * dt;
  body[i] = b;
}

// builds node `id` over bodies [lo, hi) of the cube with corner c and edge e; sorts the bodies into
// octants
static void build(vector<Node>& nodes, vector<float4>& b, int id, int lo, int hi,
                  std::array<float, 3> c, float e, int depth) {
  double m = 0, x = 0, y = 0, z = 0;
  for (int i = lo; i < hi; ++i) {
    m += b[i].w;
    x += b[i].w * b[i].x;
    y += b[i].w * b[i].y;
    z += b[i].w * b[i].z;
  }
  nodes[id] = Node{(float)(x / m), (float)(y / m), (float)(z / m), (float)m, e, -1, 0, lo, hi - lo};
  if (hi - lo <= LEAF || depth > 10)
    return;
  float h = e / 2;
  auto octant = [&](const float4& p) {
    return (p.x >= c[0] + h) + 2 * (p.y >= c[1] + h) + 4 * (p.z >= c[2] + h);
  };
  std::stable_sort(b.begin() + lo, b.begin() + hi,
                   [&](const float4& p, const float4& q) { return octant(p) < octant(q); });
  int from[9], filled = 0;
  for (int o = 0, i = lo; o < 8; ++o) {
    from[o] = i;
    while (i < hi && octant(b[i]) == o)
      ++i;
    from[o + 1] = i;
    filled += from[o + 1] > from[o];
  }
  int child = (int)nodes.size();
  nodes.resize(child + filled);
  nodes[id].child = child;
  nodes[id].children = filled;
  for (int o = 0; o < 8; ++o)
    if (from[o + 1] > from[o])
      build(nodes, b, child++, from[o], from[o + 1],
            {c[0] + (o & 1) * h, c[1] + (o >> 1 & 1) * h, c[2] + (o >> 2) * h}, h, depth + 1);
}

static vector<Node> buildTree(vector<float4>& b) {
  float e = 0;
  for (auto& p : b)
    e = std::max({e, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
  vector<Node> nodes(1);
  build(nodes, b, 0, 0, (int)b.size(), {-e, -e, -e}, 2 * e + 1e-3f, 0);
  return nodes;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  vector<float4> body(n);
  unsigned s = 5;
  auto rnd = [&] {
    s = s * 1103515245u + 12345u;
    return ((s >> 8) & 0xffffff) / 16777216.0f;
  };
  for (auto& b : body) { // Plummer-like sphere
    float r = 1.0f / std::sqrt(std::pow(0.02f + 0.97f * rnd(), -0.6667f) - 0.99f);
    float cz = 2 * rnd() - 1, ph = 6.2831853f * rnd(), q = std::sqrt(1 - cz * cz);
    r = std::min(r, 8.0f);
    b = make_float4(r * q * std::cos(ph), r * q * std::sin(ph), r * cz, 1.0f / n);
  }
  float4* dBody;
  float3 *dVel, *dAcc, *dTree, *dWarp;
  Node* dNodes;
  int* dVisited;
  gpu(cudaMalloc(&dBody, n * sizeof(float4)));
  gpu(cudaMalloc(&dVel, n * sizeof(float3)));
  gpu(cudaMalloc(&dAcc, n * sizeof(float3)));
  gpu(cudaMalloc(&dTree, n * sizeof(float3)));
  gpu(cudaMalloc(&dWarp, n * sizeof(float3)));
  gpu(cudaMalloc(&dVisited, n * sizeof(int)));
  gpu(cudaMalloc(&dNodes, 2 * (size_t)n * sizeof(Node)));
  gpu(cudaMemset(dVel, 0, n * sizeof(float3)));

  int bad = 0;
  for (int step = 0; step < 2; ++step) {
    vector<Node> nodes = buildTree(body); // reorders the bodies (velocities start at zero)
    if (nodes.size() > 2 * (size_t)n)
      nodes.resize(2 * n), ++bad;
    gpu(cudaMemcpy(dBody, body.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    gpu(cudaMemcpy(dNodes, nodes.data(), nodes.size() * sizeof(Node), cudaMemcpyHostToDevice));
    if (step == 0)
      directTiled<<<(n + TILE - 1) / TILE, TILE>>>(dBody, dAcc, n);
    treeWalk<<<(n + 63) / 64, 64>>>(dBody, dNodes, dTree, dVisited, n);
    treeWalkWarp<<<(n + 127) / 128, 128>>>(dBody, dNodes, dWarp, n);
    vector<float3> direct(n), tree(n), warp(n);
    gpu(cudaMemcpy(direct.data(), dAcc, n * sizeof(float3), cudaMemcpyDeviceToHost));
    gpu(cudaMemcpy(tree.data(), dTree, n * sizeof(float3), cudaMemcpyDeviceToHost));
    gpu(cudaMemcpy(warp.data(), dWarp, n * sizeof(float3), cudaMemcpyDeviceToHost));

    double err = 0, errWarp = 0, norm = 0, errDirect = 0, normDirect = 0;
    for (int i = 0; i < n; i += step || n < 64 ? 16 : n / 48) {
      double a[3] = {0, 0, 0};
      for (int j = 0; j < n; ++j) {
        double d[3] = {body[j].x - body[i].x, body[j].y - body[i].y, body[j].z - body[i].z};
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFT2;
        double f = body[j].w / (r2 * std::sqrt(r2));
        for (int k = 0; k < 3; ++k)
          a[k] += d[k] * f;
      }
      auto dist = [&](float3 v) {
        return (v.x - a[0]) * (v.x - a[0]) + (v.y - a[1]) * (v.y - a[1]) +
               (v.z - a[2]) * (v.z - a[2]);
      };
      err += dist(tree[i]);
      errWarp += dist(warp[i]);
      norm += a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
      if (step == 0)
        errDirect += dist(direct[i]);
    }
    err = std::sqrt(err / norm);
    errWarp = std::sqrt(errWarp / norm);
    errDirect = std::sqrt(errDirect / norm);
    std::printf("step %d: %zu nodes, tree error %.5f, warp walk %.5f, direct %.2e\n", step,
                nodes.size(), err, errWarp, errDirect);
    if (!(err < 0.05) || !(errWarp < 0.05) || !(errDirect < 1e-3))
      ++bad;
    leapfrog<<<(n + 255) / 256, 256>>>(dBody, dVel, dTree, 0.01f, n);
    gpu(cudaMemset(dVel, 0, n * sizeof(float3)));
    gpu(cudaMemcpy(body.data(), dBody, n * sizeof(float4), cudaMemcpyDeviceToHost));
  }
  gpu(cudaDeviceSynchronize());
  if (bad) {
    std::printf("FAIL %d checks\n", bad);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
