// SPDX-License-Identifier: Apache-2.0
//
// Tables filled in order (knapsack, sequences, paths), and numerical loops that run until they have
// converged: Newton, bisection, quadrature, differential equations with step control.
#include "lanes.cuh"

#include <algorithm>

constexpr int kCapacity = 40;

// 0/1 knapsack, one for each thread, of different numbers of items.
__host__ __device__ inline int knapsack(const int* weights, const int* values, int items) {
  int best[kCapacity + 1] = {0};
  for (int k = 0; k < items; ++k) {
    if (weights[k] > kCapacity)
      continue;
    for (int room = kCapacity; room >= weights[k]; --room) {
      const int with = best[room - weights[k]] + values[k];
      if (with > best[room])
        best[room] = with;
    }
  }
  return best[kCapacity];
}

__global__ void dpKnapsack(const int* weights, const int* values, const int* start, int count,
                           int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  best[i] = knapsack(weights + start[i], values + start[i], start[i + 1] - start[i]);
}

// Longest common subsequence; common ends are taken off first.
__host__ __device__ inline int longestCommon(const char* a, int n, const char* b, int m) {
  int common = 0;
  while (n > 0 && m > 0 && *a == *b) {
    ++a;
    ++b;
    --n;
    --m;
    ++common;
  }
  while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) {
    --n;
    --m;
    ++common;
  }
  if (n == 0 || m == 0)
    return common;
  unsigned char row[32] = {0};
  for (int i = 0; i < n; ++i) {
    int corner = 0;
    for (int j = 1; j <= m; ++j) {
      const int above = row[j];
      if (a[i] == b[j - 1])
        row[j] = corner + 1;
      else if (row[j - 1] > above)
        row[j] = row[j - 1];
      corner = above;
    }
  }
  return common + row[m];
}

__global__ void dpLongestCommon(const char* text, const int* start, int pairs, int* lengths) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < pairs) {
    const int* s = start + 2 * p;
    lengths[p] = longestCommon(text + s[0], s[1] - s[0], text + s[1], s[2] - s[1]);
  }
}

struct Markov {
  float start[3], move[3][3], emit[3][4];
};

// How likely the likeliest states are, in logarithms. 4 and above is a gap in the observations.
__global__ void dpViterbi(Markov model, const unsigned char* seen, const int* start, int count,
                          float* likelihood) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float score[3];
  for (int s = 0; s < 3; s++)
    score[s] = logf(model.start[s]);
  for (int t = start[i]; t < start[i + 1]; t++) {
    float next[3];
    for (int s = 0; s < 3; s++) {
      float best = -1e30f;
      for (int from = 0; from < 3; from++) {
        if (model.move[from][s] == 0.0f)
          continue;
        best = fmaxf(best, score[from] + logf(model.move[from][s]));
      }
      if (seen[t] < 4)
        best += logf(model.emit[s][seen[t]]);
      next[s] = best;
    }
    for (int s = 0; s < 3; s++)
      score[s] = next[s];
  }
  int best = 0;
  for (int s = 1; s < 3; s++)
    if (score[s] > score[best])
      best = s;
  likelihood[i] = score[best];
}

// The cheapest order of a chain of products.
__global__ void dpMatrixChain(const int* sizes, const int* lengths, int stride, int count,
                              long long* costs) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= count)
    return;
  const int* size = sizes + c * stride;
  const int n = lengths[c];
  long long cost[7][7];
  for (int i = 0; i < n; ++i)
    cost[i][i] = 0;
  for (int length = 2; length <= n; ++length)
    for (int i = 0; i + length <= n; ++i) {
      const int j = i + length - 1;
      long long best = 1ll << 60;
      for (int k = i; k < j; ++k) {
        const long long here = cost[i][k] + cost[k + 1][j];
        if (here >= best)
          continue;
        best = min(best, here + 1ll * size[i] * size[k + 1] * size[j + 1]);
      }
      cost[i][j] = best;
    }
  costs[c] = n > 0 ? cost[0][n - 1] : 0;
}

// One step of Floyd and Warshall, with the next hop on the way.
__global__ void dpFloydStep(int* distance, int* hop, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  int row = i / n, column = i % n;
  if (row == k || column == k || row == column)
    return;
  int first = distance[row * n + k];
  if (first < 0)
    return;
  int second = distance[k * n + column];
  if (second < 0)
    return;
  if (distance[i] < 0 || first + second < distance[i]) {
    distance[i] = first + second;
    hop[i] = hop[row * n + k];
  }
}

// The fewest coins for an amount; stops at the first way to pay that no coin can improve.
__host__ __device__ inline int fewestCoins(const int* coins, int kinds, int amount) {
  unsigned char fewest[97];
  fewest[0] = 0;
  for (int sum = 1; sum <= amount; ++sum) {
    int best = 255;
    for (int k = 0; k < kinds; ++k) {
      if (coins[k] > sum)
        break;
      const int rest = fewest[sum - coins[k]];
      if (rest == 255)
        continue;
      if (rest + 1 < best)
        best = rest + 1;
      if (best == 1)
        break;
    }
    fewest[sum] = best;
  }
  return fewest[amount] == 255 ? -1 : fewest[amount];
}

__global__ void dpCoins(const int* coins, int kinds, const int* amounts, int count, int* fewest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  fewest[i] = fewestCoins(coins + i % 8 * kinds, kinds, amounts[i]);
}

// Local alignment of two strings, a block for each pair, one diagonal after the other.
__global__ void dpAlign(const char* a, const char* b, const int* lengths, int room, int* best) {
  __shared__ int previous[65], last[65], now[65];
  __shared__ int top;
  const int n = lengths[2 * blockIdx.x], m = lengths[2 * blockIdx.x + 1];
  const int t = threadIdx.x;
  previous[t] = last[t] = now[t] = 0;
  if (t == 0) {
    top = 0;
    previous[64] = last[64] = now[64] = 0;
  }
  __syncthreads();
  for (int diagonal = 0; diagonal < n + m - 1; ++diagonal) {
    const int j = diagonal - t;
    int score = 0;
    if (t < n && j >= 0 && j < m) {
      const bool same = a[blockIdx.x * room + t] == b[blockIdx.x * room + j];
      score = previous[t] + (same ? 3 : -2);
      score = max(score, max(last[t], last[t + 1]) - 2);
      if (score < 0)
        score = 0;
      if (score > top)
        atomicMax(&top, score);
    }
    now[t + 1] = score;
    __syncthreads();
    previous[t + 1] = last[t + 1];
    last[t + 1] = now[t + 1];
    __syncthreads();
  }
  if (t == 0)
    best[blockIdx.x] = top;
}

// Longest increasing run of a list, the least tails kept sorted.
__global__ void dpIncreasing(const int* data, const int* start, int lists, int* lengths) {
  const int list = blockIdx.x * blockDim.x + threadIdx.x;
  if (list >= lists)
    return;
  int tails[32], size = 0;
  for (int i = start[list]; i < start[list + 1]; ++i) {
    const int value = data[i];
    if (size == 0 || value > tails[size - 1]) {
      tails[size++] = value;
      continue;
    }
    int low = 0, high = size - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (tails[middle] < value)
        low = middle + 1;
      else
        high = middle;
    }
    tails[low] = value;
  }
  lengths[list] = size;
}

// Which root of z^3 = 1 Newton finds, and after how many steps.
__global__ void dpNewton(int width, int height, int* root) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float re = 3.0f * x / width - 1.5f, im = 2.0f * y / height - 1.0f;
  int step;
  for (step = 0; step < 40; step++) {
    float re2 = re * re - im * im, im2 = 2.0f * re * im;
    float size = re2 * re2 + im2 * im2;
    if (size < 1e-12f)
      break;
    float nextRe = (2.0f * re + re2 / size) / 3.0f;
    float nextIm = (2.0f * im - im2 / size) / 3.0f;
    float moved = fabsf(nextRe - re) + fabsf(nextIm - im);
    re = nextRe;
    im = nextIm;
    if (moved < 1e-5f)
      break;
  }
  int which = re > 0.5f ? 0 : im > 0.0f ? 1 : 2;
  root[y * width + x] = step == 40 ? -1 : which;
}

__host__ __device__ inline double presentValue(double rate, const float* flows, int years) {
  double sum = 0, factor = 1;
  for (int year = 0; year < years; ++year) {
    sum += flows[year] * factor;
    factor /= 1 + rate;
  }
  return sum;
}

// The rate of return of a series of payments: a bracket first, then bisection.
__host__ __device__ inline float internalRate(const float* flows, int years) {
  double low = 0.0, high = 0.05;
  const double atLow = presentValue(low, flows, years);
  if (atLow <= 0)
    return -1.0f;
  while (presentValue(high, flows, years) > 0) {
    low = high;
    high *= 2;
    if (high > 10)
      return -2.0f;
  }
  do {
    const double middle = 0.5 * (low + high);
    if (presentValue(middle, flows, years) > 0)
      low = middle;
    else
      high = middle;
  } while (high - low > 1e-5);
  return static_cast<float>(low);
}

__global__ void dpRateOfReturn(const float* flows, const int* start, int count, float* rates) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    rates[i] = internalRate(flows + start[i], start[i + 1] - start[i]);
}

struct Piece {
  float a, b;
};

// Adaptive quadrature with a stack of pieces.
__global__ void dpQuadrature(const float* peaks, int count, float error, float* integrals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float peak = peaks[i];
  Piece stack[12];
  int top = 0;
  float total = 0;
  stack[top++] = {0.0f, 1.0f};
  while (top) {
    Piece piece = stack[--top];
    float h = piece.b - piece.a, middle = 0.5f * (piece.a + piece.b);
    float fa = 1.0f / (0.001f + (piece.a - peak) * (piece.a - peak));
    float fm = 1.0f / (0.001f + (middle - peak) * (middle - peak));
    float fb = 1.0f / (0.001f + (piece.b - peak) * (piece.b - peak));
    float coarse = h * 0.5f * (fa + fb), fine = h * 0.25f * (fa + 2.0f * fm + fb);
    if (fabsf(fine - coarse) < error * h || h < 1.0f / 1024 || top > 10)
      total += fine + (fine - coarse) / 3.0f;
    else {
      stack[top++] = {middle, piece.b};
      stack[top++] = {piece.a, middle};
    }
  }
  integrals[i] = total;
}

__device__ float2 oscillator(float2 y, float stiffness) {
  return make_float2(y.y, stiffness * (1.0f - y.x * y.x) * y.y - y.x);
}

__device__ float2 along(float2 y, float h, float2 slope) {
  return make_float2(y.x + h * slope.x, y.y + h * slope.y);
}

// Van der Pol's equation by Bogacki and Shampine: a step too wrong is done again, smaller.
__global__ void dpOscillator(const float* stiffnesses, int count, float until, float* end,
                             int2* steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float mu = stiffnesses[i];
  float2 y = make_float2(2.0f, 0.0f);
  float t = 0.0f, h = 0.1f;
  int taken = 0, refused = 0;
  float2 k1 = oscillator(y, mu);
  while (t < until && taken + refused < 400) {
    if (t + h > until)
      h = until - t;
    const float2 k2 = oscillator(along(y, 0.5f * h, k1), mu);
    const float2 k3 = oscillator(along(y, 0.75f * h, k2), mu);
    float2 next = along(y, h * 2.0f / 9.0f, k1);
    next = along(next, h / 3.0f, k2);
    next = along(next, h * 4.0f / 9.0f, k3);
    const float2 k4 = oscillator(next, mu);
    const float ex = h * (-5.0f / 72 * k1.x + k2.x / 12 + k3.x / 9 - k4.x / 8);
    const float ey = h * (-5.0f / 72 * k1.y + k2.y / 12 + k3.y / 9 - k4.y / 8);
    const float error = sqrtf(ex * ex + ey * ey) / 1e-3f;
    if (error > 1.0f) {
      ++refused;
      h *= fmaxf(0.2f, 0.9f * cbrtf(1.0f / error));
      continue;
    }
    ++taken;
    t += h;
    y = next;
    k1 = k4;
    if (error < 0.3f)
      h *= 1.6f;
  }
  end[i] = y.x;
  steps[i] = make_int2(taken, refused);
}

// The cheapest way down a slope with rocks: straight, left or right, row by row in the block.
__global__ void dpDescent(const unsigned char* slope, int rows, int* cheapest) {
  __shared__ int cost[2][66];
  const int x = threadIdx.x + 1;
  const unsigned char* mine = slope + blockIdx.x * rows * 64;
  cost[0][x] = 0;
  if (x == 1)
    cost[0][0] = cost[1][0] = cost[0][65] = cost[1][65] = 1 << 20;
  __syncthreads();
  for (int row = 0; row < rows; ++row) {
    const int* above = cost[row & 1];
    int best = 1 << 20;
    const int height = mine[row * 64 + threadIdx.x];
    if (height < 250) {
      best = above[x];
      if (above[x - 1] + 2 < best)
        best = above[x - 1] + 2;
      if (above[x + 1] + 2 < best)
        best = above[x + 1] + 2;
      if (best < 1 << 20)
        best += height / 10;
    }
    cost[1 - (row & 1)][x] = best;
    __syncthreads();
  }
  cheapest[blockIdx.x * 64 + threadIdx.x] = cost[rows & 1][x];
}

template <class Make> std::vector<int> makeStarts(int count, Make&& length) {
  std::vector<int> start = {0};
  for (int i = 0; i < count; ++i)
    start.push_back(start.back() + length());
  return start;
}

static void runSequences() {
  lanes::Random random(71);
  const int count = 2500, blocks = (count + 127) / 128;

  const std::vector<int> items = makeStarts(count, [&] { return random.below(14); });
  const std::vector<int> weights =
      lanes::expect<int>(items.back(), [&](size_t) { return random.between(2, 45); });
  const std::vector<int> values =
      lanes::expect<int>(items.back(), [&](size_t) { return random.between(1, 60); });
  const lanes::Buffer<int> weightBuffer(weights), valueBuffer(values), itemBuffer(items);
  lanes::Buffer<int> best(count);
  dpKnapsack<<<blocks, 128>>>(weightBuffer.data(), valueBuffer.data(), itemBuffer.data(), count,
                              best.data());
  lanes::report("dpKnapsack", best);
  lanes::check("dpKnapsack", best.host() == lanes::expect<int>(count, [&](size_t i) {
                               return knapsack(weights.data() + items[i], values.data() + items[i],
                                               items[i + 1] - items[i]);
                             }));

  const std::vector<int> words = makeStarts(2 * count, [&] { return random.below(24); });
  const std::vector<char> text =
      lanes::expect<char>(words.back(), [&](size_t) { return char('a' + random.below(3)); });
  const lanes::Buffer<char> textBuffer(text);
  const lanes::Buffer<int> wordBuffer(words);
  lanes::Buffer<int> common(count);
  dpLongestCommon<<<blocks, 128>>>(textBuffer.data(), wordBuffer.data(), count, common.data());
  lanes::report("dpLongestCommon", common);
  lanes::check("dpLongestCommon", common.host() == lanes::expect<int>(count, [&](size_t p) {
                                    const int* s = words.data() + 2 * p;
                                    return longestCommon(text.data() + s[0], s[1] - s[0],
                                                         text.data() + s[1], s[2] - s[1]);
                                  }));

  const Markov model = {
      {0.5f, 0.3f, 0.2f},
      {{0.7f, 0.3f, 0.0f}, {0.2f, 0.5f, 0.3f}, {0.0f, 0.4f, 0.6f}},
      {{0.4f, 0.3f, 0.2f, 0.1f}, {0.1f, 0.4f, 0.4f, 0.1f}, {0.1f, 0.1f, 0.2f, 0.6f}}};
  const std::vector<int> runs = makeStarts(count, [&] { return random.between(1, 25); });
  const lanes::Buffer<unsigned char> seen(
      runs.back(), [&](size_t) { return static_cast<unsigned char>(random.below(5)); });
  const lanes::Buffer<int> runBuffer(runs);
  lanes::Buffer<float> likelihood(count);
  dpViterbi<<<blocks, 128>>>(model, seen.data(), runBuffer.data(), count, likelihood.data());
  lanes::report("dpViterbi", likelihood);

  const std::vector<int> lists = makeStarts(count, [&] { return random.below(31); });
  const lanes::Buffer<int> data(lists.back(), [&](size_t) { return random.below(500); });
  const lanes::Buffer<int> listBuffer(lists);
  lanes::Buffer<int> lengths(count);
  dpIncreasing<<<blocks, 128>>>(data.data(), listBuffer.data(), count, lengths.data());
  lanes::report("dpIncreasing", lengths);

  const int pairs = 40, room = 64;
  const auto letter = [&](size_t) { return char('a' + random.below(4)); };
  const lanes::Buffer<char> a(pairs * room, letter), b(pairs * room, letter);
  const lanes::Buffer<int> sizes(2 * pairs, [&](size_t) { return random.between(10, 60); });
  lanes::Buffer<int> scores(pairs);
  dpAlign<<<pairs, 64>>>(a.data(), b.data(), sizes.data(), room, scores.data());
  lanes::report("dpAlign", scores);
}

static void runTables() {
  lanes::Random random(72);
  const int count = 2500, blocks = (count + 127) / 128;
  const lanes::Buffer<int> sizes(count * 8, [&](size_t) { return random.between(2, 60); });
  const lanes::Buffer<int> lengths(count, [&](size_t) { return random.between(1, 7); });
  lanes::Buffer<long long> costs(count);
  dpMatrixChain<<<blocks, 128>>>(sizes.data(), lengths.data(), 8, count, costs.data());
  lanes::report("dpMatrixChain", costs);

  const int n = 90, k = 13;
  const std::vector<int> roads = lanes::expect<int>(
      n * n, [&](size_t) { return random.below(3) ? random.between(1, 100) : -1; });
  lanes::Buffer<int> distance(roads), hop(n * n, [&](size_t i) { return int(i % n); });
  dpFloydStep<<<(n * n + 127) / 128, 128>>>(distance.data(), hop.data(), n, k);
  lanes::report("dpFloydStep", distance);
  lanes::check("dpFloydStep",
               distance.host() == lanes::expect<int>(n * n, [&](size_t i) {
                 const int row = int(i) / n, column = int(i) % n;
                 const int first = roads[row * n + k], second = roads[k * n + column];
                 if (row == k || column == k || row == column || first < 0 || second < 0)
                   return roads[i];
                 return roads[i] < 0 ? first + second : std::min(roads[i], first + second);
               }));

  std::vector<int> coins;
  for (int set = 0; set < 8; ++set) {
    std::vector<int> kinds = lanes::expect<int>(5, [&](size_t) { return random.between(3, 40); });
    std::sort(kinds.begin(), kinds.end());
    coins.insert(coins.end(), kinds.begin(), kinds.end());
  }
  const std::vector<int> amounts =
      lanes::expect<int>(count, [&](size_t) { return random.below(97); });
  const lanes::Buffer<int> coinBuffer(coins), amountBuffer(amounts);
  lanes::Buffer<int> fewest(count);
  dpCoins<<<blocks, 128>>>(coinBuffer.data(), 5, amountBuffer.data(), count, fewest.data());
  lanes::report("dpCoins", fewest);
  lanes::check("dpCoins", fewest.host() == lanes::expect<int>(count, [&](size_t i) {
                            return fewestCoins(coins.data() + i % 8 * 5, 5, amounts[i]);
                          }));

  const int rows = 24, slopes = 40;
  const lanes::Buffer<unsigned char> slope(slopes * rows * 64, [&](size_t) {
    return static_cast<unsigned char>(random.below(6) ? random.below(250) : 255);
  });
  lanes::Buffer<int> cheapest(slopes * 64);
  dpDescent<<<slopes, 64>>>(slope.data(), rows, cheapest.data());
  lanes::report("dpDescent", cheapest);
}

static void runNumbers() {
  lanes::Random random(73);
  const int count = 2500, blocks = (count + 127) / 128;
  // Roots only: on the borders of the basins the last bit decides.
  const int width = 75, height = 50;
  lanes::Buffer<int> root(width * height);
  dpNewton<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(width, height, root.data());
  int found = 0;
  for (const int which : root.host())
    found += which >= 0;
  lanes::report("dpNewton", lanes::Buffer<float>(1, [&](size_t) { return float(found); }));

  const std::vector<int> years = makeStarts(count, [&] { return random.between(3, 15); });
  std::vector<float> flows(years.back());
  for (int i = 0; i < count; ++i)
    for (int at = years[i]; at < years[i + 1]; ++at)
      flows[at] = at == years[i] ? -random.within(50.0f, 300.0f) : random.within(5.0f, 90.0f);
  const lanes::Buffer<float> flowBuffer(flows);
  const lanes::Buffer<int> yearBuffer(years);
  lanes::Buffer<float> rates(count);
  dpRateOfReturn<<<blocks, 128>>>(flowBuffer.data(), yearBuffer.data(), count, rates.data());
  lanes::report("dpRateOfReturn", rates);
  lanes::check("dpRateOfReturn",
               lanes::close(rates.host(), lanes::expect<float>(count, [&](size_t i) {
                              return internalRate(flows.data() + years[i], years[i + 1] - years[i]);
                            })));

  const lanes::Buffer<float> peaks(count, [&](size_t) { return random.within(-0.3f, 1.3f); });
  lanes::Buffer<float> integrals(count);
  dpQuadrature<<<blocks, 128>>>(peaks.data(), count, 0.5f, integrals.data());
  lanes::report("dpQuadrature", integrals);

  const lanes::Buffer<float> stiffness(2048, [&](size_t) { return random.within(0.1f, 6.0f); });
  lanes::Buffer<float> end(2048);
  lanes::Buffer<int2> steps(2048);
  dpOscillator<<<32, 64>>>(stiffness.data(), 2048, 4.5f, end.data(), steps.data());
  lanes::report("dpOscillator", end);
}

int main() {
  runSequences();
  runTables();
  runNumbers();
  return lanes::status();
}
