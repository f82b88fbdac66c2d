// SPDX-License-Identifier: Apache-2.0
//
// Searches that end early: each lane looks for its own answer and leaves, or waits, when it has it.
#include "lanes.cuh"

#include <algorithm>

namespace {

int blocksOf(int count, int threads) {
  return (count + threads - 1) / threads;
}

// The first place of a key in the lane's part of an array.
__global__ void searchLinear(const int* data, const int* keys, int length, int* where, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int* part = data + (i % 64) * length;
  for (int k = 0; k < length; k++) {
    if (part[k] == keys[i]) {
      where[i] = k;
      return;
    }
  }
  where[i] = -1;
}

void linear() {
  lanes::Random random(61);
  const int count = 6000, length = 96;
  lanes::Buffer<int> data(64 * length, [&](size_t) { return random.below(80); });
  lanes::Buffer<int> keys(count, [&](size_t) { return random.below(85); }), where(count);
  searchLinear<<<blocksOf(count, 128), 128>>>(data.data(), keys.data(), length, where.data(),
                                              count);
  lanes::report("searchLinear", where);
  const auto values = data.host(), wanted = keys.host();
  lanes::check("searchLinear", where.host() == lanes::expect<int>(count, [&](size_t i) {
                                 const auto from = values.begin() + (i % 64) * length;
                                 const auto at = std::find(from, from + length, wanted[i]);
                                 return at == from + length ? -1 : static_cast<int>(at - from);
                               }));
}

// Binary search that stops at an exact hit, else gives the place to insert.
__global__ void searchBinary(const float* sorted, int n, const float* queries, int* place,
                             int count) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int q = tid; q < count; q += stride) {
    float x = queries[q];
    int low = 0, high = n - 1;
    bool exact = false;
    while (low <= high) {
      int middle = (low + high) / 2;
      float v = sorted[middle];
      if (v == x) {
        low = middle;
        exact = true;
        break;
      }
      if (v < x)
        low = middle + 1;
      else
        high = middle - 1;
    }
    place[q] = exact ? low : ~low;
  }
}

void binary() {
  lanes::Random random(62);
  const int n = 3000, count = 10000;
  std::vector<float> sorted(n);
  for (auto& v : sorted)
    v = static_cast<float>(random.below(20000)) * 0.25f;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  lanes::Buffer<float> in(sorted);
  lanes::Buffer<float> queries(
      count, [&](size_t) { return static_cast<float>(random.below(21000)) * 0.25f; });
  lanes::Buffer<int> place(count);
  searchBinary<<<32, 128>>>(in.data(), static_cast<int>(sorted.size()), queries.data(),
                            place.data(), count);
  lanes::report("searchBinary", place);
  const auto wanted = queries.host();
  lanes::check("searchBinary", place.host() == lanes::expect<int>(count, [&](size_t q) {
                                 const auto at =
                                     std::lower_bound(sorted.begin(), sorted.end(), wanted[q]);
                                 const int low = static_cast<int>(at - sorted.begin());
                                 return at != sorted.end() && *at == wanted[q] ? low : ~low;
                               }));
}

// The first place of a pattern in a line, with a flag behind the inner loop.
__global__ void searchPattern(const char* lines, int width, const char* patterns,
                              const int* patternLength, int* first, int count) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count)
    return;
  const char* s = lines + line * width;
  int which = line % 5;
  const char* p = patterns + which * 8;
  int m = patternLength[which];
  int result = -1;
  for (int i = 0; i + m <= width; ++i) {
    if (s[i] == '\0')
      break;
    bool match = true;
    for (int j = 0; j < m; ++j) {
      if (s[i + j] != p[j]) {
        match = false;
        break;
      }
    }
    if (match) {
      result = i;
      break;
    }
  }
  first[line] = result;
}

void patterns() {
  lanes::Random random(63);
  const int count = 4096, width = 80;
  std::vector<char> lines(count * width);
  for (int i = 0; i < count; ++i)
    for (int k = 0, length = random.between(10, width); k < length; ++k)
      lines[i * width + k] = "abac"[random.below(4)];
  std::vector<char> texts(40);
  std::vector<int> lengths;
  const char* const list[] = {"abab", "cc", "aabca", "bbb", "acabac"};
  for (int p = 0; p < 5; ++p) {
    std::strcpy(&texts[p * 8], list[p]);
    lengths.push_back(static_cast<int>(std::strlen(list[p])));
  }
  lanes::Buffer<char> in(lines), patternsIn(texts);
  lanes::Buffer<int> lengthsIn(lengths), first(count);
  searchPattern<<<count / 128, 128>>>(in.data(), width, patternsIn.data(), lengthsIn.data(),
                                      first.data(), count);
  lanes::report("searchPattern", first);
}

// Roots of cubics by Newton's method, a step of bisection where it runs away.
__host__ __device__ float cubicRoot(float a, float b, float c, int* turns) {
  float low = -8.0f, high = 8.0f, x = 0.0f;
  int n = 0;
  for (; n < 40; ++n) {
    float f = ((x + a) * x + b) * x + c;
    if (fabsf(f) < 1e-4f)
      break;
    if (f > 0.0f)
      high = x;
    else
      low = x;
    float slope = (3.0f * x + 2.0f * a) * x + b;
    float next = x;
    if (fabsf(slope) > 1e-3f)
      next = x - f / slope;
    if (next <= low || next >= high)
      next = 0.5f * (low + high);
    if (fabsf(next - x) < 1e-6f)
      break;
    x = next;
  }
  *turns = n;
  return x;
}

__global__ void searchNewton(const float* abc, float* root, int* turns, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    root[i] = cubicRoot(abc[3 * i], abc[3 * i + 1], abc[3 * i + 2], &turns[i]);
}

void newton() {
  lanes::Random random(64);
  const int count = 8192;
  lanes::Buffer<float> abc(count * 3, [&](size_t) { return random.within(-3, 3); }), root(count);
  lanes::Buffer<int> turns(count);
  searchNewton<<<count / 256, 256>>>(abc.data(), root.data(), turns.data(), count);
  lanes::report("searchNewton", root);
  const auto v = abc.host();
  const auto want = lanes::expect<float>(count, [&](size_t i) {
    int n;
    return cubicRoot(v[3 * i], v[3 * i + 1], v[3 * i + 2], &n);
  });
  lanes::check("searchNewton", lanes::close(root.host(), want, 1e-2, 0.02));
}

// Kepler's equation in double precision: do while the step is too large.
__global__ void searchKepler(const double* mean, const double* eccentricity, double* anomaly,
                             int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double m = mean[i], e = eccentricity[i];
  double x = e > 0.8 ? 3.14159265358979 : m;
  double step;
  int left = 30;
  do {
    step = (x - e * sin(x) - m) / (1.0 - e * cos(x));
    x -= step;
  } while (fabs(step) > 1e-9 && --left > 0);
  anomaly[i] = x;
}

void kepler() {
  lanes::Random random(65);
  const int count = 2048;
  lanes::Buffer<double> mean(count, [&](size_t) { return random.within(0.0f, 6.28f); });
  lanes::Buffer<double> eccentricity(
      count, [&](size_t) { return random.below(4) ? 0.1 : random.within(0.1f, 0.97f); });
  lanes::Buffer<double> anomaly(count);
  searchKepler<<<count / 64, 64>>>(mean.data(), eccentricity.data(), anomaly.data(), count);
  lanes::report("searchKepler", anomaly);
}

// The smallest factor, by twos, threes and a wheel of six.
__host__ __device__ unsigned int smallestFactor(unsigned int n) {
  if (n < 4)
    return n;
  if (n % 2 == 0)
    return 2;
  if (n % 3 == 0)
    return 3;
  for (unsigned int f = 5; f * f <= n; f += 6) {
    if (n % f == 0)
      return f;
    if (n % (f + 2) == 0)
      return f + 2;
  }
  return n;
}

__global__ void searchFactor(const unsigned int* numbers, unsigned int* factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  factor[i] = smallestFactor(numbers[i]);
}

void factors() {
  lanes::Random random(66);
  const int count = 4096;
  lanes::Buffer<unsigned int> numbers(count, [&](size_t) { return random.next() % 60000u; }),
      factor(count);
  searchFactor<<<count / 128, 128>>>(numbers.data(), factor.data(), count);
  lanes::report("searchFactor", factor);
  const auto n = numbers.host();
  lanes::check("searchFactor", factor.host() == lanes::expect<unsigned int>(count, [&](size_t i) {
                                 return smallestFactor(n[i]);
                               }));
}

// The next prime: a search in a search.
__device__ bool isPrime(int n) {
  if (n % 2 == 0)
    return n == 2;
  for (int d = 3; d * d <= n; d += 2)
    if (n % d == 0)
      return false;
  return n > 1;
}

__global__ void searchNextPrime(const int* from, int* prime, int* gap, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int p = from[i];
  while (!isPrime(p))
    ++p;
  prime[i] = p;
  atomicMax(gap, p - from[i]);
}

void nextPrimes() {
  lanes::Random random(67);
  const int count = 2500;
  lanes::Buffer<int> from(count, [&](size_t) { return random.between(2, 9000); }), prime(count),
      gap(1);
  searchNextPrime<<<blocksOf(count, 128), 128>>>(from.data(), prime.data(), gap.data(), count);
  lanes::report("searchNextPrime", prime);
  lanes::check("searchNextPrime", gap.host()[0] > 10 && gap.host()[0] < 40);
}

// Interpolation search on numbers that are not spread evenly.
__global__ void searchInterpolation(const int* sorted, int n, const int* keys, int* where,
                                    int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int key = keys[i], low = 0, high = n - 1, hit = -1;
  while (sorted[low] <= key && key <= sorted[high]) {
    int span = sorted[high] - sorted[low];
    if (span == 0) {
      hit = low;
      break;
    }
    int probe = low + (int)((long long)(key - sorted[low]) * (high - low) / span);
    int v = sorted[probe];
    if (v == key) {
      hit = probe;
      break;
    } else if (v < key) {
      low = probe + 1;
    } else {
      high = probe - 1;
    }
    if (low > high || low >= n || high < 0)
      break;
  }
  where[i] = hit;
}

void interpolation() {
  lanes::Random random(68);
  const int n = 2000, count = 4096;
  std::vector<int> sorted(n);
  int v = 0;
  for (auto& x : sorted)
    x = v += random.below(20) ? random.between(1, 3) : random.between(1, 400);
  lanes::Buffer<int> in(sorted);
  lanes::Buffer<int> keys(count, [&](size_t) {
    return random.below(3) ? sorted[random.below(n)] : random.below(v + 100);
  });
  lanes::Buffer<int> where(count);
  searchInterpolation<<<count / 128, 128>>>(in.data(), n, keys.data(), where.data(), count);
  lanes::report("searchInterpolation", where);
  const auto wanted = keys.host();
  lanes::check("searchInterpolation", where.host() == lanes::expect<int>(count, [&](size_t i) {
                                        const auto at = std::lower_bound(sorted.begin(),
                                                                         sorted.end(), wanted[i]);
                                        const bool hit = at != sorted.end() && *at == wanted[i];
                                        return hit ? static_cast<int>(at - sorted.begin()) : -1;
                                      }));
}

// A matrix with sorted rows and columns: from the upper right corner to the left and down.
__global__ void searchStaircase(const int* matrix, int rows, int columns, int2* place,
                                int lookups) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= lookups)
    return;
  int key = (t * 37) % 900;
  int r = 0, c = columns - 1;
  while (r < rows && c >= 0 && matrix[r * columns + c] != key) {
    if (matrix[r * columns + c] > key)
      --c;
    else
      ++r;
  }
  if (r == rows || c < 0)
    place[t] = make_int2(-1, -1);
  else
    place[t] = make_int2(r, c);
}

void staircase() {
  lanes::Random random(69);
  const int rows = 48, columns = 40, lookups = 4096;
  std::vector<int> matrix(rows * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int above = r ? matrix[(r - 1) * columns + c] : 0,
                left = c ? matrix[r * columns + c - 1] : 0;
      matrix[r * columns + c] = std::max(above, left) + random.between(1, 16);
    }
  lanes::Buffer<int> in(matrix);
  lanes::Buffer<int2> place(lookups);
  searchStaircase<<<lookups / 256, 256>>>(in.data(), rows, columns, place.data(), lookups);
  lanes::report("searchStaircase", place);
}

// The exponent x with base^x = target, one multiplication after the other.
__global__ void searchLogarithm(const unsigned int* targets, unsigned int base, unsigned int prime,
                                int* exponent, int count) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (unsigned int)count)
    return;
  unsigned long long power = 1;
  int x = 0;
  while (power != targets[i]) {
    power = power * base % prime;
    if (++x == (int)prime) {
      x = -1;
      break;
    }
  }
  exponent[i] = x;
}

void logarithms() {
  lanes::Random random(70);
  const int count = 2048;
  lanes::Buffer<unsigned int> targets(
      count, [&](size_t) { return static_cast<unsigned>(random.between(1, 256)); });
  lanes::Buffer<int> exponent(count);
  searchLogarithm<<<count / 128, 128>>>(targets.data(), 3, 257, exponent.data(), count);
  lanes::report("searchLogarithm", exponent);
  bool right = true;
  const auto wanted = targets.host();
  const auto found = exponent.host();
  for (int i = 0; i < count; ++i) {
    unsigned power = 1;
    for (int x = 0; x < found[i]; ++x)
      power = power * 3 % 257;
    right &= power == wanted[i];
  }
  lanes::check("searchLogarithm", right);
}

// The first pair of a lane's numbers whose difference is a square: out of two loops at once.
__global__ void searchPair(const short* numbers, int n, int* pair, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  const short* v = numbers + id * n;
  int a, b;
  for (a = 0; a < n; ++a) {
    if (v[a] < 0)
      continue;
    for (b = a + 1; b < n; ++b) {
      if (v[b] < 0 || v[b] == v[a])
        continue;
      int d = v[a] > v[b] ? v[a] - v[b] : v[b] - v[a];
      int root = (int)(sqrtf((float)d) + 0.5f);
      if (root > 4 && root * root == d)
        goto found;
    }
  }
  pair[id] = -1;
  return;
found:
  pair[id] = a * n + b;
}

void pairs() {
  lanes::Random random(71);
  const int count = 4096, n = 16;
  lanes::Buffer<short> numbers(
      count * n, [&](size_t) { return static_cast<short>(random.between(-300, 2000)); });
  lanes::Buffer<int> pair(count);
  searchPair<<<count / 128, 128>>>(numbers.data(), n, pair.data(), count);
  lanes::report("searchPair", pair);
}

// The greatest eigenvalue of small matrices by iteration until it stands still.
__global__ void searchEigenvalue(const float* matrices, float* value, int* turns, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float m[9];
  for (int k = 0; k < 9; ++k)
    m[k] = matrices[i * 9 + k];
  float x = 1.0f, y = 1.0f, z = 1.0f, before = 0.0f, now = 0.0f;
  int t;
  for (t = 0; t < 60; ++t) {
    float nx = m[0] * x + m[1] * y + m[2] * z;
    float ny = m[3] * x + m[4] * y + m[5] * z;
    float nz = m[6] * x + m[7] * y + m[8] * z;
    now = fmaxf(fabsf(nx), fmaxf(fabsf(ny), fabsf(nz)));
    if (now == 0.0f)
      break;
    x = nx / now, y = ny / now, z = nz / now;
    if (fabsf(now - before) < 1e-5f * now)
      break;
    before = now;
  }
  value[i] = now;
  turns[i] = t;
}

void eigenvalues() {
  lanes::Random random(72);
  const int count = 4000;
  lanes::Buffer<float> matrices(count * 9, [&](size_t) { return random.within(0.0f, 2.0f); }),
      value(count);
  lanes::Buffer<int> turns(count);
  searchEigenvalue<<<blocksOf(count, 128), 128>>>(matrices.data(), value.data(), turns.data(),
                                                  count);
  lanes::report("searchEigenvalue", value);
}

// A block looks for the first peak of a signal, a tile at a time, and leaves when a tile had one.
__global__ void searchFirstPeak(const float* signals, int length, float threshold, int* first) {
  __shared__ int earliest;
  const float* signal = signals + (size_t)blockIdx.x * length;
  if (threadIdx.x == 0)
    earliest = length;
  __syncthreads();
  for (int base = 0; base < length; base += blockDim.x) {
    int k = base + threadIdx.x;
    if (k > 0 && k + 1 < length && signal[k] > threshold && signal[k] > signal[k - 1] &&
        signal[k] >= signal[k + 1])
      atomicMin(&earliest, k);
    __syncthreads();
    bool done = earliest < length;
    __syncthreads();
    if (done)
      break;
  }
  if (threadIdx.x == 0)
    first[blockIdx.x] = earliest;
}

void firstPeak() {
  lanes::Random random(73);
  const int signals = 40, length = 1000;
  lanes::Buffer<float> in(signals * length, [&](size_t) { return random.unit(); });
  lanes::Buffer<int> first(signals);
  searchFirstPeak<<<signals, 64>>>(in.data(), length, 0.997f, first.data());
  lanes::report("searchFirstPeak", first);
  const auto v = in.host();
  lanes::check("searchFirstPeak", first.host() == lanes::expect<int>(signals, [&](size_t s) {
                                    const float* x = &v[s * length];
                                    for (int k = 1; k + 1 < length; ++k)
                                      if (x[k] > 0.997f && x[k] > x[k - 1] && x[k] >= x[k + 1])
                                        return k;
                                    return length;
                                  }));
}

} // namespace

int main() {
  linear();
  binary();
  patterns();
  newton();
  kepler();
  factors();
  nextPrimes();
  interpolation();
  staircase();
  logarithms();
  pairs();
  eigenvalues();
  firstPeak();
  return lanes::status();
}
