// SPDX-License-Identifier: Apache-2.0
//
// Rays and fractals: steps through space until something is hit, the ray is gone, or a number
// escapes.
#include "lanes.cuh"

namespace {

struct Vec {
  float x, y, z;
};
__host__ __device__ Vec operator+(Vec a, Vec b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ Vec operator-(Vec a, Vec b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ Vec operator*(Vec a, float s) {
  return {a.x * s, a.y * s, a.z * s};
}
__host__ __device__ float dot(Vec a, Vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ float length(Vec a) {
  return sqrtf(dot(a, a));
}
__host__ __device__ Vec normalize(Vec a) {
  return a * (1.0f / length(a));
}

__host__ __device__ Vec cameraRay(int px, int py, int width, int height) {
  return normalize(
      {(px - width * 0.5f) / width * 2.0f, (py - height * 0.5f) / height * 2.0f, 1.7f});
}

// Spheres by their distance.
__host__ __device__ float marchToSphere(const float4* spheres, int n, Vec direction, int* steps) {
  float t = 0.0f;
  for (int s = 0; s < 48; ++s) {
    Vec p = direction * t;
    float nearest = 1e9f;
    for (int k = 0; k < n; ++k) {
      Vec to = p - Vec{spheres[k].x, spheres[k].y, spheres[k].z};
      nearest = fminf(nearest, length(to) - spheres[k].w);
    }
    if (nearest < 0.002f) {
      *steps = s;
      return t;
    }
    t += nearest;
    if (t > 20.0f)
      break;
  }
  *steps = -1;
  return -1.0f;
}

__global__ void marchSpheres(const float4* spheres, int n, float* depth, int* steps, int width,
                             int height) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  int i = py * width + px;
  depth[i] = marchToSphere(spheres, n, cameraRay(px, py, width, height), &steps[i]);
}

void spheres() {
  lanes::Random random(121);
  const int width = 60, height = 44, n = 6;
  lanes::Buffer<float4> in(n, [&](size_t) {
    return float4{random.within(-3, 3), random.within(-3, 3), random.within(4, 12),
                  random.within(0.5f, 1.3f)};
  });
  lanes::Buffer<float> depth(width * height);
  lanes::Buffer<int> steps(width * height);
  marchSpheres<<<dim3(4, 6), dim3(16, 8)>>>(in.data(), n, depth.data(), steps.data(), width,
                                            height);
  lanes::report("marchSpheres", depth);
  const auto scene = in.host();
  const auto want = lanes::expect<float>(width * height, [&](size_t i) {
    int s;
    return marchToSphere(scene.data(), n, cameraRay((int)i % width, (int)i / width, width, height),
                         &s);
  });
  lanes::check("marchSpheres", lanes::close(depth.host(), want, 1e-2, 0.02));
}

// A ring on a floor, with a soft shadow: a second march from where the first one ended.
__device__ float ringScene(Vec p) {
  float around = sqrtf(p.x * p.x + p.z * p.z) - 1.2f;
  float ring = sqrtf(around * around + p.y * p.y) - 0.4f;
  return fminf(ring, p.y + 0.8f);
}

__global__ void marchRing(float* image, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height)
    return;
  Vec eye = {0.0f, 1.5f, -4.0f};
  Vec ray =
      normalize({(i % width) * 2.4f / width - 1.2f, 0.4f - (i / width) * 1.6f / height, 1.5f});
  float t = 0.1f, d = 1.0f;
  int turns = 0;
  while (turns < 60 && t < 15.0f) {
    d = ringScene(eye + ray * t);
    if (d < 0.001f * t)
      break;
    t += d;
    ++turns;
  }
  if (t >= 15.0f || turns == 60) {
    image[i] = 0.1f;
    return;
  }
  Vec at = eye + ray * t, light = normalize({0.5f, 1.0f, -0.3f});
  float shade = 1.0f;
  for (float s = 0.05f; s < 4.0f;) {
    float h = ringScene(at + light * s);
    if (h < 0.001f) {
      shade = 0.0f;
      break;
    }
    shade = fminf(shade, 8.0f * h / s);
    s += h > 0.02f ? h : 0.02f;
  }
  image[i] = 0.2f + 0.8f * shade;
}

void ring() {
  const int width = 64, height = 48;
  lanes::Buffer<float> image(width * height);
  marchRing<<<width * height / 128, 128>>>(image.data(), width, height);
  lanes::report("marchRing", image);
}

// Cells of a grid along a ray, one border after the other.
__global__ void marchVoxels(const unsigned int* solid, const float* rays, int3* hit, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float ox = rays[i * 6], oy = rays[i * 6 + 1], oz = rays[i * 6 + 2];
  float dx = rays[i * 6 + 3], dy = rays[i * 6 + 4], dz = rays[i * 6 + 5];
  int x = (int)ox, y = (int)oy, z = (int)oz;
  int sx = dx > 0 ? 1 : -1, sy = dy > 0 ? 1 : -1, sz = dz > 0 ? 1 : -1;
  float stepX = fabsf(1.0f / dx), stepY = fabsf(1.0f / dy), stepZ = fabsf(1.0f / dz);
  float nextX = (dx > 0 ? x + 1 - ox : ox - x) * stepX;
  float nextY = (dy > 0 ? y + 1 - oy : oy - y) * stepY;
  float nextZ = (dz > 0 ? z + 1 - oz : oz - z) * stepZ;
  int face = 0;
  while (true) {
    if (solid[z * 32 + y] >> x & 1) {
      hit[i] = make_int3(x | y << 8 | z << 16, face, 1);
      return;
    }
    if (nextX < nextY) {
      if (nextX < nextZ) {
        x += sx;
        nextX += stepX;
        face = 1;
      } else {
        z += sz;
        nextZ += stepZ;
        face = 3;
      }
    } else if (nextY < nextZ) {
      y += sy;
      nextY += stepY;
      face = 2;
    } else {
      z += sz;
      nextZ += stepZ;
      face = 3;
    }
    if (((x | y | z) & ~31) != 0)
      break;
  }
  hit[i] = make_int3(0, face, 0);
}

void voxels() {
  lanes::Random random(122);
  const int count = 4096;
  lanes::Buffer<unsigned int> solid(32 * 32, [&](size_t i) {
    const bool inside = i / 32 > 6 && i % 32 < 26;
    return inside && random.below(2) ? random.next() & random.next() & random.next() & random.next()
                                     : 0u;
  });
  lanes::Buffer<float> rays(count * 6, [&](size_t k) {
    if (k % 6 < 3)
      return static_cast<float>(random.between(1, 250)) / 8;
    return static_cast<float>(random.between(1, 64) * (random.below(2) ? 1 : -1)) / 64;
  });
  lanes::Buffer<int3> hit(count);
  marchVoxels<<<count / 128, 128>>>(solid.data(), rays.data(), hit.data(), count);
  lanes::report("marchVoxels", hit);
}

// Terrain: steps that grow with distance, then halving between the last two.
__device__ float terrainHeight(const float* map, float x, float z) {
  int ix = (int)floorf(x), iz = (int)floorf(z);
  float fx = x - ix, fz = z - iz;
  ix &= 31, iz &= 31;
  int jx = (ix + 1) & 31, jz = (iz + 1) & 31;
  float a = map[iz * 32 + ix], b = map[iz * 32 + jx], c = map[jz * 32 + ix], d = map[jz * 32 + jx];
  return (a * (1 - fx) + b * fx) * (1 - fz) + (c * (1 - fx) + d * fx) * fz;
}

__global__ void marchTerrain(const float* map, float* distance, int columns, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= columns * rows)
    return;
  float dx = (i % columns - columns / 2) * 0.02f, dy = 0.15f - (i / columns) * 0.03f;
  float t = 0.2f, before = 0.0f, step = 0.2f;
  bool hit = false;
  while (t < 40.0f) {
    float y = 3.0f + dy * t;
    if (y > 4.0f && dy > 0.0f)
      break;
    if (y < terrainHeight(map, 16.0f + dx * t, t)) {
      hit = true;
      break;
    }
    before = t;
    t += step;
    step *= 1.03f;
  }
  if (hit) {
    for (int k = 0; k < 8; ++k) {
      float middle = 0.5f * (before + t);
      if (3.0f + dy * middle < terrainHeight(map, 16.0f + dx * middle, middle))
        t = middle;
      else
        before = middle;
    }
  }
  distance[i] = hit ? t : -1.0f;
}

void terrain() {
  lanes::Random random(123);
  lanes::Buffer<float> map(1024, [&](size_t) { return random.unit() * random.within(0.5f, 4.0f); });
  lanes::Buffer<float> distance(64 * 40);
  marchTerrain<<<20, 128>>>(map.data(), distance.data(), 64, 40);
  lanes::report("marchTerrain", distance);
}

// The Mandelbrot set, in whole numbers: the parts that are known to be inside are left out.
__host__ __device__ int escapeTime(int cx, int cy, int limit) {
  const int bits = 12, one = 1 << bits;
  int q = (((cx - one / 4) >> 3) * ((cx - one / 4) >> 3) >> (bits - 6)) +
          ((cy >> 3) * (cy >> 3) >> (bits - 6));
  if ((long long)q * (q + cx - one / 4) * 4 <= (long long)cy * cy)
    return limit;
  int x = 0, y = 0, oldX = 0, oldY = 0, check = 8;
  for (int n = 0; n < limit; ++n) {
    int xx = x * x >> bits, yy = y * y >> bits;
    if (xx + yy > 4 * one)
      return n;
    y = (x * y >> (bits - 1)) + cy;
    x = xx - yy + cx;
    if (x == oldX && y == oldY)
      return limit;
    if (n == check) {
      oldX = x, oldY = y;
      check *= 2;
    }
  }
  return limit;
}

__global__ void fractalMandelbrot(unsigned char* image, int width, int height, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    image[y * width + x] =
        (unsigned char)escapeTime(x * 12288 / width - 9216, y * 9216 / height - 4608, limit);
}

void mandelbrot() {
  const int width = 72, height = 52, limit = 100;
  lanes::Buffer<unsigned char> image(width * height);
  fractalMandelbrot<<<dim3(5, 7), dim3(16, 8)>>>(image.data(), width, height, limit);
  lanes::report("fractalMandelbrot", image);
  lanes::check("fractalMandelbrot",
               image.host() == lanes::expect<unsigned char>(width * height, [&](size_t i) {
                 const int x = (int)i % width, y = (int)i / width;
                 return (unsigned char)escapeTime(x * 12288 / width - 9216,
                                                  y * 9216 / height - 4608, limit);
               }));
}

// Newton's fractal of z^3 = 1: which root, and how soon.
__global__ void fractalNewton(unsigned char* root, float* speed, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side)
    return;
  float x = (i % side) * 4.0f / side - 2.0f + 0.013f, y = (i / side) * 4.0f / side - 2.0f + 0.017f;
  int k, which = 0;
  for (k = 0; k < 40 && which == 0; ++k) {
    float x2 = x * x, y2 = y * y, r = x2 + y2;
    float d = 3.0f * r * r;
    if (d < 1e-9f)
      break;
    float nx = (2.0f * x + (x2 - y2) / (r * r)) / 3.0f;
    float ny = (2.0f * y - 2.0f * x * y / (r * r)) / 3.0f;
    x = nx, y = ny;
    if ((x - 1.0f) * (x - 1.0f) + y * y < 1e-4f)
      which = 1;
    else if ((x + 0.5f) * (x + 0.5f) + (y - 0.8660254f) * (y - 0.8660254f) < 1e-4f)
      which = 2;
    else if ((x + 0.5f) * (x + 0.5f) + (y + 0.8660254f) * (y + 0.8660254f) < 1e-4f)
      which = 3;
  }
  root[i] = (unsigned char)which;
  speed[i] = (float)k;
}

void newtonFractal() {
  const int side = 64;
  lanes::Buffer<unsigned char> root(side * side);
  lanes::Buffer<float> speed(side * side);
  fractalNewton<<<side * side / 256, 256>>>(root.data(), speed.data(), side);
  lanes::report("fractalNewton", speed);
}

// Paths of light between spheres of three materials; a path ends in the sky, by chance, or after
// ten bounces.
struct Ball {
  Vec center;
  float radius;
  int material; // 0 dull, 1 mirror, 2 lamp
  float colour;
};

__device__ unsigned int hashNext(unsigned int& s) {
  s = s * 747796405u + 2891336453u;
  unsigned int w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
  return (w >> 22) ^ w;
}
__device__ float hashUnit(unsigned int& s) {
  return (hashNext(s) >> 8) * (1.0f / 16777216.0f);
}

__device__ Vec anyDirection(unsigned int& seed) {
  Vec v;
  do {
    v = {hashUnit(seed) * 2 - 1, hashUnit(seed) * 2 - 1, hashUnit(seed) * 2 - 1};
  } while (dot(v, v) > 1.0f || dot(v, v) < 0.001f);
  return normalize(v);
}

__device__ int closestBall(const Ball* balls, int n, Vec origin, Vec direction, float* distance) {
  int found = -1;
  *distance = 1e9f;
  for (int b = 0; b < n; ++b) {
    Vec to = balls[b].center - origin;
    float along = dot(to, direction);
    if (along < 0.0f && dot(to, to) > balls[b].radius * balls[b].radius)
      continue;
    float off = dot(to, to) - along * along, r2 = balls[b].radius * balls[b].radius;
    if (off > r2)
      continue;
    float half = sqrtf(r2 - off), t = along - half;
    if (t < 1e-3f)
      t = along + half;
    if (t > 1e-3f && t < *distance) {
      *distance = t;
      found = b;
    }
  }
  return found;
}

__global__ void pathBounces(const Ball* balls, int n, float* light, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height)
    return;
  unsigned int seed = i * 9781u + 1u;
  Vec origin = {0, 0, -6}, direction = cameraRay(i % width, i / width, width, height);
  float weight = 1.0f, sum = 0.0f;
  for (int bounce = 0; bounce < 10; ++bounce) {
    float t;
    int b = closestBall(balls, n, origin, direction, &t);
    if (b < 0) {
      sum += weight * (0.5f + 0.5f * direction.y);
      break;
    }
    origin = origin + direction * t;
    Vec normal = normalize(origin - balls[b].center);
    if (dot(normal, direction) > 0.0f)
      normal = normal * -1.0f;
    if (balls[b].material == 2) {
      sum += weight * 4.0f;
      break;
    }
    weight *= balls[b].colour;
    if (balls[b].material == 1) {
      direction = direction - normal * (2.0f * dot(direction, normal));
    } else {
      direction = normalize(normal + anyDirection(seed) * 0.99f);
      if (bounce > 2) {
        if (hashUnit(seed) > weight)
          break;
        weight = 1.0f;
      }
    }
    origin = origin + normal * 1e-3f;
  }
  light[i] = sum;
}

void paths() {
  lanes::Random random(124);
  const int width = 64, height = 40, n = 9;
  lanes::Buffer<Ball> balls(n, [&](size_t b) {
    if (b == 0)
      return Ball{{0, -103, 0}, 100, 0, 0.8f};
    return Ball{{random.within(-3, 3), random.within(-2, 2), random.within(-1, 4)},
                random.within(0.5f, 1.2f),
                random.below(3),
                random.within(0.5f, 0.95f)};
  });
  lanes::Buffer<float> light(width * height);
  pathBounces<<<width * height / 128, 128>>>(balls.data(), n, light.data(), width, height);
  lanes::report("pathBounces", light);
}

// Smoke: light gathered along a ray through a block of densities, until little is left.
__global__ void marchSmoke(const float* density, float2* result, int rays) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rays)
    return;
  int x = r % 16, y = r / 16 % 16;
  float clear = 1.0f, glow = 0.0f;
  int skipped = 0;
  for (int z = (r / 256) % 8; z < 64; ++z) {
    float d = density[(z * 16 + y) * 16 + x];
    if (d <= 0.0f) {
      ++skipped;
      continue;
    }
    float absorbed = 1.0f - expf(-d);
    if (d > 1.5f)
      glow += clear * absorbed * (2.0f + 0.5f * d);
    else
      glow += clear * absorbed;
    clear *= 1.0f - absorbed;
    if (clear < 0.02f)
      break;
  }
  result[r] = make_float2(glow, clear + skipped);
}

void smoke() {
  lanes::Random random(125);
  const int rays = 4096;
  lanes::Buffer<float> density(64 * 256, [&](size_t i) {
    const float fog = static_cast<float>(i % 256) / 256;
    return random.unit() < fog * 0.7f ? random.unit() * random.within(0.1f, 2.5f) : 0.0f;
  });
  lanes::Buffer<float2> result(rays);
  marchSmoke<<<rays / 128, 128>>>(density.data(), result.data(), rays);
  const auto found = result.host();
  lanes::Buffer<float> glow(rays, [&](size_t i) { return found[i].x; });
  lanes::report("marchSmoke", glow);
}

// Walls of a maze seen from inside, a ray for each column of each view.
__global__ void marchWalls(const char* maze, const float3* viewers, float* wallHeight, int columns,
                           int views) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= columns * views)
    return;
  float3 v = viewers[i / columns];
  float angle = v.z + ((i % columns) - columns / 2) * (1.0f / columns);
  float dx = cosf(angle), dy = sinf(angle);
  int mx = (int)v.x, my = (int)v.y, side = 0;
  float perX = dx == 0 ? 1e30f : fabsf(1 / dx), perY = dy == 0 ? 1e30f : fabsf(1 / dy);
  int sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
  float nextX = (dx < 0 ? v.x - mx : mx + 1.0f - v.x) * perX;
  float nextY = (dy < 0 ? v.y - my : my + 1.0f - v.y) * perY;
  while (maze[my * 24 + mx] != '#') {
    if (nextX < nextY) {
      nextX += perX;
      mx += sx;
      side = 0;
    } else {
      nextY += perY;
      my += sy;
      side = 1;
    }
  }
  float distance = side == 0 ? nextX - perX : nextY - perY;
  wallHeight[i] = fminf(8.0f, 1.0f / fmaxf(distance, 0.01f)) * (side ? 0.8f : 1.0f);
}

void walls() {
  lanes::Random random(126);
  const int columns = 80, views = 40;
  std::vector<char> maze(24 * 24, '.');
  for (int k = 0; k < 24 * 24; ++k)
    if (k < 24 || k >= 23 * 24 || k % 24 == 0 || k % 24 == 23 || random.below(7) == 0)
      maze[k] = '#';
  lanes::Buffer<char> in(maze);
  lanes::Buffer<float3> viewers(views, [&](size_t) {
    return float3{random.within(1.1f, 22.9f), random.within(1.1f, 22.9f), random.within(0, 6.28f)};
  });
  lanes::Buffer<float> height(columns * views);
  marchWalls<<<(columns * views + 127) / 128, 128>>>(in.data(), viewers.data(), height.data(),
                                                     columns, views);
  lanes::report("marchWalls", height);
}

// A beam in a stack of glass plates: it is bent, thrown back, or leaves.
__global__ void pathLayers(const float* index, int layers, float* power, int* outcome, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sine = (i % 199) / 200.0f, left = 1.0f;
  int layer = 0, heading = 1, result = 0;
  for (int crossing = 0; crossing < 64; ++crossing) {
    int next = layer + heading;
    if (next < 0) {
      result = 1;
      break;
    }
    if (next >= layers) {
      result = 2;
      break;
    }
    float bent = sine * index[layer] / index[next];
    left *= 0.97f;
    if (bent >= 1.0f) {
      heading = -heading;
    } else if (((i * 31 + crossing * 7) & 15) == 0) {
      heading = -heading;
      left *= 0.3f;
    } else {
      sine = bent;
      layer = next;
    }
    if (left < 0.05f) {
      result = 3;
      break;
    }
  }
  power[i] = left;
  outcome[i] = result;
}

void layers() {
  lanes::Random random(127);
  const int count = 5000, plates = 14;
  lanes::Buffer<float> index(plates,
                             [&](size_t k) { return k == 0 ? 1.3f : random.within(1.0f, 1.9f); }),
      power(count);
  lanes::Buffer<int> outcome(count);
  pathLayers<<<(count + 127) / 128, 128>>>(index.data(), plates, power.data(), outcome.data(),
                                           count);
  lanes::report("pathLayers", power);
}

// Does one field of a map see the other? Bresenham's line, until something stands in the way.
__host__ __device__ bool sees(const unsigned char* height, int side, int x0, int y0, int x1,
                              int y1) {
  int dx = x1 > x0 ? x1 - x0 : x0 - x1, dy = y1 > y0 ? y0 - y1 : y1 - y0;
  int sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1, error = dx + dy;
  int eye = height[y0 * side + x0] + 2;
  while (x0 != x1 || y0 != y1) {
    if (height[y0 * side + x0] > eye)
      return false;
    int twice = 2 * error;
    if (twice >= dy) {
      error += dy;
      x0 += sx;
    }
    if (twice <= dx) {
      error += dx;
      y0 += sy;
    }
  }
  return true;
}

__global__ void marchSight(const unsigned char* height, int side, const uchar4* pairs,
                           unsigned int* visible, int* total, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool clear = false;
  if (i < count)
    clear = sees(height, side, pairs[i].x, pairs[i].y, pairs[i].z, pairs[i].w);
  unsigned int votes = __ballot_sync(0xffffffffu, clear);
  if ((threadIdx.x & 31) == 0) {
    visible[i / 32] = votes;
    if (votes != 0)
      atomicAdd(total, __popc(votes));
  }
}

void sight() {
  lanes::Random random(128);
  const int side = 64, count = 6000, blocks = (count + 127) / 128;
  lanes::Buffer<unsigned char> height(side * side, [&](size_t) {
    return static_cast<unsigned char>(random.below(12) ? random.below(6) : random.below(16));
  });
  lanes::Buffer<uchar4> pairs(count, [&](size_t) {
    auto place = [&] { return static_cast<unsigned char>(random.below(side)); };
    return uchar4{place(), place(), place(), place()};
  });
  lanes::Buffer<unsigned int> visible(blocks * 4);
  lanes::Buffer<int> total(1);
  marchSight<<<blocks, 128>>>(height.data(), side, pairs.data(), visible.data(), total.data(),
                              count);
  lanes::report("marchSight", visible);
  int want = 0;
  const auto map = height.host();
  for (const auto& p : pairs.host())
    want += sees(map.data(), side, p.x, p.y, p.z, p.w);
  lanes::check("marchSight", total.host()[0] == want);
}

// Lyapunov's fractal: growth that goes by a word of two letters; a cell ends when it runs away.
__global__ void fractalLyapunov(const char* word, int letters, float* exponent, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side)
    return;
  float a = 2.5f + 1.5f * (i % side) / side, b = 2.5f + 1.5f * (i / side) / side;
  float x = 0.5f, sum = 0.0f;
  int n = 0;
  for (int round = 0; round < 8; ++round) {
    for (int k = 0; k < letters; ++k) {
      float r = word[k] == 'A' ? a : b;
      x = r * x * (1.0f - x);
      float slope = fabsf(r * (1.0f - 2.0f * x));
      if (slope < 1e-6f)
        continue;
      sum += logf(slope);
      ++n;
      if (sum < -30.0f)
        goto settled;
    }
  }
settled:
  exponent[i] = n > 0 ? sum / n : 0.0f;
}

void lyapunov() {
  const int side = 56;
  const char word[] = "AABABB";
  lanes::Buffer<char> in(std::vector<char>(word, word + 6));
  lanes::Buffer<float> exponent(side * side);
  fractalLyapunov<<<(side * side + 63) / 64, 64>>>(in.data(), 6, exponent.data(), side);
  lanes::report("fractalLyapunov", exponent);
}

} // namespace

int main() {
  spheres();
  ring();
  voxels();
  terrain();
  mandelbrot();
  newtonFractal();
  paths();
  smoke();
  walls();
  layers();
  sight();
  lyapunov();
  return lanes::status();
}
