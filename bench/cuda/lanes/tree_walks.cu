// SPDX-License-Identifier: Apache-2.0
//
// Walks in trees: down to a leaf, up to the root, and through all that may matter, with and without
// a stack.
#include "lanes.cuh"

#include <algorithm>
#include <functional>
#include <string>

namespace {

// A search tree that grew by inserting, so its branches have unequal depth.
struct BstNode {
  int key, value, left, right, parent;
};

std::vector<BstNode> growBst(lanes::Random& random, int size, int range) {
  std::vector<BstNode> tree;
  while (static_cast<int>(tree.size()) < size) {
    const int key = random.below(range);
    int at = tree.empty() ? -1 : 0, parent = -1;
    while (at >= 0 && tree[at].key != key) {
      parent = at;
      at = key < tree[at].key ? tree[at].left : tree[at].right;
    }
    if (at >= 0)
      continue;
    const int id = static_cast<int>(tree.size());
    tree.push_back({key, random.below(1000), -1, -1, parent});
    if (parent >= 0)
      (key < tree[parent].key ? tree[parent].left : tree[parent].right) = id;
  }
  return tree;
}

__host__ __device__ int findBst(const BstNode* tree, int key) {
  int node = 0;
  while (node != -1) {
    if (key == tree[node].key)
      return tree[node].value;
    node = key < tree[node].key ? tree[node].left : tree[node].right;
  }
  return -1;
}

__global__ void treeLookup(const BstNode* tree, const int* keys, int* values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = findBst(tree, keys[i]);
}

// The next greater key: down to the right once and then left, or up until the path came from the
// left.
__global__ void treeSuccessor(const BstNode* tree, int size, int hops, int* reached) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int node = i;
  for (int h = 0; h < hops; ++h) {
    int next = tree[node].right;
    if (next >= 0) {
      while (tree[next].left >= 0)
        next = tree[next].left;
    } else {
      int below = node;
      next = tree[node].parent;
      while (next >= 0 && tree[next].right == below) {
        below = next;
        next = tree[next].parent;
      }
    }
    if (next < 0)
      break;
    node = next;
  }
  reached[i] = tree[node].key;
}

void searchTrees() {
  lanes::Random random(81);
  const int size = 3000, count = 8000, range = 20000, hops = 12;
  const auto tree = growBst(random, size, range);
  lanes::Buffer<BstNode> in(tree);
  lanes::Buffer<int> keys(count, [&](size_t) {
    return random.below(2) ? tree[random.below(size)].key : random.below(range);
  });
  lanes::Buffer<int> values(count), reached(size);
  treeLookup<<<(count + 127) / 128, 128>>>(in.data(), keys.data(), values.data(), count);
  lanes::report("treeLookup", values);
  const auto wanted = keys.host();
  lanes::check("treeLookup", values.host() == lanes::expect<int>(count, [&](size_t i) {
                               return findBst(tree.data(), wanted[i]);
                             }));
  treeSuccessor<<<(size + 63) / 64, 64>>>(in.data(), size, hops, reached.data());
  lanes::report("treeSuccessor", reached);
  std::vector<int> sorted;
  for (const auto& node : tree)
    sorted.push_back(node.key);
  std::sort(sorted.begin(), sorted.end());
  lanes::check("treeSuccessor",
               reached.host() == lanes::expect<int>(size, [&](size_t i) {
                 const auto at = std::lower_bound(sorted.begin(), sorted.end(), tree[i].key);
                 return sorted[std::min<size_t>(at - sorted.begin() + hops, size - 1)];
               }));
}

// A hierarchy of boxes over spheres; `skip` is the node behind the whole subtree.
struct BoxNode {
  float low[3], high[3];
  int left, right, skip, sphere;
};

struct Ray {
  float ox, oy, oz, dx, dy, dz;
};

int buildBoxes(std::vector<BoxNode>& nodes, const std::vector<float4>& spheres,
               std::vector<int>& order, int from, int to, int axis) {
  const int id = static_cast<int>(nodes.size());
  nodes.push_back({{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, -1, -1, 0, -1});
  auto place = [&](int s, int a) {
    return a == 0 ? spheres[s].x : a == 1 ? spheres[s].y : spheres[s].z;
  };
  for (int k = from; k < to; ++k)
    for (int a = 0; a < 3; ++a) {
      nodes[id].low[a] = std::min(nodes[id].low[a], place(order[k], a) - spheres[order[k]].w);
      nodes[id].high[a] = std::max(nodes[id].high[a], place(order[k], a) + spheres[order[k]].w);
    }
  if (to - from == 1) {
    nodes[id].sphere = order[from];
  } else {
    const int middle = from + std::max(1, (to - from) * 2 / 5);
    std::nth_element(order.begin() + from, order.begin() + middle, order.begin() + to,
                     [&](int a, int b) { return place(a, axis) < place(b, axis); });
    const int left = buildBoxes(nodes, spheres, order, from, middle, (axis + 1) % 3);
    const int right = buildBoxes(nodes, spheres, order, middle, to, (axis + 1) % 3);
    nodes[id].left = left;
    nodes[id].right = right;
  }
  nodes[id].skip = static_cast<int>(nodes.size());
  return id;
}

__device__ bool hitBox(const BoxNode& n, const Ray& r, float limit, float* entry) {
  float tx1 = (n.low[0] - r.ox) / r.dx, tx2 = (n.high[0] - r.ox) / r.dx;
  float ty1 = (n.low[1] - r.oy) / r.dy, ty2 = (n.high[1] - r.oy) / r.dy;
  float tz1 = (n.low[2] - r.oz) / r.dz, tz2 = (n.high[2] - r.oz) / r.dz;
  float near = fmaxf(fmaxf(fminf(tx1, tx2), fminf(ty1, ty2)), fminf(tz1, tz2));
  float far = fminf(fminf(fmaxf(tx1, tx2), fmaxf(ty1, ty2)), fmaxf(tz1, tz2));
  *entry = near;
  return near <= far && far > 0.0f && near < limit;
}

__device__ float hitSphere(const float4& s, const Ray& r) {
  float x = r.ox - s.x, y = r.oy - s.y, z = r.oz - s.z;
  float a = r.dx * r.dx + r.dy * r.dy + r.dz * r.dz;
  float b = x * r.dx + y * r.dy + z * r.dz;
  float c = x * x + y * y + z * z - s.w * s.w;
  float d = b * b - a * c;
  if (d < 0.0f)
    return -1.0f;
  return (-b - sqrtf(d)) / a;
}

__global__ void treeClosestHit(const BoxNode* nodes, const float4* spheres, const Ray* rays,
                               int* hit, float* distance, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Ray ray = rays[i];
  float best = 1e20f;
  int sphere = -1, stack[32], top = 0, node = 0;
  float entry;
  if (!hitBox(nodes[0], ray, best, &entry)) {
    hit[i] = -1;
    distance[i] = 0.0f;
    return;
  }
  while (true) {
    if (nodes[node].sphere >= 0) {
      float t = hitSphere(spheres[nodes[node].sphere], ray);
      if (t > 0.0f && t < best) {
        best = t;
        sphere = nodes[node].sphere;
      }
    } else {
      float tl, tr;
      int left = nodes[node].left, right = nodes[node].right;
      bool goLeft = hitBox(nodes[left], ray, best, &tl),
           goRight = hitBox(nodes[right], ray, best, &tr);
      if (goLeft && goRight) {
        if (tr < tl) {
          int swap = left;
          left = right;
          right = swap;
        }
        stack[top++] = right;
        node = left;
        continue;
      }
      if (goLeft || goRight) {
        node = goLeft ? left : right;
        continue;
      }
    }
    if (top == 0)
      break;
    node = stack[--top];
  }
  hit[i] = sphere;
  distance[i] = sphere < 0 ? 0.0f : best;
}

// Any hit will do, and there is no stack: on a miss, skip the subtree.
__global__ void treeShadow(const BoxNode* nodes, int nodeCount, const float4* spheres,
                           const Ray* rays, int* dark, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Ray ray = rays[i];
  int node = 0;
  while (node < nodeCount) {
    float entry;
    if (!hitBox(nodes[node], ray, 30.0f, &entry)) {
      node = nodes[node].skip;
      continue;
    }
    int s = nodes[node].sphere;
    if (s >= 0 && hitSphere(spheres[s], ray) > 0.0f) {
      dark[i] = 1;
      return;
    }
    ++node;
  }
  dark[i] = 0;
}

void boxes() {
  lanes::Random random(82);
  const int count = 4096, sphereCount = 200;
  std::vector<float4> spheres(sphereCount);
  std::vector<int> order(sphereCount);
  for (int s = 0; s < sphereCount; ++s) {
    spheres[s] = {random.within(-8, 8), random.within(-8, 8), random.within(-8, 8),
                  random.within(0.1f, 0.6f)};
    order[s] = s;
  }
  std::vector<BoxNode> nodes;
  buildBoxes(nodes, spheres, order, 0, sphereCount, 0);
  lanes::Buffer<BoxNode> nodesIn(nodes);
  lanes::Buffer<float4> spheresIn(spheres);
  lanes::Buffer<Ray> rays(count, [&](size_t i) {
    const float u = static_cast<float>(i % 64) / 32 - 1, v = static_cast<float>(i / 64) / 32 - 1;
    return Ray{0.1f, 0.2f, -15, u + random.within(-0.05f, 0.05f), v + 0.013f, 1.5f};
  });
  lanes::Buffer<int> hit(count), dark(count);
  lanes::Buffer<float> distance(count);
  treeClosestHit<<<count / 128, 128>>>(nodesIn.data(), spheresIn.data(), rays.data(), hit.data(),
                                       distance.data(), count);
  lanes::report("treeClosestHit", distance);
  treeShadow<<<count / 64, 64>>>(nodesIn.data(), static_cast<int>(nodes.size()), spheresIn.data(),
                                 rays.data(), dark.data(), count);
  lanes::report("treeShadow", dark);
  const auto first = hit.host(), any = dark.host();
  int apart = 0;
  for (int i = 0; i < count; ++i)
    apart += (first[i] >= 0) != (any[i] != 0);
  lanes::check("treeShadow", apart < count / 100);
}

// The nearest of many points in a k-d tree that is stored as a heap.
__global__ void treeNearest(const float2* heap, int size, const float2* queries, int* nearest,
                            int count) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= count)
    return;
  float2 p = queries[q];
  float best = 1e30f;
  int where = -1;
  int stack[16], levels[16];
  float gaps[16];
  int top = 1;
  stack[0] = 0, levels[0] = 0, gaps[0] = 0.0f;
  while (top > 0) {
    --top;
    int node = stack[top], level = levels[top];
    if (gaps[top] >= best)
      continue;
    while (node < size) {
      float2 h = heap[node];
      float dx = p.x - h.x, dy = p.y - h.y;
      float d = dx * dx + dy * dy;
      if (d < best) {
        best = d;
        where = node;
      }
      float gap = level & 1 ? dy : dx;
      int closer = 2 * node + (gap < 0.0f ? 1 : 2), other = 2 * node + (gap < 0.0f ? 2 : 1);
      ++level;
      if (other < size && gap * gap < best) {
        stack[top] = other, levels[top] = level, gaps[top] = gap * gap;
        ++top;
      }
      node = closer;
    }
  }
  nearest[q] = where;
}

void nearestPoints() {
  lanes::Random random(83);
  const int size = 1023, count = 3000;
  std::vector<float2> points(size), heap(size);
  for (auto& p : points)
    p = {random.unit(), random.unit() * random.unit()};
  std::function<void(int, int, int, int)> fill = [&](int node, int from, int to, int level) {
    if (from >= to)
      return;
    const int middle = (from + to) / 2;
    std::nth_element(points.begin() + from, points.begin() + middle, points.begin() + to,
                     [&](float2 a, float2 b) { return level & 1 ? a.y < b.y : a.x < b.x; });
    heap[node] = points[middle];
    fill(2 * node + 1, from, middle, level + 1);
    fill(2 * node + 2, middle + 1, to, level + 1);
  };
  fill(0, 0, size, 0);
  lanes::Buffer<float2> in(heap),
      queries(count, [&](size_t) { return float2{random.unit(), random.unit()}; });
  lanes::Buffer<int> nearest(count);
  treeNearest<<<(count + 127) / 128, 128>>>(in.data(), size, queries.data(), nearest.data(), count);
  lanes::report("treeNearest", nearest);
  int apart = 0;
  const auto asked = queries.host();
  const auto found = nearest.host();
  for (int q = 0; q < count; ++q) {
    auto distance = [&](int k) {
      return std::hypot(heap[k].x - asked[q].x, heap[k].y - asked[q].y);
    };
    float best = 10;
    for (int k = 0; k < size; ++k)
      best = std::min(best, distance(k));
    apart += distance(found[q]) > best + 1e-5f;
  }
  lanes::check("treeNearest", apart == 0);
}

// Words in a trie of first children and brothers.
struct TrieNode {
  char letter;
  bool word;
  int child, brother;
};

__global__ void treeTrie(const TrieNode* trie, const char* words, int width, int* matched,
                         int count) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= count)
    return;
  const char* s = words + w * width;
  int node = 0, depth = 0, longest = 0;
  while (s[depth] != 0) {
    int child = trie[node].child;
    while (child > 0 && trie[child].letter != s[depth])
      child = trie[child].brother;
    if (child <= 0)
      break;
    node = child;
    ++depth;
    if (trie[node].word)
      longest = depth;
  }
  matched[w] = longest * 16 + depth;
}

void tries() {
  lanes::Random random(84);
  const int width = 12, count = 6000;
  auto word = [&] {
    std::string s;
    for (int k = random.between(2, width - 2); k > 0; --k)
      s += "etaoinshr"[std::min(random.below(9), random.below(9))];
    return s;
  };
  std::vector<TrieNode> trie{{0, false, 0, 0}};
  std::vector<std::string> known;
  for (int i = 0; i < 800; ++i) {
    known.push_back(word());
    int node = 0;
    for (char c : known.back()) {
      int child = trie[node].child;
      while (child > 0 && trie[child].letter != c)
        child = trie[child].brother;
      if (child == 0) {
        child = static_cast<int>(trie.size());
        trie.push_back({c, false, 0, trie[node].child});
        trie[node].child = child;
      }
      node = child;
    }
    trie[node].word = true;
  }
  std::vector<char> words(count * width);
  for (int w = 0; w < count; ++w)
    std::strcpy(&words[w * width], (random.below(2) ? known[random.below(800)] : word()).c_str());
  lanes::Buffer<TrieNode> in(trie);
  lanes::Buffer<char> wordsIn(words);
  lanes::Buffer<int> matched(count);
  treeTrie<<<(count + 127) / 128, 128>>>(in.data(), wordsIn.data(), width, matched.data(), count);
  lanes::report("treeTrie", matched);
}

// An octree that is fine where the scene is: the cell of a point, and its size. Children of a node
// are together.
__global__ void treeOctree(const int* firstChild, const float3* points, int* leaf, float* size,
                           int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float3 p = points[i];
  if (p.x < 0 || p.y < 0 || p.z < 0 || p.x >= 1 || p.y >= 1 || p.z >= 1) {
    leaf[i] = -1;
    size[i] = 0;
    return;
  }
  float cx = 0.5f, cy = 0.5f, cz = 0.5f, half = 0.5f;
  int node = 0;
  while (firstChild[node] != 0) {
    int octant = 0;
    half *= 0.5f;
    if (p.x >= cx) {
      octant |= 1;
      cx += half;
    } else {
      cx -= half;
    }
    if (p.y >= cy) {
      octant |= 2;
      cy += half;
    } else {
      cy -= half;
    }
    octant |= p.z >= cz ? 4 : 0;
    cz += p.z >= cz ? half : -half;
    node = firstChild[node] + octant;
  }
  leaf[i] = node;
  size[i] = half;
}

void octree() {
  lanes::Random random(85);
  const int count = 8192;
  std::vector<int> firstChild{0};
  std::function<void(int, int)> refine = [&](int node, int depth) {
    if (depth == 7 || (depth > 1 && random.below(100) > 34))
      return;
    const int first = static_cast<int>(firstChild.size());
    firstChild[node] = first;
    firstChild.resize(first + 8, 0);
    for (int k = 0; k < 8; ++k)
      refine(first + k, depth + 1);
  };
  refine(0, 0);
  lanes::Buffer<int> in(firstChild), leaf(count);
  lanes::Buffer<float3> points(count, [&](size_t) {
    return float3{random.within(-0.05f, 1.05f), random.unit(), random.unit()};
  });
  lanes::Buffer<float> size(count);
  treeOctree<<<count / 256, 256>>>(in.data(), points.data(), leaf.data(), size.data(), count);
  lanes::report("treeOctree", leaf);
}

// Pages of up to seven keys; the last level holds the values.
struct Page {
  int count;
  int keys[7];
  int children[8];
};

__host__ __device__ int findPage(const Page* pages, int root, int levels, int key) {
  int page = root;
  for (int level = 0; level < levels; ++level) {
    const Page& p = pages[page];
    int k = 0;
    while (k < p.count && key >= p.keys[k])
      ++k;
    page = p.children[k];
  }
  const Page& leaf = pages[page];
  for (int k = 0; k < leaf.count; ++k) {
    if (leaf.keys[k] == key)
      return leaf.children[k];
    if (leaf.keys[k] > key)
      break;
  }
  return -1;
}

__global__ void treePages(const Page* pages, int root, int levels, const int* keys, int* found,
                          int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  found[i] = findPage(pages, root, levels, keys[i]);
}

void pageTree() {
  lanes::Random random(86);
  const int count = 6000;
  std::vector<Page> pages;
  std::vector<std::pair<int, int>> level; // least key, page
  int key = 0;
  for (int p = 0; p < 400; ++p) {
    Page page{random.between(3, 7), {}, {}};
    for (int k = 0; k < page.count; ++k) {
      page.keys[k] = key += random.between(1, 4);
      page.children[k] = key * 7 % 1000;
    }
    level.push_back({page.keys[0], static_cast<int>(pages.size())});
    pages.push_back(page);
  }
  int levels = 0;
  while (level.size() > 1) {
    std::vector<std::pair<int, int>> above;
    for (size_t at = 0; at < level.size();) {
      const size_t take = std::min<size_t>(level.size() - at, random.between(4, 8));
      Page page{static_cast<int>(take) - 1, {}, {}};
      for (size_t k = 0; k < take; ++k) {
        page.children[k] = level[at + k].second;
        if (k)
          page.keys[k - 1] = level[at + k].first;
      }
      above.push_back({level[at].first, static_cast<int>(pages.size())});
      pages.push_back(page);
      at += take;
    }
    level = above;
    ++levels;
  }
  lanes::Buffer<Page> in(pages);
  lanes::Buffer<int> keys(count, [&](size_t) { return random.below(key + 5); }), found(count);
  treePages<<<(count + 127) / 128, 128>>>(in.data(), level[0].second, levels, keys.data(),
                                          found.data(), count);
  lanes::report("treePages", found);
  const auto wanted = keys.host();
  lanes::check("treePages", found.host() == lanes::expect<int>(count, [&](size_t i) {
                              return findPage(pages.data(), level[0].second, levels, wanted[i]);
                            }));
}

// The common ancestor of two nodes: the deeper climbs first, then both.
__global__ void treeAncestor(const int* parent, const int* depth, const int2* pairs, int* ancestor,
                             int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int a = pairs[i].x, b = pairs[i].y;
  while (depth[a] > depth[b])
    a = parent[a];
  while (depth[b] > depth[a])
    b = parent[b];
  while (a != b) {
    a = parent[a];
    b = parent[b];
  }
  ancestor[i] = a;
}

// The root of each node's set, and how many sets there are.
__global__ void treeRoots(const int* parent, int* root, int* sets, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int x = i, up = parent[i];
  while (up != x) {
    x = up;
    up = parent[x];
  }
  root[i] = x;
  if (x == i)
    atomicAdd(sets, 1);
}

void ancestors() {
  lanes::Random random(87);
  const int size = 2000, count = 5000;
  std::vector<int> parent(size), depth(size), forest(size);
  int trees = 0;
  for (int i = 1; i < size; ++i) {
    parent[i] = random.below(3) ? std::max(0, i - random.between(1, 40)) : random.below(i);
    depth[i] = depth[parent[i]] + 1;
    forest[i] = random.below(20) ? parent[i] : i;
  }
  for (int i = 0; i < size; ++i)
    trees += forest[i] == i;
  lanes::Buffer<int> parentIn(parent), depthIn(depth), forestIn(forest), ancestor(count),
      root(size), sets(1);
  lanes::Buffer<int2> pairs(count,
                            [&](size_t) { return int2{random.below(size), random.below(size)}; });
  treeAncestor<<<(count + 127) / 128, 128>>>(parentIn.data(), depthIn.data(), pairs.data(),
                                             ancestor.data(), count);
  lanes::report("treeAncestor", ancestor);
  treeRoots<<<(size + 127) / 128, 128>>>(forestIn.data(), root.data(), sets.data(), size);
  lanes::report("treeRoots", root);
  lanes::check("treeRoots", sets.host()[0] == trees);
}

// Gravity from a quadtree: a far cell counts as one body.
struct Cell {
  float x, y, mass, size;
  int child, next; // the first child, or 0; the cell behind this subtree
};

__global__ void treeGravity(const Cell* cells, int cellCount, const float2* bodies, float2* force,
                            float openness, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float2 p = bodies[i];
  float fx = 0, fy = 0;
  for (int c = 0; c < cellCount;) {
    Cell cell = cells[c];
    float dx = cell.x - p.x, dy = cell.y - p.y;
    float d2 = dx * dx + dy * dy + 1e-4f;
    if (cell.child != 0 && cell.size * cell.size > openness * d2) {
      c = cell.child;
      continue;
    }
    c = cell.next;
    if (cell.mass == 0.0f)
      continue;
    float inverse = 1.0f / sqrtf(d2);
    float pull = cell.mass * inverse * inverse * inverse;
    fx += pull * dx;
    fy += pull * dy;
  }
  force[i] = make_float2(fx, fy);
}

void gravity() {
  lanes::Random random(88);
  const int count = 2048;
  std::vector<Cell> cells;
  std::function<void(float, float, float, int)> split = [&](float x, float y, float size,
                                                            int depth) {
    const size_t id = cells.size();
    cells.push_back(
        {x + size * random.unit(), y + size * random.unit(), size * random.below(5), size, 0, 0});
    if (depth < 5 && (depth < 2 || random.below(2))) {
      cells[id].child = static_cast<int>(id) + 1;
      for (int k = 0; k < 4; ++k)
        split(x + (k & 1) * size / 2, y + (k >> 1) * size / 2, size / 2, depth + 1);
    }
    cells[id].next = static_cast<int>(cells.size());
  };
  split(0, 0, 1, 0);
  lanes::Buffer<Cell> in(cells);
  lanes::Buffer<float2> bodies(count, [&](size_t) { return float2{random.unit(), random.unit()}; }),
      force(count);
  treeGravity<<<count / 128, 128>>>(in.data(), static_cast<int>(cells.size()), bodies.data(),
                                    force.data(), 0.5f, count);
  const auto found = force.host();
  lanes::Buffer<float> size(count, [&](size_t i) { return std::hypot(found[i].x, found[i].y); });
  lanes::report("treeGravity", size);
}

// Huffman codes: a bit, a step down; at a leaf a letter, and back to the root.
__global__ void treeHuffman(const short2* tree, const unsigned int* bits, int words, int letters,
                            unsigned int* digest, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned int hash = 0;
  int position = 0, decoded = 0;
  while (decoded < letters) {
    int node = 0;
    do {
      if (position == words * 32)
        goto empty;
      unsigned int bit = bits[i * words + position / 32] >> (position % 32) & 1;
      node = bit ? tree[node].y : tree[node].x;
      ++position;
    } while (node > 0);
    hash = hash * 31 + (unsigned int)-node;
    ++decoded;
  }
empty:
  digest[i] = hash + decoded;
}

void huffman() {
  lanes::Random random(89);
  const int count = 4096, words = 3;
  // Inner nodes are positive; a letter is the negative of its code.
  const std::vector<short2> tree = {{1, 2},   {-1, 3}, {4, 5},   {-2, -3},  {-4, 6},   {7, 8},
                                    {-5, -6}, {-7, 9}, {-8, 10}, {-9, -10}, {-11, 11}, {-12, -13}};
  lanes::Buffer<short2> in(tree);
  lanes::Buffer<unsigned int> bits(count * words, [&](size_t) { return random.next(); }),
      digest(count);
  treeHuffman<<<count / 128, 128>>>(in.data(), bits.data(), words, 20, digest.data(), count);
  lanes::report("treeHuffman", digest);
}

} // namespace

int main() {
  searchTrees();
  boxes();
  nearestPoints();
  tries();
  octree();
  pageTree();
  ancestors();
  gravity();
  huffman();
  return lanes::status();
}
