// SPDX-License-Identifier: Apache-2.0
//
// Divisions, remainders, roots and powers, of numbers among which are zeros, tiny and huge ones:
// float and double, 32 and 64 bits.
#include "lanes.cuh"

#include <cfloat>

typedef unsigned long long u64;

// Keys to buckets: by a constant, by a prime of 32 bits and by one of 64 bits.
__global__ void divideBuckets(const u64* keys, int n, unsigned prime, u64 large,
                              unsigned* buckets) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const u64 key = keys[i];
  unsigned bucket = unsigned(key) % prime;
  bucket += unsigned(key >> 32) % 1009u;
  bucket ^= unsigned(key % large);
  buckets[i] = bucket;
}

struct Date {
  int year, month, day, weekday, second;
};

__host__ __device__ inline Date civil(long long seconds) {
  long long days = seconds / 86400;
  int rest = int(seconds % 86400);
  if (rest < 0) {
    rest += 86400;
    --days;
  }
  Date d;
  d.second = rest;
  d.weekday = int((days % 7 + 11) % 7);
  days += 719468;
  const long long era = (days >= 0 ? days : days - 146096) / 146097;
  const unsigned doe = unsigned(days - era * 146097);
  const unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const unsigned mp = (5 * doy + 2) / 153;
  d.day = int(doy - (153 * mp + 2) / 5 + 1);
  d.month = int(mp < 10 ? mp + 3 : mp - 9);
  d.year = int(yoe + era * 400) + (d.month <= 2);
  return d;
}

// Seconds since 1970, also before, to dates.
__global__ void divideDates(const long long* seconds, int n, Date* dates) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    dates[i] = civil(seconds[i]);
}

__host__ __device__ inline long long greatestDivisor(long long a, long long b) {
  while (b != 0) {
    const long long r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}

__host__ __device__ inline longlong2 sumOfFractions(const int* below, int terms) {
  long long p = 0, q = 1;
  for (int k = 0; k < terms; k++) {
    if (below[k] == 0)
      continue;
    p = p * below[k] + q;
    q *= below[k];
    const long long g = greatestDivisor(p, q);
    p /= g;
    q /= g;
  }
  return make_longlong2(p, q);
}

// 1/a + 1/b + ... as a reduced fraction; zeros are left out.
__global__ void divideFractions(const int* below, int terms, int n, longlong2* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  sums[i] = sumOfFractions(below + i * terms, terms);
}

// Counts to shares and their entropy; a row without counts has none. A warp has a row.
__global__ void divideHistograms(const int* counts, int rows, float* shares, float* entropy) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows)
    return;
  const int count = counts[row * 32 + lane];
  int total = count;
  for (int offset = 16; offset > 0; offset /= 2)
    total += __shfl_xor_sync(0xffffffffu, total, offset);
  float share = 0.0f, bits = 0.0f;
  if (total > 0) {
    share = float(count) / float(total);
    if (share > 0.0f)
      bits = -share * log2f(share);
  }
  shares[row * 32 + lane] = share;
  for (int offset = 16; offset > 0; offset /= 2)
    bits += __shfl_xor_sync(0xffffffffu, bits, offset);
  if (lane == 0)
    entropy[row] = bits;
}

__device__ double vanLeer(double r) {
  return (r + fabs(r)) / (1.0 + fabs(r));
}

// Transport with a limiter: quotients of differences, most of which are zero.
__global__ void divideLimiter(const double* u, double* next, int n, double courant) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2)
    return;
  const double d0 = u[i - 1] - u[i - 2], d1 = u[i] - u[i - 1], d2 = u[i + 1] - u[i];
  const double r1 = d1 != 0.0 ? d0 / d1 : 0.0;
  const double r2 = d2 == 0.0 ? 0.0 : d1 / d2;
  const double left = u[i - 1] + 0.5 * vanLeer(r1) * (1.0 - courant) * d1;
  const double right = u[i] + 0.5 * vanLeer(r2) * (1.0 - courant) * d2;
  next[i] = u[i] - courant * (right - left);
}

// Pressure relaxed where there is fluid: double, with solid cells of zero weight.
__global__ void dividePressure(const double* p, const double* permeable, const double* source,
                               double* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= width - 1 || y >= height - 1)
    return;
  const int c = y * width + x;
  const int around[4] = {c - 1, c + 1, c - width, c + width};
  double top = source[c], below = 0.0;
  for (int k = 0; k < 4; k++) {
    const double a = permeable[c], b = permeable[around[k]];
    const double weight = a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
    top += weight * p[around[k]];
    below += weight;
  }
  out[c] = below > 0.0 ? top / below : 0.0;
}

// Cosine of the angle between vectors, of which some are zero, tiny or huge.
__global__ void divideCosine(const float* a, const float* b, int n, float* cosine) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float aa = 0, bb = 0, ab = 0;
  for (int k = 0; k < 6; k++) {
    const float u = a[k * n + i], v = b[k * n + i];
    aa += u * u;
    bb += v * v;
    ab += u * v;
  }
  cosine[i] = aa == 0.0f || bb == 0.0f ? 0.0f : ab / (sqrtf(aa) * sqrtf(bb));
}

// Light of a black body by Planck's law, and a gamma curve: expf and powf out of their range too.
__global__ void divideSpectrum(const float* kelvin, int bodies, int bands, float* light) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= bodies * bands)
    return;
  const float t = kelvin[i / bands];
  const float metres = (0.05f + 0.1f * float(i % bands)) * 1e-6f;
  float power = 0.0f;
  if (t > 0.0f) {
    const float exponent = 1.4387769e-2f / (metres * t);
    power = 1.0f / (expf(exponent) - 1.0f) / powf(metres * 1e6f, 5.0f);
  }
  const float level = powf(power / (1.0f + power), 1.0f / 2.2f);
  light[i] = level + 0.01f * log1pf(t);
}

// Waves with phases from small to enormous.
__global__ void divideWaves(const float* phases, const double* turns, int n, float* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float s, c;
    sincosf(phases[i], &s, &c);
    double exact = sin(turns[i % 1024]);
    out[i] = s * c + float(exact) * 0.25f;
  }
}

__host__ __device__ inline u64 powerModulo(u64 base, u64 exponent, u64 modulus) {
  u64 result = 1;
  base %= modulus;
  while (exponent) {
    if (exponent & 1)
      result = result * base % modulus;
    base = base * base % modulus;
    exponent >>= 1;
  }
  return result;
}

__host__ __device__ inline bool probablyPrime(unsigned n) {
  if (n < 2 || n % 2 == 0)
    return n == 2;
  if (n % 3 == 0 || n % 5 == 0)
    return n == 3 || n == 5;
  unsigned d = n - 1;
  int twos = 0;
  while (d % 2 == 0) {
    d /= 2;
    twos++;
  }
  for (unsigned witness : {2u, 7u, 61u}) {
    if (witness % n == 0)
      continue;
    u64 x = powerModulo(witness, d, n);
    if (x == 1 || x == n - 1)
      continue;
    bool composite = true;
    for (int k = 1; k < twos && composite; k++) {
      x = x * x % n;
      if (x == n - 1)
        composite = false;
    }
    if (composite)
      return false;
  }
  return true;
}

// Miller and Rabin's test, with remainders of 64 bits.
__global__ void dividePrimes(const unsigned* numbers, int n, unsigned char* prime) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    prime[i] = probablyPrime(numbers[i]);
}

// Roots of quadratics: no root, one, two, or no quadratic at all.
__global__ void divideQuadratics(const double* a, const double* b, const double* c, int n,
                                 double2* roots) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  double2 r = make_double2(0.0, 0.0);
  if (a[i] == 0.0) {
    if (b[i] != 0.0)
      r.x = r.y = -c[i] / b[i];
  } else {
    const double inside = b[i] * b[i] - 4.0 * a[i] * c[i];
    if (inside == 0.0) {
      r.x = r.y = -b[i] / (2.0 * a[i]);
    } else if (inside > 0.0) {
      const double q = -0.5 * (b[i] + copysign(sqrt(inside), b[i]));
      r.x = q / a[i];
      r.y = q != 0.0 ? c[i] / q : 0.0;
    }
  }
  roots[i] = r;
}

// An array of five dimensions, known at run time, is permuted.
__global__ void dividePermute(const int* in, int* out, const int* sizes, const int* order,
                              const int* strides, int total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  int rest = i, from = 0;
  for (int d = 4; d >= 0; d--) {
    const int size = sizes[order[d]];
    from += rest % size * strides[order[d]];
    rest /= size;
  }
  out[i] = in[from];
}

__host__ __device__ inline unsigned digitSums(u64 value, unsigned base) {
  unsigned tens = 0, digits = 0;
  for (u64 v = value; v > 0; v /= 10)
    tens += unsigned(v % 10);
  for (u64 v = value; v > 0; v /= base)
    digits += unsigned(v % base);
  return tens * 1000 + digits;
}

// Sums of digits to the base of ten and to a base for each thread.
__global__ void divideDigits(const u64* values, int n, unsigned* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = digitSums(values[i], 2 + i % 15);
}

// Softmax of rows; some scores are masked by minus infinity, some rows altogether.
__global__ void divideSoftmax(const float* scores, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float top = -INFINITY;
  for (int c = 0; c < columns; c++)
    top = fmaxf(top, scores[c * rows + row]);
  float sum = 0.0f;
  if (top > -INFINITY)
    for (int c = 0; c < columns; c++)
      sum += expf(scores[c * rows + row] - top);
  for (int c = 0; c < columns; c++)
    out[c * rows + row] = sum > 0.0f ? expf(scores[c * rows + row] - top) / sum : 0.0f;
}

static void runWhole() {
  lanes::Random random(71);
  const int n = 250000;
  const std::vector<u64> keys = lanes::expect<u64>(n, [&](size_t) {
    const u64 high = random.next();
    return (high << 32 | random.next()) >> random.below(64);
  });
  const lanes::Buffer<u64> keyBuffer(keys);
  lanes::Buffer<unsigned> buckets(n), digits(n / 12);
  divideBuckets<<<(n + 255) / 256, 256>>>(keyBuffer.data(), n, 7919u, 1000000000039ull,
                                          buckets.data());
  lanes::report("divideBuckets", buckets);
  lanes::check("divideBuckets",
               buckets.host() == lanes::expect<unsigned>(n, [&](size_t i) {
                 return (unsigned(keys[i]) % 7919u + unsigned(keys[i] >> 32) % 1009u) ^
                        unsigned(keys[i] % 1000000000039ull);
               }));
  divideDigits<<<(n / 12 + 127) / 128, 128>>>(keyBuffer.data(), n / 12, digits.data());
  lanes::report("divideDigits", digits);
  lanes::check("divideDigits", digits.host() == lanes::expect<unsigned>(n / 12, [&](size_t i) {
                                 return digitSums(keys[i], unsigned(2 + i % 15));
                               }));

  const std::vector<long long> seconds = lanes::expect<long long>(n, [&](size_t) {
    const long long moment = (long long)random.next() - 2000000000ll;
    return moment * random.between(1, 20);
  });
  const lanes::Buffer<long long> secondBuffer(seconds);
  lanes::Buffer<Date> dates(n);
  divideDates<<<(n + 127) / 128, 128>>>(secondBuffer.data(), n, dates.data());
  lanes::report("divideDates", dates);
  const std::vector<Date> expected =
      lanes::expect<Date>(n, [&](size_t i) { return civil(seconds[i]); });
  lanes::check("divideDates", lanes::checksum(dates.host()) == lanes::checksum(expected));

  const int sums = 16000, terms = 5;
  const std::vector<int> below =
      lanes::expect<int>(sums * terms, [&](size_t) { return random.between(-3, 60); });
  const lanes::Buffer<int> belowBuffer(below);
  lanes::Buffer<longlong2> fractions(sums);
  divideFractions<<<(sums + 127) / 128, 128>>>(belowBuffer.data(), terms, sums, fractions.data());
  lanes::report("divideFractions", fractions);
  const std::vector<longlong2> reduced = lanes::expect<longlong2>(
      sums, [&](size_t i) { return sumOfFractions(&below[i * terms], terms); });
  lanes::check("divideFractions", lanes::checksum(fractions.host()) == lanes::checksum(reduced));

  const std::vector<unsigned> numbers =
      lanes::expect<unsigned>(12000, [&](size_t) { return random.next() >> random.below(24); });
  const lanes::Buffer<unsigned> numberBuffer(numbers);
  lanes::Buffer<unsigned char> prime(numbers.size());
  dividePrimes<<<(12000 + 127) / 128, 128>>>(numberBuffer.data(), 12000, prime.data());
  lanes::report("dividePrimes", prime);
  lanes::check("dividePrimes", prime.host() == lanes::expect<unsigned char>(12000, [&](size_t i) {
                                 return static_cast<unsigned char>(probablyPrime(numbers[i]));
                               }));

  const std::vector<int> sizes = {19, 11, 6, 13, 10}, order = {3, 0, 4, 2, 1};
  std::vector<int> strides = {8580, 780, 130, 10, 1};
  const int total = 19 * 11 * 6 * 13 * 10;
  const lanes::Buffer<int> sizeBuffer(sizes), orderBuffer(order), strideBuffer(strides);
  const lanes::Buffer<int> cells(total, [](size_t i) { return int(i); });
  lanes::Buffer<int> permuted(total);
  dividePermute<<<(total + 255) / 256, 256>>>(cells.data(), permuted.data(), sizeBuffer.data(),
                                              orderBuffer.data(), strideBuffer.data(), total);
  lanes::report("dividePermute", permuted);
}

static void runFloat() {
  lanes::Random random(72);
  const int rows = 16000;
  const lanes::Buffer<int> counts(rows * 32, [&](size_t i) {
    return i / 32 % 5 == 2 || random.below(3) == 0 ? 0 : random.below(1000);
  });
  lanes::Buffer<float> shares(rows * 32), entropy(rows);
  divideHistograms<<<rows / 8, 256>>>(counts.data(), rows, shares.data(), entropy.data());
  lanes::report("divideHistograms", shares);
  lanes::report("divideHistograms", entropy);

  const int n = 250000;
  const auto part = [&](size_t i) {
    const float scale[] = {0.0f, 1e-20f, 1.0f, 1.0f, 1.0f, 1e15f};
    return random.within(-1.0f, 1.0f) * scale[i % n * 7 / 5 % 6];
  };
  const lanes::Buffer<float> a(6 * n, part), b(6 * n, part);
  lanes::Buffer<float> cosine(n);
  divideCosine<<<(n + 127) / 128, 128>>>(a.data(), b.data(), n, cosine.data());
  std::vector<float> finite = cosine.host(); // squares of the tiny are below what a float holds
  for (float& value : finite)
    value = std::fabs(value) <= 1.01f ? value : 0.0f;
  lanes::report("divideCosine", lanes::Buffer<float>(finite));

  const int bodies = 5000, bands = 32;
  const lanes::Buffer<float> kelvin(
      bodies, [&](size_t i) { return i % 9 == 0 ? 0.0f : std::exp2(random.within(0.0f, 15.0f)); });
  lanes::Buffer<float> light(bodies * bands);
  divideSpectrum<<<(bodies * bands + 127) / 128, 128>>>(kelvin.data(), bodies, bands, light.data());
  lanes::report("divideSpectrum", light);

  const lanes::Buffer<float> phases(n, [&](size_t i) {
    return i % 40 < 3 ? random.within(1e5f, 1e7f) : random.within(-50.0f, 50.0f);
  });
  const lanes::Buffer<double> turns(
      1024, [&](size_t i) { return i % 64 == 5 ? 1e10 * random.unit() : 20.0 * random.unit(); });
  lanes::Buffer<float> waves(n);
  divideWaves<<<132, 128>>>(phases.data(), turns.data(), n, waves.data());
  lanes::report("divideWaves", waves);

  const int lists = 20000, columns = 24;
  const lanes::Buffer<float> scores(lists * columns, [&](size_t i) {
    if (i % lists % 17 == 3 || random.below(4) == 0)
      return -INFINITY;
    return random.below(20) ? random.within(-4.0f, 4.0f) : random.within(-300.0f, 300.0f);
  });
  lanes::Buffer<float> softmax(lists * columns);
  divideSoftmax<<<(lists + 127) / 128, 128>>>(scores.data(), softmax.data(), lists, columns);
  lanes::report("divideSoftmax", softmax);
}

static void runDouble() {
  lanes::Random random(73);
  const int n = 400000;
  const lanes::Buffer<double> wave(n, [](size_t i) {
    const int at = int(i % 1000);
    return at < 300 ? 0.0 : at < 500 ? 1.0 : at < 700 ? (at - 500) * 0.01 : 1e-300 * (at % 3);
  });
  lanes::Buffer<double> next(n);
  divideLimiter<<<(n + 127) / 128, 128>>>(wave.data(), next.data(), n, 0.4);
  lanes::report("divideLimiter", next);

  const int width = 700, height = 400;
  const auto unit = [&](size_t) { return double(random.unit()); };
  const lanes::Buffer<double> p(width * height, unit);
  const lanes::Buffer<double> permeable(width * height, [&](size_t i) {
    const int x = int(i) % width, y = int(i) / width;
    return (x / 24 + y / 18) % 3 == 0 ? 0.0 : std::exp2(-20.0 * random.unit());
  });
  const lanes::Buffer<double> source(width * height,
                                     [&](size_t i) { return i % 97 ? 0.0 : random.unit() - 0.5; });
  lanes::Buffer<double> relaxed(width * height);
  dividePressure<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
      p.data(), permeable.data(), source.data(), relaxed.data(), width, height);
  lanes::report("dividePressure", relaxed);

  const auto coefficient = [&](size_t) {
    const int kind = random.below(5);
    return kind == 0 ? 0.0 : double(random.between(-9, 9)) * (kind == 1 ? 0x1p-500 : 1.0);
  };
  const int equations = 250000;
  const lanes::Buffer<double> a(equations, coefficient), b(equations, coefficient),
      c(equations, coefficient);
  lanes::Buffer<double2> roots(equations);
  divideQuadratics<<<(equations + 127) / 128, 128>>>(a.data(), b.data(), c.data(), equations,
                                                     roots.data());
  std::vector<double> sizes;
  for (const double2& r : roots.host())
    sizes.push_back(std::log(1.0 + std::fabs(r.x)) + std::log(1.0 + std::fabs(r.y)));
  lanes::report("divideQuadratics", lanes::Buffer<double>(sizes));
}

int main() {
  runWhole();
  runFloat();
  runDouble();
  return lanes::status();
}
