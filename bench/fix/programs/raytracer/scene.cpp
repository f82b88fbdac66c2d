// SPDX-License-Identifier: Apache-2.0
#include "scene.h"
#include <algorithm>
#include <random>

static float axis(const vec3& v, int a) { return a == 0 ? v.x : a == 1 ? v.y : v.z; }

static void build(Scene& s, int node, int first, int count)
{
  vec3 lo(1e30f, 1e30f, 1e30f), hi(-1e30f, -1e30f, -1e30f);
  for (int i = first; i < first + count; i++) {
    const Sphere& b = s.spheres[i];
    lo = vec3(std::min(lo.x, b.centre.x - b.radius), std::min(lo.y, b.centre.y - b.radius), std::min(lo.z, b.centre.z - b.radius));
    hi = vec3(std::max(hi.x, b.centre.x + b.radius), std::max(hi.y, b.centre.y + b.radius), std::max(hi.z, b.centre.z + b.radius));
  }
  BvhNode n;
  n.lo = lo;
  n.hi = hi;
  n.left = -1;
  n.first = first;
  n.count = count;
  if (count > 3) {
    vec3 size = hi - lo;
    int a = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    std::sort(s.spheres.begin() + first, s.spheres.begin() + first + count,
              [a](const Sphere& p, const Sphere& q) { return axis(p.centre, a) < axis(q.centre, a); });
    n.left = (int)s.nodes.size();
    n.count = 0;
    s.nodes.resize(s.nodes.size() + 2);
    int half = count / 2;
    s.nodes[node] = n;
    build(s, n.left, first, half);
    build(s, n.left + 1, first + half, count - half);
  } else
    s.nodes[node] = n;
}

Scene make_scene(int count)
{
  std::mt19937 rng(5);
  auto u = [&rng] { return (float)(rng() % 10000) / 10000.0f; };
  Scene s;
  s.spheres.push_back({vec3(0, -1000, 0), 1000, vec3(0.5f, 0.5f, 0.5f), 0.0f});
  for (int i = 1; i < count; i++) {
    float r = 0.15f + 0.3f * u();
    s.spheres.push_back({vec3(8 * u() - 4, r, 8 * u() - 5), r, vec3(0.2f + 0.8f * u(), 0.2f + 0.8f * u(), 0.2f + 0.8f * u()),
                         i % 3 == 0 ? 0.7f : 0.0f});
  }
  s.nodes.resize(1);
  build(s, 0, 0, count);
  return s;
}
