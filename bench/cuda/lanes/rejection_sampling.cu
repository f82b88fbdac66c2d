// SPDX-License-Identifier: Apache-2.0
//
// Chance: draws until one is accepted, random walks, simulations with a random number of steps.
// Every lane has a generator of its own.
#include "lanes.cuh"

namespace {

/// A generator for device and host.
struct Xorshift {
  unsigned int state;

  __host__ __device__ explicit Xorshift(unsigned int seed) {
    seed = (seed ^ 61u) ^ (seed >> 16);
    seed *= 9u;
    seed ^= seed >> 4;
    seed *= 0x27d4eb2du;
    state = (seed ^ (seed >> 15)) | 1u;
  }
  __host__ __device__ unsigned int next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  __host__ __device__ float unit() { return (float)(next() >> 8) * (1.0f / 16777216.0f); }
};

// Whole points in a disc.
__host__ __device__ int2 drawDisc(Xorshift& random, int radius) {
  int x, y;
  do {
    x = (int)(random.next() >> 16) % (2 * radius + 1) - radius;
    y = (int)(random.next() >> 16) % (2 * radius + 1) - radius;
  } while (x * x + y * y > radius * radius);
  return int2{x, y};
}

__host__ __device__ int discSum(int lane) {
  Xorshift random(lane);
  int sum = 0;
  for (int k = 0; k < 16; ++k) {
    int2 p = drawDisc(random, 500);
    sum += p.x * 3 + p.y;
  }
  return sum;
}

__global__ void chanceDisc(int* sums, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sums[i] = discSum(i);
}

void disc() {
  const int count = 4096;
  lanes::Buffer<int> sums(count);
  chanceDisc<<<count / 128, 128>>>(sums.data(), count);
  lanes::report("chanceDisc", sums);
  lanes::check("chanceDisc",
               sums.host() == lanes::expect<int>(count, [](size_t i) { return discSum((int)i); }));
}

// Normal numbers by the polar method; the second of a pair is kept for the next call.
__global__ void chanceNormal(float* means, int draws) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Xorshift random(i + 77);
  bool stored = false;
  float spare = 0.0f, sum = 0.0f;
  for (int d = 0; d < draws; ++d) {
    float value;
    if (stored) {
      value = spare;
      stored = false;
    } else {
      float u, v, s;
      while (true) {
        u = 2.0f * random.unit() - 1.0f;
        v = 2.0f * random.unit() - 1.0f;
        s = u * u + v * v;
        if (s < 1.0f && s > 0.0f)
          break;
      }
      float scale = sqrtf(-2.0f * logf(s) / s);
      value = u * scale;
      spare = v * scale;
      stored = true;
    }
    sum += fabsf(value);
  }
  means[i] = sum / draws;
}

void normal() {
  lanes::Buffer<float> means(4096);
  chanceNormal<<<32, 128>>>(means.data(), 21);
  lanes::report("chanceNormal", means);
  double sum = 0;
  for (float m : means.host())
    sum += m;
  lanes::check("chanceNormal", std::fabs(sum / 4096 - 0.7979) < 0.01);
}

// Gamma numbers of different shapes, by squeezing and, if that fails, by logarithms.
__device__ float drawNormal(Xorshift& random) {
  float sum = -6.0f;
  for (int k = 0; k < 12; ++k)
    sum += random.unit();
  return sum;
}

__device__ float drawGamma(Xorshift& random, float shape) {
  if (shape < 1.0f) {
    float u = random.unit() + 1e-7f;
    return drawGamma(random, shape + 1.0f) * expf(logf(u) / shape);
  }
  float d = shape - 1.0f / 3.0f, c = 1.0f / sqrtf(9.0f * d);
  for (;;) {
    float x = drawNormal(random), v = 1.0f + c * x;
    if (v <= 0.0f)
      continue;
    v = v * v * v;
    float u = random.unit();
    if (u < 1.0f - 0.0331f * x * x * x * x)
      return d * v;
    if (logf(u) < 0.5f * x * x + d * (1.0f - v + logf(v)))
      return d * v;
  }
}

__global__ void chanceGamma(const float* shapes, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Xorshift random(i * 3 + 1);
  float product = 0.0f;
  for (int k = 0; k < 4; ++k)
    product += drawGamma(random, shapes[(i + k) % 16]);
  out[i] = product;
}

void gamma() {
  lanes::Random random(101);
  const int count = 3000;
  lanes::Buffer<float> shapes(16, [&](size_t) { return random.within(0.2f, 4.0f); }), out(count);
  chanceGamma<<<(count + 127) / 128, 128>>>(shapes.data(), out.data(), count);
  lanes::report("chanceGamma", out);
}

// Poisson numbers: a product for small means, a sum of halves for large ones.
__global__ void chancePoisson(const float* means, int* arrivals, int count) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count)
    return;
  Xorshift random(1000 + i);
  float mean = means[i];
  int n = 0;
  while (mean > 12.0f) {
    int half = 0;
    for (int b = 0; b < 24; ++b)
      half += random.next() >> 31;
    n += half / 2;
    mean -= 6.0f;
  }
  float limit = expf(-mean), product = random.unit();
  while (product > limit) {
    ++n;
    product *= random.unit();
  }
  arrivals[i] = n;
}

void poisson() {
  lanes::Random random(102);
  const int count = 4096;
  lanes::Buffer<float> means(count, [&](size_t) {
    return random.below(5) ? random.within(0.1f, 4) : random.within(4, 40);
  });
  lanes::Buffer<int> arrivals(count);
  chancePoisson<<<count / 256, 256>>>(means.data(), arrivals.data(), count);
  const auto found = arrivals.host();
  lanes::Buffer<float> rounded(count, [&](size_t i) { return static_cast<float>(found[i]); });
  lanes::report("chancePoisson", rounded);
}

// A drunkard on a lattice with traps.
__host__ __device__ int walkToTrap(const unsigned int* traps, int lane, int limit) {
  Xorshift random(lane * 7 + 5);
  int x = 16, y = 16;
  for (int step = 1; step <= limit; ++step) {
    switch (random.next() >> 30) {
    case 0:
      ++x;
      break;
    case 1:
      --x;
      break;
    case 2:
      ++y;
      break;
    default:
      --y;
    }
    if (x < 0 || x > 31 || y < 0 || y > 31)
      return -step;
    if (traps[y] >> x & 1)
      return step;
  }
  return 0;
}

__global__ void chanceDrunkard(const unsigned int* traps, int* steps, int limit) {
  __shared__ unsigned int local[32];
  if (threadIdx.x < 32)
    local[threadIdx.x] = traps[threadIdx.x];
  __syncthreads();
  int lane = blockIdx.x * blockDim.x + threadIdx.x;
  steps[lane] = walkToTrap(local, lane, limit);
}

void drunkards() {
  lanes::Random random(103);
  const int count = 4096;
  lanes::Buffer<unsigned int> traps(
      32, [&](size_t) { return 1u << random.below(32) | 1u << random.below(32); });
  lanes::Buffer<int> steps(count);
  chanceDrunkard<<<count / 128, 128>>>(traps.data(), steps.data(), 150);
  lanes::report("chanceDrunkard", steps);
  const auto where = traps.host();
  lanes::check("chanceDrunkard", steps.host() == lanes::expect<int>(count, [&](size_t i) {
                                   return walkToTrap(where.data(), (int)i, 150);
                                 }));
}

// Gamblers who bet more when they lose.
__global__ void chanceGambler(const int* purse, int goal, int* rounds, int* ruined, int count) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= count)
    return;
  Xorshift random(g ^ 0x5bd1e995u);
  int money = purse[g], bet = 1, played = 0;
  while (money > 0 && money < goal && played < 200) {
    if (bet > money)
      bet = money;
    bool win = (random.next() >> 16) % 37 < 18;
    if (win) {
      money += bet;
      bet = 1;
    } else {
      money -= bet;
      bet *= 2;
    }
    ++played;
  }
  rounds[g] = played;
  if (money == 0)
    atomicAdd(ruined, 1);
}

void gamblers() {
  lanes::Random random(104);
  const int count = 5000;
  lanes::Buffer<int> purse(count, [&](size_t) { return random.between(5, 60); }), rounds(count),
      ruined(1);
  chanceGambler<<<(count + 127) / 128, 128>>>(purse.data(), 100, rounds.data(), ruined.data(),
                                              count);
  lanes::report("chanceGambler", rounds);
}

// Pi: the same work in every lane, added up by shuffles.
__global__ void chancePi(unsigned int* inside, int draws) {
  Xorshift random(blockIdx.x * blockDim.x + threadIdx.x + 12345);
  unsigned int hits = 0;
  for (int d = 0; d < draws; ++d) {
    float x = random.unit(), y = random.unit();
    if (x * x + y * y <= 1.0f)
      hits++;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    hits += __shfl_down_sync(0xffffffffu, hits, offset);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(inside, hits);
}

void pi() {
  lanes::Buffer<unsigned int> inside(1);
  chancePi<<<16, 256>>>(inside.data(), 64);
  const double found = 4.0 * inside.host()[0] / (4096.0 * 64);
  std::vector<int> rounded{static_cast<int>(std::lround(found * 100))};
  lanes::report("chancePi", lanes::Buffer<int>(rounded));
  lanes::check("chancePi", std::fabs(found - 3.14159) < 0.02);
}

// Atoms that decay through a chain of kinds with different half-lives.
enum Atom { Thorium, Radium, Radon, Polonium, Bismuth, Lead };

__global__ void chanceDecay(const unsigned char* kinds, unsigned int* histogram, int* lifetime,
                            int count) {
  __shared__ unsigned int counts[6];
  if (threadIdx.x < 6)
    counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    Xorshift random(i + 31337);
    int atom = kinds[i], time = 0;
    while (atom != Lead && time < 150) {
      unsigned int draw = random.next() >> 22;
      ++time;
      switch (atom) {
      case Thorium:
        if (draw < 20)
          atom = Radium;
        break;
      case Radium:
        if (draw < 60)
          atom = Radon;
        break;
      case Radon:
        if (draw < 300)
          atom = Polonium;
        break;
      case Polonium:
        if (draw >= 512)
          break;
        atom = draw < 100 ? Lead : Bismuth;
        break;
      case Bismuth:
        if (draw < 80)
          atom = Polonium;
        else if (draw < 100)
          atom = Lead;
        break;
      }
    }
    lifetime[i] = time;
    atomicAdd(&counts[atom], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 6)
    atomicAdd(&histogram[threadIdx.x], counts[threadIdx.x]);
}

void decay() {
  lanes::Random random(105);
  const int count = 4000;
  lanes::Buffer<unsigned char> kinds(
      count, [&](size_t) { return static_cast<unsigned char>(random.below(5)); });
  lanes::Buffer<unsigned int> histogram(6);
  lanes::Buffer<int> lifetime(count);
  chanceDecay<<<(count + 127) / 128, 128>>>(kinds.data(), histogram.data(), lifetime.data(), count);
  lanes::report("chanceDecay", lifetime);
  unsigned int total = 0;
  for (unsigned int h : histogram.host())
    total += h;
  lanes::check("chanceDecay", total == count);
}

// A ring of spins per lane, flipped by Metropolis' rule.
__global__ void chanceSpins(const float* temperatures, int sweeps, int* magnet, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Xorshift random(i * 11 + 3);
  float beta = 1.0f / temperatures[i];
  unsigned int spins = random.next();
  for (int s = 0; s < sweeps * 32; ++s) {
    int at = random.next() >> 27;
    int self = spins >> at & 1, left = spins >> ((at + 31) & 31) & 1,
        right = spins >> ((at + 1) & 31) & 1;
    int unlike = (self != left) + (self != right);
    if (unlike < 1) {
      if (random.unit() >= expf(-4.0f * beta))
        continue;
    }
    spins ^= 1u << at;
  }
  magnet[i] = __popc(spins);
}

void spins() {
  lanes::Random random(106);
  const int count = 2048;
  lanes::Buffer<float> temperatures(count, [&](size_t) { return random.within(0.5f, 5.0f); });
  lanes::Buffer<int> magnet(count);
  chanceSpins<<<count / 64, 64>>>(temperatures.data(), 4, magnet.data(), count);
  const auto found = magnet.host();
  lanes::Buffer<float> rounded(count, [&](size_t i) { return static_cast<float>(found[i]); });
  lanes::report("chanceSpins", rounded);
}

// A counter with one clerk: whole minutes, customers that give up.
struct Shop {
  int served, lost, busy;
};

__global__ void chanceShop(const int* rate, Shop* shops, int minutes, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Xorshift random(i + 555);
  Shop shop = {0, 0, 0};
  int queue = 0, left = 0;
  for (int m = 0; m < minutes; ++m) {
    if ((int)(random.next() >> 25) < rate[i]) {
      if (queue == 5)
        ++shop.lost;
      else
        ++queue;
    }
    if (left == 0) {
      if (queue == 0)
        continue;
      --queue;
      left = 1;
      while (left < 10 && (random.next() & 0x30000u))
        ++left;
    }
    ++shop.busy;
    if (--left == 0)
      ++shop.served;
  }
  shops[i] = shop;
}

void shop() {
  lanes::Random random(107);
  const int count = 3000;
  lanes::Buffer<int> rate(count, [&](size_t) { return random.between(5, 60); });
  lanes::Buffer<Shop> shops(count);
  chanceShop<<<(count + 63) / 64, 64>>>(rate.data(), shops.data(), 160, count);
  lanes::report("chanceShop", shops);
}

// How many draws until every picture of the album is there?
__host__ __device__ int fillAlbum(int lane, int pictures) {
  Xorshift random(lane + 4242);
  unsigned int missing = pictures == 32 ? 0xffffffffu : (1u << pictures) - 1;
  int draws = 0;
  do {
    missing &= ~(1u << (random.next() >> 8) % (unsigned int)pictures);
    ++draws;
  } while (missing);
  return draws;
}

__global__ void chanceAlbum(int* draws) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  draws[i] = fillAlbum(i, 3 + i % 18);
}

void album() {
  const int count = 3072;
  lanes::Buffer<int> draws(count);
  chanceAlbum<<<count / 128, 128>>>(draws.data());
  lanes::report("chanceAlbum", draws);
  lanes::check("chanceAlbum", draws.host() == lanes::expect<int>(count, [](size_t i) {
                                return fillAlbum((int)i, 3 + (int)i % 18);
                              }));
}

// A shuffle in which nobody draws the own name: again from the start if somebody does.
__global__ void chanceDerangement(int* tries, unsigned int* orders, int people) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Xorshift random(i + 99);
  unsigned char name[12];
  int attempt = 0;
again:
  ++attempt;
  for (int k = 0; k < people; ++k)
    name[k] = (unsigned char)k;
  for (int k = people - 1; k >= 0; --k) {
    int other = (int)((random.next() >> 8) % (unsigned int)(k + 1));
    unsigned char t = name[k];
    name[k] = name[other];
    name[other] = t;
    if (name[k] == k)
      goto again;
  }
  unsigned int order = 0;
  for (int k = 0; k < people; ++k)
    order = order * 12 + name[k];
  tries[i] = attempt;
  orders[i] = order;
}

void derangements() {
  const int count = 2048;
  lanes::Buffer<int> tries(count);
  lanes::Buffer<unsigned int> orders(count);
  chanceDerangement<<<count / 64, 64>>>(tries.data(), orders.data(), 9);
  lanes::report("chanceDerangement", orders);
}

// A walk that never meets itself, until it is trapped or long enough; free neighbours are counted
// first.
__global__ void chanceAvoidingWalk(int* lengths, float* spread, int longest) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  Xorshift random(id + 2024);
  unsigned int rows[24];
  for (int r = 0; r < 24; ++r)
    rows[r] = 0;
  int x = 12, y = 12, length = 0;
  rows[y] |= 1u << x;
  while (length < longest) {
    int open[4], n = 0;
    if (x < 23 && !(rows[y] >> (x + 1) & 1))
      open[n++] = 0;
    if (x > 0 && !(rows[y] >> (x - 1) & 1))
      open[n++] = 1;
    if (y < 23 && !(rows[y + 1] >> x & 1))
      open[n++] = 2;
    if (y > 0 && !(rows[y - 1] >> x & 1))
      open[n++] = 3;
    if (n == 0)
      break;
    int way = open[(random.next() >> 10) % n];
    if (way == 0)
      ++x;
    else if (way == 1)
      --x;
    else if (way == 2)
      ++y;
    else
      --y;
    rows[y] |= 1u << x;
    ++length;
  }
  lengths[id] = length;
  spread[id] = sqrtf((float)((x - 12) * (x - 12) + (y - 12) * (y - 12)));
}

void avoidingWalks() {
  const int count = 2048;
  lanes::Buffer<int> lengths(count);
  lanes::Buffer<float> spread(count);
  chanceAvoidingWalk<<<count / 128, 128>>>(lengths.data(), spread.data(), 90);
  lanes::report("chanceAvoidingWalk", lengths);
}

} // namespace

int main() {
  disc();
  normal();
  gamma();
  poisson();
  drunkards();
  gamblers();
  pi();
  decay();
  spins();
  shop();
  album();
  derangements();
  avoidingWalks();
  return lanes::status();
}
