// SPDX-License-Identifier: Apache-2.0
//
// Kernels of applications: molecules, options, bodies, queues, solvers, fluids, neurons, meshes.
// Each mixes loops, guards, divisions and shared memory as its subject wants it.
#include "lanes.cuh"

#include <algorithm>
#include <utility>

struct Simulation {
  float box, cutoff, sigma, epsilon, switchAt;
  int cells;
};

__device__ inline float nearestImage(float d, float box) {
  if (d > 0.5f * box)
    d -= box;
  else if (d < -0.5f * box)
    d += box;
  return d;
}

// Forces between molecules by lists of cells, with a cutoff that is smoothed.
__global__ void appMolecules(const float4* atoms, const int* cellStart, const int* cellAtoms, int n,
                             Simulation s, float4* forces) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float4 a = atoms[i];
  const float width = s.box / s.cells;
  const int cx = min(int(a.x / width), s.cells - 1), cy = min(int(a.y / width), s.cells - 1),
            cz = min(int(a.z / width), s.cells - 1);
  float fx = 0.0f, fy = 0.0f, fz = 0.0f, energy = 0.0f;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        const int x = (cx + dx + s.cells) % s.cells, y = (cy + dy + s.cells) % s.cells,
                  z = (cz + dz + s.cells) % s.cells;
        const int cell = (z * s.cells + y) * s.cells + x;
        for (int k = cellStart[cell]; k < cellStart[cell + 1]; k++) {
          const int j = cellAtoms[k];
          if (j == i)
            continue;
          const float4 b = atoms[j];
          const float rx = nearestImage(a.x - b.x, s.box), ry = nearestImage(a.y - b.y, s.box),
                      rz = nearestImage(a.z - b.z, s.box);
          const float r2 = rx * rx + ry * ry + rz * rz;
          if (r2 >= s.cutoff * s.cutoff || r2 < 1e-4f)
            continue;
          const float q2 = s.sigma * s.sigma / r2, q6 = q2 * q2 * q2;
          float strength = 24.0f * s.epsilon * q6 * (2.0f * q6 - 1.0f) / r2;
          float bond = 4.0f * s.epsilon * q6 * (q6 - 1.0f);
          if (r2 > s.switchAt * s.switchAt) {
            const float r = sqrtf(r2), t = (s.cutoff - r) / (s.cutoff - s.switchAt);
            const float smooth = t * t * (3.0f - 2.0f * t);
            strength *= smooth;
            bond *= smooth;
          }
          fx += strength * rx;
          fy += strength * ry;
          fz += strength * rz;
          energy += 0.5f * bond;
        }
      }
  forces[i] = make_float4(fx, fy, fz, energy);
}

struct Option {
  float spot, strike, years, rate, volatility;
  int kind; // 0 European call, 1 American put, 2 American call with a barrier
};

constexpr int kSteps = 127;

// A binomial tree for each block; the level shrinks by one each step.
__global__ void appBinomial(const Option* options, float* prices) {
  __shared__ float level[kSteps + 1];
  const Option o = options[blockIdx.x];
  const int t = threadIdx.x;
  const float dt = o.years / kSteps, up = expf(o.volatility * sqrtf(dt)), down = 1.0f / up;
  const float discount = expf(-o.rate * dt);
  const float p = (expf(o.rate * dt) - down) / (up - down);
  float price = o.spot * powf(up, float(2 * t - kSteps));
  float payoff = o.kind == 1 ? o.strike - price : price - o.strike;
  if (payoff < 0.0f)
    payoff = 0.0f;
  if (o.kind == 2 && price > 1.6f * o.strike)
    payoff = 0.0f;
  level[t] = payoff;
  __syncthreads();
  for (int step = kSteps - 1; step >= 0; step--) {
    float value = 0.0f;
    if (t <= step) {
      value = discount * (p * level[t + 1] + (1.0f - p) * level[t]);
      if (o.kind != 0) {
        price = o.spot * powf(up, float(2 * t - step));
        const float now = o.kind == 1 ? o.strike - price : price - o.strike;
        if (o.kind == 2 && price > 1.6f * o.strike)
          value = 0.0f;
        else if (now > value)
          value = now;
      }
    }
    __syncthreads();
    if (t <= step)
      level[t] = value;
    __syncthreads();
  }
  if (t == 0)
    prices[blockIdx.x] = level[0];
}

__device__ inline unsigned xorshift(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// Paths of a price by drawing; a path that touches the barrier ends there.
__global__ void appBarrierPaths(Option o, float barrier, int steps, int paths, float* payoffs) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  unsigned state = 1234567u + path * 2654435761u;
  for (int k = 0; k < 4; k++)
    xorshift(state);
  const float dt = o.years / steps;
  const float drift = (o.rate - 0.5f * o.volatility * o.volatility) * dt;
  const float spread = o.volatility * sqrtf(dt);
  float price = o.spot, sum = 0.0f;
  float spare = 0.0f;
  bool hasSpare = false, out = false;
  for (int s = 0; s < steps; s++) {
    float normal;
    if (hasSpare) {
      normal = spare;
      hasSpare = false;
    } else {
      const float u = (xorshift(state) >> 8) * (1.0f / 16777216.0f) + 1e-7f;
      const float v = (xorshift(state) >> 8) * (6.2831853f / 16777216.0f);
      const float r = sqrtf(-2.0f * logf(u));
      normal = r * cosf(v);
      spare = r * sinf(v);
      hasSpare = true;
    }
    price *= expf(drift + spread * normal);
    if (price >= barrier) {
      out = true;
      break;
    }
    sum += price;
  }
  const float mean = sum / steps;
  payoffs[path] = out ? 0.0f : fmaxf(mean - o.strike, 0.0f) * expf(-o.rate * o.years);
}

constexpr int kBodyTile = 128;

// Bodies attract each other within a reach; tiles of them in shared memory.
__global__ void appBodies(const float4* bodies, int n, float reach, float softening,
                          float3* accelerations, int* neighbours) {
  __shared__ float4 tile[kBodyTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float3 a = make_float3(0.0f, 0.0f, 0.0f);
  int near = 0;
  for (int base = 0; base < n; base += kBodyTile) {
    if (base + int(threadIdx.x) < n)
      tile[threadIdx.x] = bodies[base + threadIdx.x];
    __syncthreads();
    const int count = min(kBodyTile, n - base);
    if (i < n)
      for (int k = 0; k < count; k++) {
        const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
        const float d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > reach * reach)
          continue;
        const float inverse = rsqrtf(d2 + softening);
        const float pull = tile[k].w * inverse * inverse * inverse;
        a.x += pull * dx;
        a.y += pull * dy;
        a.z += pull * dz;
        near++;
      }
    __syncthreads();
  }
  if (i < n) {
    accelerations[i] = a;
    neighbours[i] = near - 1;
  }
}

struct Shop {
  unsigned seed;
  int servers, gap, service, patience;
};

__host__ __device__ inline int drawTime(unsigned& state, int mean) {
  state = state * 1664525u + 1013904223u;
  const int ones = state >> 27, rest = int(state >> 8 & 1023);
  return 1 + mean * (ones < 16 ? rest : ones < 24 ? 1024 + rest : 2048 + 2 * rest) / 1024;
}

__host__ __device__ inline int4 simulateShop(Shop shop, int customers) {
  int freeAt[4] = {0, 0, 0, 0};
  int waiting[16];
  int head = 0, length = 0, clock = 0, arrived = 0, served = 0, lost = 0, left = 0, waited = 0;
  unsigned state = shop.seed;
  int next = drawTime(state, shop.gap);
  while (arrived < customers || length > 0) {
    int first = 0;
    for (int s = 1; s < shop.servers; s++)
      if (freeAt[s] < freeAt[first])
        first = s;
    const bool arrival = arrived < customers && (length == 0 || next <= freeAt[first]);
    if (arrival) {
      clock = next;
      next = clock + drawTime(state, shop.gap);
      arrived++;
      if (length == 0 && freeAt[first] <= clock) {
        freeAt[first] = clock + drawTime(state, shop.service);
        served++;
      } else if (length < 16) {
        waiting[(head + length++) & 15] = clock;
      } else {
        lost++;
      }
    } else {
      clock = max(clock, freeAt[first]);
      const int since = waiting[head];
      head = (head + 1) & 15;
      length--;
      if (clock - since > shop.patience) {
        left++;
        continue;
      }
      waited += clock - since;
      freeAt[first] = clock + drawTime(state, shop.service);
      served++;
    }
  }
  return make_int4(served, lost, left, waited);
}

// Shops with some tills, a queue, and customers without patience.
__global__ void appQueues(const Shop* shops, int n, int customers, int4* results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    results[i] = simulateShop(shops[i], customers);
}

__device__ float sumOfBlock(float value, float* scratch) {
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  if ((threadIdx.x & 31) == 0)
    scratch[threadIdx.x >> 5] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? scratch[threadIdx.x] : 0.0f;
    for (int offset = 16; offset > 0; offset >>= 1)
      value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x == 0)
      scratch[0] = value;
  }
  __syncthreads();
  value = scratch[0];
  __syncthreads();
  return value;
}

// Conjugate gradients: a block solves a system of 128 rows until it is good enough.
__global__ void appConjugate(const int* start, const int* column, const float* value,
                             const float* right, int most, float* solution, int* rounds) {
  __shared__ float p[128];
  __shared__ float scratch[32];
  const int row = threadIdx.x, system = blockIdx.x * 128;
  float x = 0.0f, r = right[system + row];
  p[row] = r;
  __syncthreads();
  float rr = sumOfBlock(r * r, scratch);
  const float goal = rr * 1e-6f;
  int round = 0;
  while (rr > goal && round < most) {
    float ap = 0.0f;
    for (int k = start[system + row]; k < start[system + row + 1]; k++)
      ap += value[k] * p[column[k]];
    const float alpha = rr / sumOfBlock(p[row] * ap, scratch);
    x += alpha * p[row];
    r -= alpha * ap;
    const float next = sumOfBlock(r * r, scratch);
    p[row] = r + next / rr * p[row];
    rr = next;
    round++;
    __syncthreads();
  }
  solution[system + row] = x;
  if (row == 0)
    rounds[blockIdx.x] = round;
}

// A step of a lattice fluid of nine directions; walls turn it back, the inlet is fixed.
__global__ void appFluid(const float* in, const unsigned char* wall, float* out, int width,
                         int height, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const float weight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                           1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
  const int cells = width * height, at = y * width + x;
  if (wall[at]) {
    for (int d = 0; d < 9; d++)
      out[d * cells + at] = weight[d];
    return;
  }
  float f[9], density = 0.0f, ux = 0.0f, uy = 0.0f;
  for (int d = 0; d < 9; d++) {
    const int sx = x - ex[d], sy = (y - ey[d] + height) % height;
    if (sx < 0)
      f[d] = weight[d] * (1.0f + 3.0f * 0.1f * ex[d]);
    else if (sx >= width)
      f[d] = in[d * cells + at];
    else if (wall[sy * width + sx])
      f[d] = in[back[d] * cells + at];
    else
      f[d] = in[d * cells + sy * width + sx];
    density += f[d];
    ux += f[d] * ex[d];
    uy += f[d] * ey[d];
  }
  if (density > 0.0f) {
    ux /= density;
    uy /= density;
  }
  const float square = 1.5f * (ux * ux + uy * uy);
  for (int d = 0; d < 9; d++) {
    const float along = 3.0f * (ex[d] * ux + ey[d] * uy);
    const float rest = weight[d] * density * (1.0f + along + 0.5f * along * along - square);
    out[d * cells + at] = f[d] + omega * (rest - f[d]);
  }
}

// Contours of a height field: sixteen cases of a cell, segments appended.
__global__ void appContours(const float* heights, int width, int height, float level, int* segments,
                            int room, float* lengths) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 1 || y >= height - 1)
    return;
  const int at = y * width + x;
  const float c[4] = {heights[at], heights[at + 1], heights[at + width + 1], heights[at + width]};
  int which = 0;
  for (int k = 0; k < 4; k++)
    if (c[k] > level)
      which |= 1 << k;
  if (which == 0 || which == 15)
    return;
  float px[4], py[4];
  int points = 0;
  for (int k = 0; k < 4; k++) {
    const int next = (k + 1) & 3;
    if ((which >> k & 1) == (which >> next & 1))
      continue;
    const float t = (level - c[k]) / (c[next] - c[k]);
    switch (k) {
    case 0:
      px[points] = t;
      py[points] = 0.0f;
      break;
    case 1:
      px[points] = 1.0f;
      py[points] = t;
      break;
    case 2:
      px[points] = 1.0f - t;
      py[points] = 1.0f;
      break;
    default:
      px[points] = 0.0f;
      py[points] = 1.0f - t;
    }
    points++;
  }
  for (int k = 0; k + 1 < points; k += 2) {
    const float dx = px[k + 1] - px[k], dy = py[k + 1] - py[k];
    const int place = atomicAdd(segments, 1);
    if (place < room)
      lengths[place] = sqrtf(dx * dx + dy * dy);
  }
}

struct Neuron {
  float v, u;
  int kind, rest;
};

// Spiking neurons in a ring: each has inputs from some others, and a rest after a spike.
__global__ void appNeurons(Neuron* neurons, const int* sources, const float* weights, int inputs,
                           int steps, int* spikes) {
  __shared__ unsigned fired[8];
  const int i = blockIdx.x * 256 + threadIdx.x;
  Neuron me = neurons[i];
  int count = 0;
  if (threadIdx.x < 8)
    fired[threadIdx.x] = 0x01010101u << (blockIdx.x & 7);
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    float current = me.kind == 0 ? 6.0f : 4.5f;
    for (int k = 0; k < inputs; k++) {
      const int from = sources[i * inputs + k];
      if (fired[from >> 5] >> (from & 31) & 1)
        current += weights[i * inputs + k];
    }
    bool spike = false;
    if (me.rest > 0) {
      me.rest--;
    } else {
      me.v += 0.5f * (0.04f * me.v * me.v + 5.0f * me.v + 140.0f - me.u + current);
      me.u += (me.kind == 0 ? 0.02f : 0.1f) * (0.2f * me.v - me.u);
      if (me.v >= 30.0f) {
        me.v = -65.0f;
        me.u += me.kind == 0 ? 8.0f : 2.0f;
        me.rest = me.kind == 0 ? 4 : 2;
        spike = true;
        count++;
      }
    }
    const unsigned mask = __ballot_sync(0xffffffffu, spike);
    __syncthreads();
    if ((threadIdx.x & 31) == 0)
      fired[threadIdx.x >> 5] = mask;
    __syncthreads();
  }
  neurons[i] = me;
  spikes[i] = count;
}

static void runParticles() {
  lanes::Random random(121);
  const int n = 6000;
  const Simulation s = {12.0f, 1.2f, 0.4f, 1.0f, 1.0f, 10};
  const std::vector<float4> atoms = lanes::expect<float4>(n, [&](size_t i) {
    const int side = 19, at = int(i);
    const float step = s.box / side; // a lattice that trembles, so that nobody is too near
    const float x = (at % side + 0.3f * random.unit()) * step;
    const float y = (at / side % side + 0.3f * random.unit()) * step;
    return make_float4(x, y, (at / side / side + 0.3f * random.unit()) * step, 1.0f);
  });
  std::vector<std::vector<int>> cells(s.cells * s.cells * s.cells);
  const auto cellOf = [&](float v) { return std::min(int(v / s.box * s.cells), s.cells - 1); };
  for (int i = 0; i < n; ++i)
    cells[(cellOf(atoms[i].z) * s.cells + cellOf(atoms[i].y)) * s.cells + cellOf(atoms[i].x)]
        .push_back(i);
  std::vector<int> start = {0}, members;
  for (const std::vector<int>& cell : cells) {
    members.insert(members.end(), cell.begin(), cell.end());
    start.push_back(int(members.size()));
  }
  const lanes::Buffer<float4> atomBuffer(atoms);
  const lanes::Buffer<int> starts(start), memberBuffer(members);
  lanes::Buffer<float4> forces(n);
  appMolecules<<<(n + 127) / 128, 128>>>(atomBuffer.data(), starts.data(), memberBuffer.data(), n,
                                         s, forces.data());
  std::vector<float> energies;
  for (const float4& f : forces.host())
    energies.push_back(f.w);
  lanes::report("appMolecules", lanes::Buffer<float>(energies));

  const int bodies = 3000;
  lanes::Buffer<float3> accelerations(bodies);
  lanes::Buffer<int> neighbours(bodies);
  appBodies<<<(bodies + kBodyTile - 1) / kBodyTile, kBodyTile>>>(
      atomBuffer.data(), bodies, 3.0f, 0.01f, accelerations.data(), neighbours.data());
  std::vector<float> near;
  for (const int count : neighbours.host())
    near.push_back(float(count));
  lanes::report("appBodies", lanes::Buffer<float>(near));

  const int nets = 60, inputs = 12;
  lanes::Buffer<Neuron> neurons(nets * 256, [&](size_t) {
    return Neuron{-70.0f + 30.0f * random.unit(), -14.0f, random.below(5) == 0, 0};
  });
  const lanes::Buffer<int> sources(nets * 256 * inputs, [&](size_t) { return random.below(256); });
  const lanes::Buffer<float> weights(nets * 256 * inputs,
                                     [&](size_t) { return random.within(-1.0f, 2.0f); });
  lanes::Buffer<int> spikes(nets * 256);
  appNeurons<<<nets, 256>>>(neurons.data(), sources.data(), weights.data(), inputs, 40,
                            spikes.data());
  double total = 0; // the last bits decide single spikes, so no more than about how many
  for (const int count : spikes.host())
    total += count;
  lanes::check("appNeurons", total > 1000);
}

static void runFinance() {
  lanes::Random random(122);
  const int n = 400;
  const lanes::Buffer<Option> options(n, [&](size_t i) {
    return Option{random.within(50.0f, 150.0f), 100.0f,    random.within(0.2f, 2.0f), 0.03f,
                  random.within(0.1f, 0.5f),    int(i % 3)};
  });
  lanes::Buffer<float> prices(n);
  appBinomial<<<n, kSteps + 1>>>(options.data(), prices.data());
  lanes::report("appBinomial", prices);

  const int paths = 20000;
  lanes::Buffer<float> payoffs(paths);
  appBarrierPaths<<<(paths + 127) / 128, 128>>>(Option{100.0f, 98.0f, 1.0f, 0.02f, 0.25f, 0},
                                                125.0f, 50, paths, payoffs.data());
  lanes::report("appBarrierPaths", payoffs);

  const int shops = 6000, customers = 60;
  const std::vector<Shop> list = lanes::expect<Shop>(shops, [&](size_t) {
    return Shop{random.next(), random.between(1, 4), random.between(20, 60),
                random.between(40, 150), random.between(50, 600)};
  });
  const lanes::Buffer<Shop> shopBuffer(list);
  lanes::Buffer<int4> results(shops);
  appQueues<<<(shops + 63) / 64, 64>>>(shopBuffer.data(), shops, customers, results.data());
  lanes::report("appQueues", results);
  const std::vector<int4> expected =
      lanes::expect<int4>(shops, [&](size_t i) { return simulateShop(list[i], customers); });
  lanes::check("appQueues", lanes::checksum(results.host()) == lanes::checksum(expected));
}

static void runFields() {
  lanes::Random random(123);
  const int systems = 100, rows = systems * 128;
  std::vector<int> start = {0}, column;
  std::vector<float> value;
  for (int s = 0; s < systems; ++s) {
    std::vector<std::vector<std::pair<int, float>>> links(128);
    for (int k = 0; k < 160; ++k) {
      const int a = random.below(128), b = random.below(128); // in this order
      const float weight = -random.unit();
      if (a == b)
        continue;
      links[a].push_back({b, weight});
      links[b].push_back({a, weight});
    }
    for (int row = 0; row < 128; ++row) {
      float diagonal = 0.2f + 0.02f * float(s);
      for (const auto& [to, weight] : links[row]) {
        column.push_back(to);
        value.push_back(weight);
        diagonal -= weight;
      }
      column.push_back(row);
      value.push_back(diagonal);
      start.push_back(int(column.size()));
    }
  }
  const lanes::Buffer<int> starts(start), columns(column);
  const lanes::Buffer<float> values(value), right(rows, [&](size_t) { return random.unit(); });
  lanes::Buffer<float> solution(rows);
  lanes::Buffer<int> rounds(systems);
  appConjugate<<<systems, 128>>>(starts.data(), columns.data(), values.data(), right.data(), 40,
                                 solution.data(), rounds.data());
  lanes::report("appConjugate", solution);

  const int width = 900, height = 500;
  const lanes::Buffer<unsigned char> wall(width * height, [&](size_t i) {
    const int x = int(i) % width - 120, y = int(i) / width - 250;
    return static_cast<unsigned char>(x * x + y * y < 900 || random.below(200) == 0);
  });
  const lanes::Buffer<float> before(9 * width * height,
                                    [&](size_t) { return 0.1f + 0.01f * random.unit(); });
  lanes::Buffer<float> after(9 * width * height);
  appFluid<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
      before.data(), wall.data(), after.data(), width, height, 1.2f);
  lanes::report("appFluid", after);

  const lanes::Buffer<float> heights(width * height, [&](size_t i) {
    const int x = int(i) % width, y = int(i) / width;
    return std::sin(0.05f * x) * std::cos(0.07f * y) + 0.1f * random.unit();
  });
  lanes::Buffer<int> segments(1);
  lanes::Buffer<float> lengths(200000);
  appContours<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
      heights.data(), width, height, 0.3f, segments.data(), 200000, lengths.data());
  std::vector<float> sorted = lengths.host(); // they come in any order
  std::sort(sorted.begin(), sorted.end());
  lanes::report("appContours", lanes::Buffer<float>(sorted));
}

int main() {
  runParticles();
  runFinance();
  runFields();
  return lanes::status();
}
