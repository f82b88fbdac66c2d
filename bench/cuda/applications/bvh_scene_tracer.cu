// SPDX-License-Identifier: Apache-2.0
// Ray traces a triangle scene through a bounding volume hierarchy: primary hits, shadow rays,
// ambient occlusion and shading.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vec {
  float x, y, z;
#define FN __host__ __device__ friend inline
  FN Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  FN Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  FN Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
  FN float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  FN Vec normalize(Vec a) { return a * (1.0f / sqrtf(dot(a, a))); }
  FN Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};
struct Triangle {
  Vec a, e1, e2;
  int material;
};
struct BvhNode {
  Vec lo, hi;
  int left;  // inner: index of the left child (the right one follows); leaf: first triangle
  int count; // 0 for inner nodes
};
struct Hit {
  float t;
  int tri;
};
#define VERIFY(expr)                                                                               \
  if (cudaError_t status = (expr)) {                                                               \
    std::printf("FAIL %s: %s\n", #expr, cudaGetErrorString(status));                               \
    std::exit(1);                                                                                  \
  }

__host__ __device__ inline bool hitBox(const BvhNode& n, Vec o, Vec inv, float best) {
  float x0 = (n.lo.x - o.x) * inv.x, x1 = (n.hi.x - o.x) * inv.x;
  float y0 = (n.lo.y - o.y) * inv.y, y1 = (n.hi.y - o.y) * inv.y;
  float z0 = (n.lo.z - o.z) * inv.z, z1 = (n.hi.z - o.z) * inv.z;
  return fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f)) <=
         fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), best));
}

__host__ __device__ inline bool hitTriangle(const Triangle& tri, Vec o, Vec d, float& t) {
  Vec p = cross(d, tri.e2);
  float det = dot(tri.e1, p);
  if (fabsf(det) < 1e-9f)
    return false;
  float inv = 1.0f / det;
  Vec s = o - tri.a;
  float u = dot(s, p) * inv;
  if (u < 0.0f || u > 1.0f)
    return false;
  Vec q = cross(s, tri.e1);
  float v = dot(d, q) * inv;
  if (v < 0.0f || u + v > 1.0f)
    return false;
  float r = dot(tri.e2, q) * inv;
  if (r < 1e-3f || r >= t)
    return false;
  t = r;
  return true;
}

__host__ __device__ inline Vec facingNormal(const Triangle& t, Vec d) {
  Vec n = normalize(cross(t.e1, t.e2));
  return dot(n, d) > 0 ? n * -1.0f : n;
}

template <bool ANY>
__device__ Hit traverse(const BvhNode* nodes, const Triangle* tris, Vec o, Vec d, float limit) {
  Hit hit{limit, -1};
  Vec inv{1.0f / d.x, 1.0f / d.y, 1.0f / d.z};
  int stack[32], top = 0;
  int id = 0;
  while (true) {
    const BvhNode& n = nodes[id];
    if (hitBox(n, o, inv, hit.t)) {
      if (n.count == 0) {
        stack[top++] = n.left + 1;
        id = n.left;
        continue;
      }
      for (int k = 0; k < n.count; ++k)
        if (hitTriangle(tris[n.left + k], o, d, hit.t)) {
          hit.tri = n.left + k;
          if (ANY)
            return hit;
        }
    }
    if (top == 0)
      return hit;
    id = stack[--top];
  }
}

__host__ __device__ inline Vec primaryDirection(int px, int py, int w) {
  return normalize(Vec{(px + 0.5f) / w * 2 - 1, 0.7f - (py + 0.5f) / w * 2, 1.6f});
}

#define EYE Vec{0.0f, 1.6f, -6.0f}
#define LIGHT Vec{3.0f, 6.0f, -3.0f}

__global__ void primary(const BvhNode* nodes, const Triangle* tris, Hit* hits, int w) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px < w && py < w)
    hits[py * w + px] = traverse<false>(nodes, tris, EYE, primaryDirection(px, py, w), 1e20f);
}

__global__ void shadow(const BvhNode* nodes, const Triangle* tris, const Hit* hits, float* light,
                       int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * w)
    return;
  light[i] = 0;
  Hit h = hits[i];
  if (h.tri < 0)
    return;
  Vec d = primaryDirection(i % w, i / w, w);
  Vec p = EYE + d * h.t;
  Vec n = facingNormal(tris[h.tri], d);
  Vec to = LIGHT - p;
  float dist = sqrtf(dot(to, to));
  to = to * (1.0f / dist);
  float c = dot(n, to);
  if (c > 0 && traverse<true>(nodes, tris, p + n * 2e-3f, to, dist).tri < 0)
    light[i] = c;
}

__device__ float random11(unsigned& s) {
  s = s * 1664525u + 1013904223u;
  return (s >> 8) / 8388608.0f - 1;
}

__global__ void occlusion(const BvhNode* nodes, const Triangle* tris, const Hit* hits, float* open,
                          int w, int rays) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * w)
    return;
  Hit h = hits[i];
  open[i] = 1;
  if (h.tri < 0)
    return;
  Vec d = primaryDirection(i % w, i / w, w);
  Vec n = facingNormal(tris[h.tri], d);
  Vec p = EYE + d * h.t + n * 2e-3f;
  unsigned s = i * 9781u + 1u, free = 0;
  for (int r = 0; r < rays; ++r) {
    Vec v;
    do {
      v = Vec{random11(s), random11(s), random11(s)};
    } while (dot(v, v) > 1.0f || dot(v, v) < 1e-4f);
    v = normalize(v);
    if (dot(v, n) < 0)
      v = v * -1.0f;
    free += traverse<true>(nodes, tris, p, v, 0.8f).tri < 0;
  }
  open[i] = (float)free / rays;
}

__global__ void shade(const Triangle* tris, const Hit* hits, const float* light, const float* open,
                      float3* image, int w) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= w)
    return;
  int i = py * w + px;
  float3 c = make_float3(0.2f, 0.3f, 0.5f);
  if (hits[i].tri >= 0) {
    int m = tris[hits[i].tri].material;
    float l = 0.7f * light[i] + 0.3f * open[i];
    c = make_float3(l * (0.4f + 0.1f * (m % 5)), l * (0.9f - 0.12f * (m % 6)), l * 0.6f);
  }
  image[i] = c;
}

static void buildBvh(std::vector<BvhNode>& nodes, std::vector<Triangle>& tris, int id, int lo,
                     int hi) {
  Vec a{FLT_MAX, FLT_MAX, FLT_MAX}, b{-FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (int i = lo; i < hi; ++i)
    for (Vec v : {tris[i].a, tris[i].a + tris[i].e1, tris[i].a + tris[i].e2}) {
      a = Vec{std::min(a.x, v.x), std::min(a.y, v.y), std::min(a.z, v.z)};
      b = Vec{std::max(b.x, v.x), std::max(b.y, v.y), std::max(b.z, v.z)};
    }
  Vec pad{1e-4f, 1e-4f, 1e-4f};
  nodes[id] = BvhNode{a - pad, b + pad, lo, hi - lo};
  if (hi - lo <= 4)
    return;
  Vec e = b - a;
  int axis = e.x > e.y && e.x > e.z ? 0 : e.y > e.z ? 1 : 2;
  auto key = [axis](const Triangle& t) {
    Vec m = t.a * 3.0f + t.e1 + t.e2;
    return axis == 0 ? m.x : axis == 1 ? m.y : m.z;
  };
  int mid = (lo + hi) / 2;
  std::nth_element(tris.begin() + lo, tris.begin() + mid, tris.begin() + hi,
                   [&](const Triangle& p, const Triangle& q) { return key(p) < key(q); });
  int left = (int)nodes.size();
  nodes.resize(left + 2);
  nodes[id].left = left;
  nodes[id].count = 0;
  buildBvh(nodes, tris, left, lo, mid);
  buildBvh(nodes, tris, left + 1, mid, hi);
}

template <class T> static T* device(size_t n, const T* from = nullptr) {
  T* p;
  VERIFY(cudaMalloc(&p, n * sizeof(T)));
  if (from)
    VERIFY(cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <class T> static std::vector<T> host(const T* p, size_t n) {
  std::vector<T> v(n);
  VERIFY(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return v;
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 96;
  std::vector<Triangle> tris;
  auto quad = [&](Vec a, Vec u, Vec v, int m) {
    tris.push_back({a, u, v, m});
    tris.push_back({a + u + v, u * -1.0f, v * -1.0f, m});
  };
  quad({-6, 0, -6}, {12, 0, 0}, {0, 0, 12}, 0);
  quad({-6, 0, 6}, {12, 0, 0}, {0, 8, 0}, 1);
  unsigned s = 3;
  auto rnd = [&] { return ((s = s * 22695477u + 1u) >> 8) / 16777216.0f; };
  for (int ball = 0; ball < 6; ++ball) { // tessellated balls
    Vec c{rnd() * 6 - 3, 0.5f + rnd() * 2, rnd() * 5 - 2};
    float r = 0.4f + 0.4f * rnd();
    const int U = 12, V = 8;
    auto at = [&](int i, int j) {
      float th = 3.14159265f * j / V, ph = 6.2831853f * i / U;
      return c + Vec{r * std::sin(th) * std::cos(ph), r * std::cos(th),
                     r * std::sin(th) * std::sin(ph)};
    };
    for (int i = 0; i < U; ++i)
      for (int j = 0; j < V; ++j) {
        Vec p = at(i, j);
        tris.push_back({p, at(i + 1, j) - p, at(i + 1, j + 1) - p, 2 + ball});
        tris.push_back({p, at(i + 1, j + 1) - p, at(i, j + 1) - p, 2 + ball});
      }
  }
  std::vector<BvhNode> nodes(1);
  buildBvh(nodes, tris, 0, 0, (int)tris.size());
  BvhNode* dNodes = device<BvhNode>(nodes.size(), nodes.data());
  Triangle* dTris = device<Triangle>(tris.size(), tris.data());
  Hit* dHits = device<Hit>(w * w);
  float *dLight = device<float>(w * w), *dOpen = device<float>(w * w);
  float3* dImage = device<float3>(w * w);
  dim3 tb(8, 8), tg((w + 7) / 8, (w + 7) / 8);
  int lb = (w * w + 127) / 128;
  primary<<<tg, tb>>>(dNodes, dTris, dHits, w);
  shadow<<<lb, 128>>>(dNodes, dTris, dHits, dLight, w);
  occlusion<<<lb, 128>>>(dNodes, dTris, dHits, dOpen, w, 4);
  shade<<<tg, tb>>>(dTris, dHits, dLight, dOpen, dImage, w);
  VERIFY(cudaDeviceSynchronize());
  auto hits = host(dHits, w * w);
  auto light = host(dLight, w * w), open = host(dOpen, w * w);
  auto image = host(dImage, w * w);
  int checked = 0, off = 0;
  double bright = 0;
  for (int i = 0; i < w * w; ++i) {
    bright += image[i].x;
    off += !(open[i] >= 0 && open[i] <= 1);
    if (i % 29)
      continue;
    ++checked;
    Vec d = primaryDirection(i % w, i / w, w), eye = EYE;
    float t = 1e20f;
    int tri = -1;
    for (int k = 0; k < (int)tris.size(); ++k)
      if (hitTriangle(tris[k], eye, d, t))
        tri = k;
    bool same = (tri < 0) == (hits[i].tri < 0) && (tri < 0 || std::fabs(t - hits[i].t) < 1e-3f * t);
    if (same && tri >= 0) { // shadow by brute force
      Vec p = eye + d * t, n = facingNormal(tris[tri], d);
      Vec to = LIGHT - p;
      float dist = std::sqrt(dot(to, to)), lit = std::max(dot(n, to) / dist, 0.0f);
      to = to * (1.0f / dist);
      for (auto& k : tris)
        if (lit > 0 && hitTriangle(k, p + n * 2e-3f, to, dist))
          lit = 0;
      same = std::fabs(lit - light[i]) < 2e-3f;
    }
    off += !same;
  }
  std::printf("%zu nodes, brightness %.4f\n", nodes.size(), bright / (w * w));
  bool good = off <= checked / 50 + 1;
  std::printf(good ? "PASS\n" : "FAIL %d of %d pixels\n", off, checked);
  return good ? 0 : 1;
}
