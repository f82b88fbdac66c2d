// SPDX-License-Identifier: Apache-2.0
//
// Short branches: guards, clamps, minima and maxima by if, swaps, insertion into small sorted
// arrays, borders. Most of them become predicates or selects.
#include "lanes.cuh"

#include <algorithm>

// Contrast and brightness of an image of three channels.
__global__ void shortContrast(const unsigned char* in, unsigned char* out, int n, float gain,
                              int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int c = 0; c < 3; c++) {
    int v = int(in[3 * i + c] * gain) + offset;
    if (v < 0)
      v = 0;
    if (v > 255)
      v = 255;
    out[3 * i + c] = (unsigned char)v;
  }
}

// Lowest, highest and where: by columns, with ifs.
__global__ void shortExtremes(const int* values, int rows, int columns, int4* out) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns)
    return;
  int low = values[c], high = values[c], lowAt = 0, highAt = 0;
  for (int r = 1; r < rows; r++) {
    const int v = values[r * columns + c];
    if (v < low) {
      low = v;
      lowAt = r;
    } else if (v > high) {
      high = v;
      highAt = r;
    }
  }
  out[c] = make_int4(low, lowAt, high, highAt);
}

#define K 6

// The six nearest points, kept sorted by insertion.
__global__ void shortNearestSix(const float2* points, int n, const float2* queries, int m,
                                float* distances, int* neighbours) {
  __shared__ float2 tile[128];
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  float best[K];
  int who[K];
  for (int k = 0; k < K; k++) {
    best[k] = 1e30f;
    who[k] = -1;
  }
  const float2 at = q < m ? queries[q] : make_float2(0.0f, 0.0f);
  for (int base = 0; base < n; base += 128) {
    if (base + threadIdx.x < n)
      tile[threadIdx.x] = points[base + threadIdx.x];
    __syncthreads();
    const int count = min(128, n - base);
    for (int p = 0; p < count; p++) {
      const float dx = tile[p].x - at.x, dy = tile[p].y - at.y;
      const float d = dx * dx + dy * dy;
      if (d < best[K - 1]) {
        int k = K - 1;
        while (k > 0 && best[k - 1] > d) {
          best[k] = best[k - 1];
          who[k] = who[k - 1];
          k--;
        }
        best[k] = d;
        who[k] = base + p;
      }
    }
    __syncthreads();
  }
  if (q < m)
    for (int k = 0; k < K; k++) {
      distances[k * m + q] = best[k];
      neighbours[k * m + q] = who[k];
    }
}

__device__ inline void order(int& a, int& b) {
  if (a > b) {
    int t = a;
    a = b;
    b = t;
  }
}

// The median of nine, by nineteen exchanges; the border is copied.
__global__ void shortMedian(const unsigned short* in, unsigned short* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[y * width + x] = in[y * width + x];
    return;
  }
  int p[9];
  for (int k = 0; k < 9; k++)
    p[k] = in[(y + k / 3 - 1) * width + x + k % 3 - 1];
  order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]);
  order(p[0], p[1]), order(p[3], p[4]), order(p[6], p[7]);
  order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]);
  order(p[0], p[3]), order(p[5], p[8]), order(p[4], p[7]);
  order(p[3], p[6]), order(p[1], p[4]), order(p[2], p[5]);
  order(p[4], p[7]), order(p[4], p[2]), order(p[6], p[4]);
  order(p[4], p[2]);
  out[y * width + x] = (unsigned short)p[4];
}

// Transport against the wind: the side to look at depends on its sign.
__global__ void shortUpwind(const float* u, const float* wind, float* next, int n, float c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float a = wind[i];
  float slope;
  if (a > 0.0f)
    slope = i > 0 ? u[i] - u[i - 1] : u[i];
  else
    slope = i < n - 1 ? u[i + 1] - u[i] : -u[i];
  float v = u[i] - c * a * slope;
  if (v < 0.0f)
    v = 0.0f;
  next[i] = v;
}

// A step of the wave equation; the left side mirrors, the right side lets through.
__global__ void shortWave(const float* now, const float* before, float* after, int width,
                          int height, float c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int l = x - 1, r = x + 1, t = y - 1, b = y + 1;
  if (l < 0)
    l = 1;
  if (r >= width)
    r = width - 1;
  if (t < 0)
    t = height - 1;
  if (b == height)
    b = 0;
  const float centre = now[y * width + x];
  float sum = now[y * width + l] + now[y * width + r] + now[t * width + x] + now[b * width + x];
  float value = 2.0f * centre - before[y * width + x] + c * (sum - 4.0f * centre);
  if (x > width - 8)
    value *= 0.9f;
  after[y * width + x] = value;
}

__host__ __device__ inline short saturate(int v) {
  if (v > 32767)
    return 32767;
  if (v < -32768)
    return -32768;
  return short(v);
}

// Voices are mixed: each has a gate, a volume and a sign; the sum saturates.
__global__ void shortMixer(const short* voices, const short* volume, int count, int n, short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  short sum = 0;
  for (int v = 0; v < count; v++) {
    int sample = voices[v * n + i];
    if (sample > -200 && sample < 200)
      sample = 0;
    if (volume[v] < 0)
      sample = -sample;
    sum = saturate(sum + ((sample * abs(volume[v])) >> 8));
  }
  out[i] = sum;
}

__host__ __device__ inline int taxOf(int income, int children, bool married) {
  int base = income - 9000 - 1500 * children;
  if (married)
    base -= 6000;
  if (base < 0)
    base = 0;
  int tax = 0;
  if (base > 100000) {
    tax += (base - 100000) * 45 / 100;
    base = 100000;
  }
  if (base > 50000) {
    tax += (base - 50000) * 30 / 100;
    base = 50000;
  }
  if (base > 15000) {
    tax += (base - 15000) * 20 / 100;
    base = 15000;
  }
  tax += base / 10;
  if (children > 2 && tax > 500)
    tax -= 500;
  return tax;
}

// Tax by brackets, for households.
__global__ void shortTax(const int* income, const unsigned char* family, int n, int* tax) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    tax[i] = taxOf(income[i], family[i] & 7, family[i] & 8);
}

__device__ inline float minmod(float a, float b) {
  if (a * b <= 0.0f)
    return 0.0f;
  if (fabsf(a) < fabsf(b))
    return a;
  return b;
}

// Slopes of a shallow-water line, limited; dry cells have none.
__global__ void shortSlopes(const float* h, const float* q, float* sh, float* sq, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int l = i == 0 ? 0 : i - 1, r = i == n - 1 ? n - 1 : i + 1;
  float a = 0.0f, b = 0.0f;
  if (h[i] > 0.01f) {
    a = minmod(h[i] - h[l], h[r] - h[i]);
    b = minmod(q[i] - q[l], q[r] - q[i]);
    if (h[i] - 0.5f * fabsf(a) < 0.0f)
      a = 0.0f;
  }
  sh[i] = a;
  sq[i] = b;
}

// Particles in a box: two walls reflect, two wrap round; the fast are slowed.
__global__ void shortParticles(float4* particles, int n, float width, float height, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = particles[i];
  for (int s = 0; s < steps; s++) {
    p.x += p.z;
    p.y += p.w;
    if (p.x < 0.0f)
      p.x += width;
    if (p.x >= width)
      p.x -= width;
    if (p.y < 0.0f) {
      p.y = -p.y;
      p.w = -p.w;
    } else if (p.y > height) {
      p.y = 2.0f * height - p.y;
      p.w = -p.w;
    }
    const float speed = p.z * p.z + p.w * p.w;
    if (speed > 4.0f) {
      p.z *= 0.5f;
      p.w *= 0.5f;
    }
  }
  particles[i] = p;
}

// Edges are thinned: a pixel stays if it is the highest across its direction.
__global__ void shortThinning(const int* size, const unsigned char* direction, unsigned char* out,
                              int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int i = y * width + x;
  unsigned char mark = 0;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    int step;
    if (direction[i] == 0)
      step = 1;
    else if (direction[i] == 1)
      step = width + 1;
    else if (direction[i] == 2)
      step = width;
    else
      step = width - 1;
    if (size[i] >= size[i - step] && size[i] > size[i + step])
      mark = size[i] > 700 ? 255 : size[i] > 300 ? 128 : 0;
  }
  out[i] = mark;
}

// Bitonic exchanges in shared memory, of keys with their values.
__global__ void shortBitonicPairs(unsigned* keys, int* values) {
  __shared__ unsigned k[512];
  __shared__ int v[512];
  const int base = blockIdx.x * 512;
  for (int t = threadIdx.x; t < 512; t += 256) {
    k[t] = keys[base + t];
    v[t] = values[base + t];
  }
  for (int size = 2; size <= 512; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int a = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), b = a + stride;
      const bool up = (a & size) == 0;
      if ((k[a] > k[b]) == up) {
        const unsigned key = k[a];
        k[a] = k[b];
        k[b] = key;
        const int value = v[a];
        v[a] = v[b];
        v[b] = value;
      }
    }
  __syncthreads();
  for (int t = threadIdx.x; t < 512; t += 256) {
    keys[base + t] = k[t];
    values[base + t] = v[t];
  }
}

static void runImages() {
  lanes::Random random(111);
  const int width = 1200, height = 800, pixels = width * height;
  const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
  const std::vector<unsigned char> colours = lanes::expect<unsigned char>(
      pixels * 3, [&](size_t) { return static_cast<unsigned char>(random.below(256)); });
  const lanes::Buffer<unsigned char> colourBuffer(colours);
  lanes::Buffer<unsigned char> contrast(pixels * 3);
  shortContrast<<<(pixels + 255) / 256, 256>>>(colourBuffer.data(), contrast.data(), pixels, 1.5f,
                                               -60);
  lanes::report("shortContrast", contrast);
  lanes::check("shortContrast",
               contrast.host() == lanes::expect<unsigned char>(pixels * 3, [&](size_t i) {
                 return static_cast<unsigned char>(std::clamp(int(colours[i] * 1.5f) - 60, 0, 255));
               }));

  const std::vector<unsigned short> depth = lanes::expect<unsigned short>(
      pixels, [&](size_t) { return static_cast<unsigned short>(random.below(4000)); });
  const lanes::Buffer<unsigned short> depthBuffer(depth);
  lanes::Buffer<unsigned short> median(pixels);
  shortMedian<<<blocks, threads>>>(depthBuffer.data(), median.data(), width, height);
  lanes::report("shortMedian", median);
  lanes::check("shortMedian", median.host() == lanes::expect<unsigned short>(pixels, [&](size_t i) {
                                const int x = int(i) % width, y = int(i) / width;
                                if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
                                  return depth[i];
                                std::vector<unsigned short> nine;
                                for (int k = 0; k < 9; ++k)
                                  nine.push_back(depth[(y + k / 3 - 1) * width + x + k % 3 - 1]);
                                std::nth_element(nine.begin(), nine.begin() + 4, nine.end());
                                return nine[4];
                              }));

  const lanes::Buffer<int> strength(pixels, [&](size_t) { return random.below(1000); });
  const lanes::Buffer<unsigned char> direction(pixels, [&](size_t i) {
    return static_cast<unsigned char>(i / 37 % 5 ? random.below(4) : 2);
  });
  lanes::Buffer<unsigned char> thin(pixels);
  shortThinning<<<blocks, threads>>>(strength.data(), direction.data(), thin.data(), width, height);
  lanes::report("shortThinning", thin);

  const auto unit = [&](size_t) { return random.unit(); };
  const lanes::Buffer<float> now(pixels, unit), before(pixels, unit);
  lanes::Buffer<float> after(pixels);
  shortWave<<<blocks, threads>>>(now.data(), before.data(), after.data(), width, height, 0.2f);
  lanes::report("shortWave", after);
}

static void runLines() {
  lanes::Random random(112);
  const int n = 800000;
  const lanes::Buffer<float> u(n, [&](size_t) { return random.unit(); });
  const lanes::Buffer<float> wind(n,
                                  [&](size_t i) { return random.unit() - (i / 777 % 3) * 0.4f; });
  lanes::Buffer<float> next(n), slopes(n), flows(n);
  shortUpwind<<<(n + 255) / 256, 256>>>(u.data(), wind.data(), next.data(), n, 0.7f);
  lanes::report("shortUpwind", next);
  const lanes::Buffer<float> water(
      n, [&](size_t i) { return i % 900 < 300 ? 0.0f : 0.02f * float(random.below(50)); });
  shortSlopes<<<(n + 255) / 256, 256>>>(water.data(), wind.data(), slopes.data(), flows.data(), n);
  lanes::report("shortSlopes", slopes);
  lanes::report("shortSlopes", flows);

  const int samples = 200000, voices = 12;
  const std::vector<short> sound = lanes::expect<short>(
      samples * voices, [&](size_t i) { return short(random.between(-32768, 32767) >> i % 7); });
  const std::vector<short> volume =
      lanes::expect<short>(voices, [&](size_t) { return short(random.between(-255, 255)); });
  const lanes::Buffer<short> soundBuffer(sound), volumeBuffer(volume);
  lanes::Buffer<short> mixed(samples);
  shortMixer<<<(samples + 127) / 128, 128>>>(soundBuffer.data(), volumeBuffer.data(), voices,
                                             samples, mixed.data());
  lanes::report("shortMixer", mixed);

  const std::vector<int> income = lanes::expect<int>(
      n, [&](size_t) { return random.below(10) ? random.below(70000) : random.below(300000); });
  const std::vector<unsigned char> family = lanes::expect<unsigned char>(n, [&](size_t) {
    const int children = random.below(5); // in this order with every compiler
    return static_cast<unsigned char>(children | (random.below(2) ? 8 : 0));
  });
  const lanes::Buffer<int> incomeBuffer(income);
  const lanes::Buffer<unsigned char> familyBuffer(family);
  lanes::Buffer<int> tax(n);
  shortTax<<<264, 256>>>(incomeBuffer.data(), familyBuffer.data(), n, tax.data());
  lanes::report("shortTax", tax);
  lanes::check("shortTax", tax.host() == lanes::expect<int>(n, [&](size_t i) {
                             return taxOf(income[i], family[i] & 7, family[i] & 8);
                           }));
}

static void runPoints() {
  lanes::Random random(113);
  const auto point = [&](size_t) {
    const float x = random.unit(); // in this order with every compiler
    return make_float2(x, random.unit());
  };
  const int n = 500, m = 16000;
  const lanes::Buffer<float2> points(n, point), queries(m, point);
  lanes::Buffer<float> distances(K * m);
  lanes::Buffer<int> neighbours(K * m);
  shortNearestSix<<<(m + 127) / 128, 128>>>(points.data(), n, queries.data(), m, distances.data(),
                                            neighbours.data());
  lanes::report("shortNearestSix", distances);

  const int rows = 100, columns = 20000;
  const lanes::Buffer<int> values(rows * columns, [&](size_t) { return int(random.next() >> 4); });
  lanes::Buffer<int4> extremes(columns);
  shortExtremes<<<(columns + 127) / 128, 128>>>(values.data(), rows, columns, extremes.data());
  lanes::report("shortExtremes", extremes);

  lanes::Buffer<float4> particles(120000, [&](size_t) {
    const float x = 8.0f * random.unit(), y = 5.0f * random.unit(), vx = random.within(-2.0f, 2.0f);
    return make_float4(x, y, vx, random.within(-2.0f, 2.0f));
  });
  shortParticles<<<(120000 + 127) / 128, 128>>>(particles.data(), 120000, 8.0f, 5.0f, 16);
  std::vector<float> heights;
  for (const float4& p : particles.host())
    heights.push_back(p.y);
  lanes::report("shortParticles", lanes::Buffer<float>(heights));

  const int lists = 200;
  lanes::Buffer<unsigned> keys(lists * 512, [&](size_t i) { // no two are equal
    return random.next() << 9 | unsigned(i % 512);
  });
  lanes::Buffer<int> payload(lists * 512, [](size_t i) { return int(i); });
  shortBitonicPairs<<<lists, 256>>>(keys.data(), payload.data());
  lanes::report("shortBitonicPairs", keys);
  lanes::report("shortBitonicPairs", payload);
}

int main() {
  runImages();
  runLines();
  runPoints();
  return lanes::status();
}
