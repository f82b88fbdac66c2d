// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>
#include "vec3.h"

struct Sphere {
  vec3 centre;
  float radius;
  vec3 colour;
  float mirror;  // how much of the light is reflected
};

// Children of an inner node are `left` and `left + 1`; a leaf holds `count` spheres from `first`.
struct BvhNode {
  vec3 lo, hi;
  int left;
  int first, count;
};

struct Scene {
  std::vector<Sphere> spheres;
  std::vector<BvhNode> nodes;
};

Scene make_scene(int count);
