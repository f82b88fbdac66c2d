// SPDX-License-Identifier: Apache-2.0
//
// Loops that a compiler unrolls, in whole or in part: constant trip counts, trip counts with a
// remainder, windows with guards, several accumulators, small local arrays, early exits.
#include "lanes.cuh"

struct Rotation {
  float m[3][3];
  float shift[3];
};

// Points by a rotation and a shift: loops of three.
__global__ void unrollTransform(const float* __restrict__ points, float* __restrict__ moved,
                                Rotation r, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float p[3], q[3];
    for (int a = 0; a < 3; a++)
      p[a] = points[3 * i + a];
    for (int a = 0; a < 3; a++) {
      q[a] = r.shift[a];
      for (int b = 0; b < 3; b++)
        q[a] += r.m[a][b] * p[b];
    }
    for (int a = 0; a < 3; a++)
      moved[3 * i + a] = q[a];
  }
}

__constant__ float c_coefficients[13];

// Horner's rule of degree 12 at four places for each thread.
__global__ void unrollHorner(const float* x, float* y, int n) {
  const int base = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const int i = base + k * blockDim.x;
    if (i < n) {
      float value = c_coefficients[12];
      for (int d = 11; d >= 0; --d)
        value = value * x[i] + c_coefficients[d];
      y[i] = value;
    }
  }
}

// Rows of unequal length, summed by a loop that is unrolled by four.
__global__ void unrollRaggedRows(const int* __restrict__ values, const int* __restrict__ start,
                                 int rows, int* __restrict__ sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int sum = 0;
  const int end = start[row + 1];
#pragma unroll 4
  for (int k = start[row]; k < end; ++k)
    sum += values[k] * (k & 7);
  sums[row] = sum;
}

// Weighted mean of 5 by 5; what lies outside is left out.
__global__ void unrollWindow(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0.0f, weights = 0.0f;
  for (int dy = -2; dy <= 2; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      const int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < width && yy >= 0 && yy < height) {
        const float weight = 1.0f / (1 + dx * dx + dy * dy);
        sum += weight * in[yy * width + xx];
        weights += weight;
      }
    }
  }
  out[y * width + x] = sum / weights;
}

constexpr int kInner = 64;

// A dense layer of 64 inputs: the weights of a neuron against a shared vector.
__global__ void unrollDenseLayer(const float* weights, const float* bias, const float* input,
                                 float* output, int neurons) {
  __shared__ float x[kInner];
  if (threadIdx.x < kInner)
    x[threadIdx.x] = input[blockIdx.y * kInner + threadIdx.x];
  __syncthreads();
  const int neuron = blockIdx.x * blockDim.x + threadIdx.x;
  if (neuron >= neurons)
    return;
  float sum = bias[neuron];
#pragma unroll 8
  for (int k = 0; k < kInner; k++)
    sum += weights[k * neurons + neuron] * x[k];
  output[blockIdx.y * neurons + neuron] = sum > 0.0f ? sum : 0.0f;
}

__host__ __device__ inline int commonPrefix(const unsigned char* a, const unsigned char* b) {
  int length = 0;
  for (int k = 0; k < 32; k++) {
    if (a[k] != b[k])
      break;
    length++;
  }
  return length;
}

// The length of the common prefix of each key with the next.
__global__ void unrollPrefix(const unsigned char* keys, int n, int* lengths) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    lengths[i] = commonPrefix(keys + i * 32, keys + i * 32 + 32);
}

#define LAGS 6
#define SAMPLES 24

// Autocorrelation of a short window that is held in a local array.
__global__ void unrollAutocorrelation(const float* signal, float* best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + SAMPLES > n)
    return;
  float window[SAMPLES];
  float mean = 0;
  for (int k = 0; k < SAMPLES; ++k) {
    window[k] = signal[i + k];
    mean += window[k];
  }
  mean /= SAMPLES;
  for (int k = 0; k < SAMPLES; ++k)
    window[k] -= mean;
  float r[LAGS];
  for (int lag = 0; lag < LAGS; ++lag) {
    r[lag] = 0;
    for (int k = 0; k + lag < SAMPLES; ++k)
      r[lag] += window[k] * window[k + lag];
  }
  float top = -1.0f;
  for (int lag = 1; lag < LAGS; ++lag)
    if (r[lag] > top * r[0])
      top = r[lag] / (r[0] + 1e-6f);
  best[i] = top;
}

// Dot product with four accumulators; then the warp's sum by shuffles.
__global__ void unrollDotFour(const float* a, const float* b, int n, float* partial) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = tid;
  for (; i + 3 * stride < n; i += 4 * stride) {
    s0 += a[i] * b[i];
    s1 += a[i + stride] * b[i + stride];
    s2 += a[i + 2 * stride] * b[i + 2 * stride];
    s3 += a[i + 3 * stride] * b[i + 3 * stride];
  }
  for (; i < n; i += stride)
    s0 += a[i] * b[i];
  float sum = (s0 + s1) + (s2 + s3);
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if ((threadIdx.x & 31) == 0)
    partial[tid / 32] = sum;
}

template <int N> __device__ bool factorise(float (&a)[N][N]) {
  for (int j = 0; j < N; j++) {
    float d = a[j][j];
    for (int k = 0; k < j; k++)
      d -= a[j][k] * a[j][k];
    if (d <= 0.0f)
      return false;
    a[j][j] = sqrtf(d);
    for (int i = j + 1; i < N; i++) {
      float s = a[i][j];
      for (int k = 0; k < j; k++)
        s -= a[i][k] * a[j][k];
      a[i][j] = s / a[j][j];
    }
  }
  return true;
}

// Many systems of six unknowns, by Cholesky's way; some matrices are not positive.
__global__ void unrollCholesky(const float* matrices, const float* right, float* solved, int n) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= n)
    return;
  float a[6][6], x[6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      a[i][j] = matrices[(i * 6 + j) * n + system];
  for (int i = 0; i < 6; i++)
    x[i] = right[i * n + system];
  if (factorise(a)) {
    for (int i = 0; i < 6; i++) {
      for (int k = 0; k < i; k++)
        x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
    }
    for (int i = 5; i >= 0; i--) {
      for (int k = i + 1; k < 6; k++)
        x[i] -= a[k][i] * x[k];
      x[i] /= a[i][i];
    }
  } else {
    for (int i = 0; i < 6; i++)
      x[i] = 0.0f;
  }
  for (int i = 0; i < 6; i++)
    solved[i * n + system] = x[i];
}

// A filter whose number of taps is known only at run time.
__global__ void unrollFir(const short* in, const short* taps, int count, int n, int* out) {
  extern __shared__ short weights[];
  for (int t = threadIdx.x; t < count; t += blockDim.x)
    weights[t] = taps[t];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
#pragma unroll 2
  for (int t = 0; t < count; t++)
    if (i - t >= 0)
      sum += weights[t] * in[i - t];
  out[i] = sum >> 8;
}

#define TS 32
#define PER 4

// Product of matrices: a tile of 32 by 32, each thread has a column of four results.
__global__ void unrollProductColumns(const float* A, const float* B, float* C, int N) {
  __shared__ float As[TS][TS + 1];
  __shared__ float Bs[TS][TS + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TS + tx;
  const int row = blockIdx.y * TS + ty * PER;
  float acc[PER] = {0};
  for (int t = 0; t < N; t += TS) {
#pragma unroll
    for (int k = 0; k < PER; k++) {
      As[ty * PER + k][tx] = row + k < N && t + tx < N ? A[(row + k) * N + t + tx] : 0.0f;
      Bs[ty * PER + k][tx] =
          t + ty * PER + k < N && col < N ? B[(t + ty * PER + k) * N + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < TS; k++) {
      const float b = Bs[k][tx];
      for (int j = 0; j < PER; j++)
        acc[j] += As[ty * PER + j][k] * b;
    }
    __syncthreads();
  }
  for (int j = 0; j < PER; j++)
    if (row + j < N && col < N)
      C[(row + j) * N + col] = acc[j];
}

__constant__ float c_cosines[8][8];

// The cosine transform of blocks of 8 by 8, one pixel for each thread.
__global__ void unrollCosineTransform(const unsigned char* image, short* out, int width) {
  __shared__ float block[8][8], rows[8][8];
  const int u = threadIdx.x, v = threadIdx.y;
  const int x = blockIdx.x * 8 + u, y = blockIdx.y * 8 + v;
  block[v][u] = float(image[y * width + x]) - 128.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 8; k++)
    sum += c_cosines[u][k] * block[v][k];
  rows[v][u] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int k = 0; k < 8; k++)
    sum += c_cosines[v][k] * rows[k][u];
  out[y * width + x] = short(sum * 0.0625f + (sum < 0.0f ? -0.5f : 0.5f));
}

__host__ __device__ inline unsigned crc32(const unsigned char* bytes, int length) {
  unsigned crc = 0xffffffffu;
  for (int i = 0; i < length; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      if (crc & 1)
        crc = (crc >> 1) ^ 0xedb88320u;
      else
        crc >>= 1;
    }
  }
  return ~crc;
}

// Checksums of packets, bit by bit.
__global__ void unrollCrc(const unsigned char* packets, const int* lengths, int size, int n,
                          unsigned* crcs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    crcs[i] = crc32(packets + i * size, lengths[i]);
}

static void runPoints() {
  lanes::Random random(51);
  const int n = 500000;
  const lanes::Buffer<float> points(3 * n, [&](size_t) { return random.within(-1.0f, 1.0f); });
  lanes::Buffer<float> moved(3 * n), values(3 * n);
  const Rotation r = {{{0.36f, 0.48f, -0.8f}, {-0.8f, 0.6f, 0.0f}, {0.48f, 0.64f, 0.6f}},
                      {1.0f, 2.0f, 3.0f}};
  unrollTransform<<<264, 256>>>(points.data(), moved.data(), r, n);
  lanes::report("unrollTransform", moved);

  float coefficients[13];
  for (float& c : coefficients)
    c = random.within(-1.0f, 1.0f);
  LANES_CALL(cudaMemcpyToSymbol(c_coefficients, coefficients, sizeof coefficients));
  unrollHorner<<<(3 * n + 1023) / 1024, 256>>>(points.data(), values.data(), 3 * n);
  lanes::report("unrollHorner", values);

  const std::vector<float> ones(3 * n, 0.5f);
  const lanes::Buffer<float> halves(ones);
  lanes::Buffer<float> partial(132 * 8);
  unrollDotFour<<<132, 256>>>(points.data(), halves.data(), 3 * n - 1234, partial.data());
  lanes::report("unrollDotFour", partial);

  lanes::Buffer<float> best(200000);
  unrollAutocorrelation<<<(200000 + 127) / 128, 128>>>(points.data(), best.data(), 200000);
  lanes::report("unrollAutocorrelation", best);
}

static void runRows() {
  lanes::Random random(52);
  const int rows = 60000;
  std::vector<int> start = {0};
  for (int row = 0; row < rows; ++row)
    start.push_back(start.back() + (random.below(5) ? random.below(37) : random.below(90)));
  const std::vector<int> values =
      lanes::expect<int>(start.back(), [&](size_t) { return random.between(-99, 99); });
  const lanes::Buffer<int> startBuffer(start), valueBuffer(values);
  lanes::Buffer<int> sums(rows);
  unrollRaggedRows<<<(rows + 127) / 128, 128>>>(valueBuffer.data(), startBuffer.data(), rows,
                                                sums.data());
  lanes::report("unrollRaggedRows", sums);
  lanes::check("unrollRaggedRows", sums.host() == lanes::expect<int>(rows, [&](size_t row) {
                                     int sum = 0;
                                     for (int k = start[row]; k < start[row + 1]; ++k)
                                       sum += values[k] * (k & 7);
                                     return sum;
                                   }));

  const int keys = 100000;
  std::vector<unsigned char> bytes(keys * 32);
  for (int k = 0; k < keys; ++k) {
    const int same = random.below(4) ? random.below(33) : 0;
    for (int b = 0; b < 32; ++b)
      bytes[k * 32 + b] =
          k && b < same ? bytes[k * 32 - 32 + b] : static_cast<unsigned char>(random.below(256));
  }
  const lanes::Buffer<unsigned char> keyBuffer(bytes);
  lanes::Buffer<int> lengths(keys - 1);
  unrollPrefix<<<(keys + 255) / 256, 256>>>(keyBuffer.data(), keys, lengths.data());
  lanes::report("unrollPrefix", lengths);
  lanes::check("unrollPrefix", lengths.host() == lanes::expect<int>(keys - 1, [&](size_t i) {
                                 return commonPrefix(&bytes[i * 32], &bytes[i * 32 + 32]);
                               }));

  const int packets = 20000;
  const std::vector<int> sizes =
      lanes::expect<int>(packets, [&](size_t) { return random.between(4, 60); });
  const lanes::Buffer<int> sizeBuffer(sizes);
  lanes::Buffer<unsigned> crcs(packets);
  unrollCrc<<<(packets + 127) / 128, 128>>>(keyBuffer.data(), sizeBuffer.data(), 64, packets,
                                            crcs.data());
  lanes::report("unrollCrc", crcs);
  lanes::check("unrollCrc", crcs.host() == lanes::expect<unsigned>(packets, [&](size_t i) {
                              return crc32(&bytes[i * 64], sizes[i]);
                            }));

  const int samples = 300000, count = 21;
  const std::vector<short> in =
      lanes::expect<short>(samples, [&](size_t) { return short(random.between(-9999, 9999)); });
  const std::vector<short> taps =
      lanes::expect<short>(count, [&](size_t) { return short(random.between(-200, 200)); });
  const lanes::Buffer<short> inBuffer(in), tapBuffer(taps);
  lanes::Buffer<int> filtered(samples);
  unrollFir<<<(samples + 255) / 256, 256, count * sizeof(short)>>>(
      inBuffer.data(), tapBuffer.data(), count, samples, filtered.data());
  lanes::report("unrollFir", filtered);
  lanes::check("unrollFir", filtered.host() == lanes::expect<int>(samples, [&](size_t i) {
                              int sum = 0;
                              for (size_t t = 0; t < taps.size() && t <= i; ++t)
                                sum += taps[t] * in[i - t];
                              return sum >> 8;
                            }));
}

static void runMatrices() {
  lanes::Random random(53);
  const int width = 810, height = 601;
  const lanes::Buffer<float> image(width * height, [&](size_t) { return random.unit(); });
  lanes::Buffer<float> blurred(width * height);
  unrollWindow<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
      image.data(), blurred.data(), width, height);
  lanes::report("unrollWindow", blurred);

  const int neurons = 500, batch = 300;
  const auto weight = [&](size_t) { return random.within(-0.2f, 0.2f); };
  const lanes::Buffer<float> weights(neurons * kInner, weight), bias(neurons, weight),
      inputs(batch * kInner, weight);
  lanes::Buffer<float> outputs(batch * neurons);
  unrollDenseLayer<<<dim3((neurons + 127) / 128, batch), 128>>>(
      weights.data(), bias.data(), inputs.data(), outputs.data(), neurons);
  lanes::report("unrollDenseLayer", outputs);

  const int systems = 40000;
  std::vector<float> matrices(36 * systems);
  for (int s = 0; s < systems; ++s)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) {
        const float diagonal = random.below(40) ? 4.0f : -4.0f;
        const float value = i == j ? diagonal : random.within(-0.5f, 0.5f);
        matrices[(i * 6 + j) * systems + s] = matrices[(j * 6 + i) * systems + s] = value;
      }
  const lanes::Buffer<float> matrixBuffer(matrices);
  const lanes::Buffer<float> right(6 * systems, [&](size_t) { return random.unit(); });
  lanes::Buffer<float> solved(6 * systems);
  unrollCholesky<<<(systems + 127) / 128, 128>>>(matrixBuffer.data(), right.data(), solved.data(),
                                                 systems);
  lanes::report("unrollCholesky", solved);

  const int N = 200;
  const auto small = [&](size_t) { return float(random.between(-4, 4)); };
  const std::vector<float> a = lanes::expect<float>(N * N, small);
  const std::vector<float> b = lanes::expect<float>(N * N, small);
  const lanes::Buffer<float> aBuffer(a), bBuffer(b);
  lanes::Buffer<float> product(N * N);
  unrollProductColumns<<<dim3((N + TS - 1) / TS, (N + TS - 1) / TS), dim3(TS, TS / PER)>>>(
      aBuffer.data(), bBuffer.data(), product.data(), N);
  lanes::report("unrollProductColumns", product);
  lanes::check("unrollProductColumns", product.host() == lanes::expect<float>(N * N, [&](size_t i) {
                                         float sum = 0;
                                         for (int k = 0; k < N; ++k)
                                           sum += a[i / N * N + k] * b[k * N + i % N];
                                         return sum;
                                       }));

  float cosines[8][8];
  for (int u = 0; u < 8; ++u)
    for (int k = 0; k < 8; ++k) // in eighths, so that every sum is exact
      cosines[u][k] = std::round(8.0 * std::cos((2 * k + 1) * u * 3.14159265358979 / 16)) / 8.0;
  LANES_CALL(cudaMemcpyToSymbol(c_cosines, cosines, sizeof cosines));
  const lanes::Buffer<unsigned char> pixels(
      640 * 640, [&](size_t i) { return static_cast<unsigned char>(i / 5000 + random.below(40)); });
  lanes::Buffer<short> frequencies(640 * 640);
  unrollCosineTransform<<<dim3(80, 80), dim3(8, 8)>>>(pixels.data(), frequencies.data(), 640);
  lanes::report("unrollCosineTransform", frequencies);
}

int main() {
  runPoints();
  runRows();
  runMatrices();
  return lanes::status();
}
