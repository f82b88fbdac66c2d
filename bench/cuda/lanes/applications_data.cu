// SPDX-License-Identifier: Apache-2.0
//
// Kernels of applications: alignment, clustering, cryptography, text, automata, ray tracing,
// compression, meshes. Each mixes loops, tables, atomics and branches as its subject wants it.
#include "lanes.cuh"

#include <algorithm>
#include <string>
#include <utility>

constexpr int kRead = 40, kBand = 8;

struct Alignment {
  int score, end, matches, gaps;
};

// A read against a window of the genome, in a band, with affine gaps; then the way back.
__host__ __device__ inline Alignment align(const char* read, const char* genome) {
  const int width = 2 * kBand + 1;
  short best[width + 2], gap[width + 2];
  unsigned char way[kRead][width];
  for (int b = 0; b < width + 2; b++) {
    best[b] = 0;
    gap[b] = -100;
  }
  Alignment a = {0, 0, 0, 0};
  int topRow = 0, topBand = 0;
  for (int i = 0; i < kRead; i++) {
    short along = -100;
    short left = -100;
    for (int b = 0; b < width; b++) {
      const int j = i + b - kBand;
      if (j < 0 || j >= kRead) {
        best[b] = 0;
        way[i][b] = 0;
        continue;
      }
      const short diagonal = best[b] + (read[i] == genome[j] ? 2 : -3);
      const short down = max(best[b + 1] - 5, gap[b + 1] - 1);
      along = max(left - 5, along - 1);
      short value = diagonal;
      unsigned char from = 1;
      if (down > value) {
        value = down;
        from = 2;
      }
      if (along > value) {
        value = along;
        from = 3;
      }
      if (value <= 0) {
        value = 0;
        from = 0;
      }
      way[i][b] = from;
      best[b] = value;
      gap[b] = down;
      left = value;
      if (value > a.score) {
        a.score = value;
        topRow = i;
        topBand = b;
      }
    }
  }
  a.end = topRow + topBand - kBand;
  int i = topRow, b = topBand;
  while (i >= 0 && b >= 0 && b < width && way[i][b] != 0) {
    if (way[i][b] == 1) {
      a.matches += read[i] == genome[i + b - kBand];
      i--;
    } else if (way[i][b] == 2) {
      a.gaps++;
      i--;
      b++;
    } else {
      a.gaps++;
      b--;
    }
  }
  return a;
}

__global__ void appAlign(const char* reads, const char* genome, const int* places, int n,
                         Alignment* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = align(reads + i * kRead, genome + places[i]);
}

#define DIMENSIONS 8
#define CLUSTERS 20

// A round of clustering: the nearest centre, and sums for the centres of the next round.
__global__ void appCluster(const int* points, const int* centres, int n, int* label, int* sums,
                           int* sizes, int* moved) {
  __shared__ int c[CLUSTERS * DIMENSIONS];
  __shared__ int localSums[CLUSTERS * DIMENSIONS];
  __shared__ int localSizes[CLUSTERS];
  for (int k = threadIdx.x; k < CLUSTERS * DIMENSIONS; k += blockDim.x) {
    c[k] = centres[k];
    localSums[k] = 0;
    if (k < CLUSTERS)
      localSizes[k] = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int p[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++)
      p[d] = points[d * n + i];
    int nearest = 0, least = 0x7fffffff;
    for (int k = 0; k < CLUSTERS; k++) {
      int distance = 0;
      for (int d = 0; d < DIMENSIONS; d++) {
        const int difference = p[d] - c[k * DIMENSIONS + d];
        distance += difference * difference;
        if (distance >= least)
          break;
      }
      if (distance < least) {
        least = distance;
        nearest = k;
      }
    }
    if (label[i] != nearest) {
      label[i] = nearest;
      atomicAdd(moved, 1);
    }
    atomicAdd(&localSizes[nearest], 1);
    for (int d = 0; d < DIMENSIONS; d++)
      atomicAdd(&localSums[nearest * DIMENSIONS + d], p[d]);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < CLUSTERS * DIMENSIONS; k += blockDim.x) {
    if (localSums[k] != 0)
      atomicAdd(&sums[k], localSums[k]);
    if (k < CLUSTERS && localSizes[k] > 0)
      atomicAdd(&sizes[k], localSizes[k]);
  }
}

__host__ __device__ inline unsigned char timesTwo(unsigned char x) {
  return (unsigned char)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

__host__ __device__ inline void encryptBlock(unsigned char* s, const unsigned char* keys,
                                             const unsigned char* box) {
  for (int k = 0; k < 16; k++)
    s[k] ^= keys[k];
  for (int round = 1; round <= 10; round++) {
    unsigned char t[16];
    for (int k = 0; k < 16; k++)
      t[k] = box[s[(k + 4 * (k % 4)) % 16]];
    for (int c = 0; c < 16; c += 4) {
      if (round < 10) {
        const unsigned char all = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3], first = t[c];
        for (int r = 0; r < 4; r++) {
          const unsigned char next = r < 3 ? t[c + r + 1] : first;
          s[c + r] = t[c + r] ^ all ^ timesTwo(t[c + r] ^ next);
        }
      } else {
        for (int r = 0; r < 4; r++)
          s[c + r] = t[c + r];
      }
    }
    for (int k = 0; k < 16; k++)
      s[k] ^= keys[round * 16 + k];
  }
}

// AES in counter mode, with the box in shared memory; the last block is cut.
__global__ void appEncrypt(const unsigned char* in, unsigned char* out, int bytes,
                           const unsigned char* keys, const unsigned char* box) {
  __shared__ unsigned char sbox[256], roundKeys[176];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) {
    sbox[k] = box[k];
    if (k < 176)
      roundKeys[k] = keys[k];
  }
  __syncthreads();
  const int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block * 16 >= bytes)
    return;
  unsigned char state[16] = {0};
  for (int k = 0; k < 4; k++)
    state[12 + k] = (unsigned char)(block >> (24 - 8 * k));
  encryptBlock(state, roundKeys, sbox);
  const int count = min(16, bytes - block * 16);
  for (int k = 0; k < count; k++)
    out[block * 16 + k] = in[block * 16 + k] ^ state[k];
}

__host__ __device__ inline unsigned rotate(unsigned x, int by) {
  return x >> by | x << (32 - by);
}

// One block of SHA-256.
__host__ __device__ inline void sha256(const unsigned* message, const unsigned* constants,
                                       unsigned* digest) {
  unsigned w[16], h[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                          0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
  for (int k = 0; k < 16; k++)
    w[k] = message[k];
  for (int k = 0; k < 64; k++) {
    if (k >= 16) {
      const unsigned x = w[(k - 15) & 15], y = w[(k - 2) & 15];
      w[k & 15] += (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[(k - 7) & 15] +
                   (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    const unsigned t1 = hh + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
                        constants[k] + w[k & 15];
    const unsigned t2 =
        (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    hh = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  digest[0] = h[0] + a, digest[1] = h[1] + b, digest[2] = h[2] + c, digest[3] = h[3] + d;
  digest[4] = h[4] + e, digest[5] = h[5] + f, digest[6] = h[6] + g, digest[7] = h[7] + hh;
}

// Looks for numbers whose hash begins with zeros; a thread stops at its first.
__global__ void appMining(const unsigned* header, const unsigned* constants, int tries,
                          unsigned limit, int n, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned message[16], digest[8];
  for (int k = 0; k < 16; k++)
    message[k] = header[k];
  found[i] = -1;
  for (int t = 0; t < tries; t++) {
    message[3] = unsigned(i * tries + t);
    sha256(message, constants, digest);
    if (digest[0] < limit) {
      found[i] = t;
      break;
    }
  }
}

__host__ __device__ inline bool isVowel(char c) {
  switch (c) {
  case 'a':
  case 'e':
  case 'i':
  case 'o':
  case 'u':
    return true;
  default:
    return false;
  }
}

__host__ __device__ inline bool endsIn(const char* word, int length, const char* ending, int n) {
  if (length <= n + 2)
    return false;
  for (int k = 0; k < n; k++)
    if (word[length - n + k] != ending[k])
      return false;
  return true;
}

__host__ __device__ inline int stem(char* word, int length) {
  if (endsIn(word, length, "ies", 3)) {
    word[length - 3] = 'y';
    return length - 2;
  }
  if (endsIn(word, length, "ing", 3))
    length -= 3;
  else if (endsIn(word, length, "ed", 2))
    length -= 2;
  else if (endsIn(word, length, "s", 1) && word[length - 2] != 's')
    length -= 1;
  if (length > 3 && word[length - 1] == word[length - 2] && !isVowel(word[length - 1]) &&
      word[length - 1] != 'l')
    length--;
  while (length > 3 && word[length - 1] == 'e')
    length--;
  return length;
}

__host__ __device__ inline unsigned hashOfStem(const char* text, int from, int to) {
  char word[24];
  int length = 0;
  for (int k = from; k < to && length < 24; k++) {
    char c = text[k];
    if (c >= 'A' && c <= 'Z')
      c = char(c + 32);
    if (c >= 'a' && c <= 'z')
      word[length++] = c;
  }
  length = stem(word, length);
  unsigned hash = 2166136261u;
  for (int k = 0; k < length; k++)
    hash = (hash ^ (unsigned char)word[k]) * 16777619u;
  return hash ? hash : 1u;
}

// Counts the stems of words: each thread has a line, all have one table.
__global__ void appStems(const char* text, const int* lineStart, int lines, unsigned* keys,
                         int* counts, int slots) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines)
    return;
  int at = lineStart[line];
  const int end = lineStart[line + 1];
  while (at < end) {
    while (at < end && text[at] == ' ')
      at++;
    const int from = at;
    while (at < end && text[at] != ' ')
      at++;
    if (from == at)
      break;
    const unsigned hash = hashOfStem(text, from, at);
    int slot = int(hash % unsigned(slots));
    while (true) {
      const unsigned old = atomicCAS(&keys[slot], 0u, hash);
      if (old == 0u || old == hash) {
        atomicAdd(&counts[slot], 1);
        break;
      }
      if (++slot == slots)
        slot = 0;
    }
  }
}

constexpr int kLifeRows = 64;

// The game of life on a torus of 64 by 64: a row of bits for each thread, some generations.
__global__ void appLifeBits(const unsigned long long* in, unsigned long long* out, int generations,
                            int* settled) {
  __shared__ unsigned long long rows[kLifeRows];
  const int r = threadIdx.x;
  rows[r] = in[blockIdx.x * kLifeRows + r];
  __syncthreads();
  int when = -1;
  for (int g = 0; g < generations; g++) {
    unsigned long long one = 0, two = 0, four = 0;
    const unsigned long long centre = rows[r];
    for (int dr = -1; dr <= 1; dr++) {
      const unsigned long long row = rows[(r + dr) & (kLifeRows - 1)];
      for (int shift = -1; shift <= 1; shift++) {
        if (dr == 0 && shift == 0)
          continue;
        unsigned long long bits = row;
        if (shift < 0)
          bits = row << 1 | row >> 63;
        else if (shift > 0)
          bits = row >> 1 | row << 63;
        unsigned long long carry = one & bits;
        one ^= bits;
        unsigned long long carry2 = two & carry;
        two ^= carry;
        four |= carry2;
      }
    }
    const unsigned long long next = two & ~four & (one | centre);
    const int changed = __syncthreads_or(next != centre);
    if (!changed) {
      when = g;
      break;
    }
    rows[r] = next;
    __syncthreads();
  }
  out[blockIdx.x * kLifeRows + r] = rows[r];
  if (r == 0)
    settled[blockIdx.x] = when;
}

struct Sphere {
  float x, y, z, radius, red, shine;
};

__host__ __device__ inline int hitSpheres(const Sphere* spheres, int count, float3 o, float3 d,
                                          float& t) {
  int best = -1;
  for (int k = 0; k < count; k++) {
    const float x = o.x - spheres[k].x, y = o.y - spheres[k].y, z = o.z - spheres[k].z;
    const float b = x * d.x + y * d.y + z * d.z;
    const float c = x * x + y * y + z * z - spheres[k].radius * spheres[k].radius;
    const float inside = b * b - c;
    if (inside <= 0.0f)
      continue;
    const float near = -b - sqrtf(inside);
    if (near > 1e-3f && near < t) {
      t = near;
      best = k;
    }
  }
  return best;
}

__host__ __device__ inline float traceRay(const Sphere* spheres, int count, float x, float y) {
  float3 o = make_float3(0.0f, 1.0f, -4.0f);
  float3 d = make_float3(x - 0.5f, 0.4f - y, 1.0f);
  float light = 0.0f, weight = 1.0f;
  for (int depth = 0; depth < 4; depth++) {
    const float inverse = 1.0f / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    d = make_float3(d.x * inverse, d.y * inverse, d.z * inverse);
    float t = 1e30f;
    int hit = hitSpheres(spheres, count, o, d, t);
    float3 normal = make_float3(0.0f, 1.0f, 0.0f);
    float colour = 0.0f, shine = 0.0f;
    if (d.y < 0.0f && -o.y / d.y < t && -o.y / d.y > 1e-3f) {
      t = -o.y / d.y;
      hit = count;
    }
    if (hit < 0) {
      light += weight * (0.3f + 0.3f * d.y);
      break;
    }
    o = make_float3(o.x + t * d.x, o.y + t * d.y, o.z + t * d.z);
    if (hit == count) {
      colour = (int(floorf(o.x)) + int(floorf(o.z))) & 1 ? 0.9f : 0.2f;
      shine = 0.1f;
    } else {
      const Sphere s = spheres[hit];
      normal = make_float3((o.x - s.x) / s.radius, (o.y - s.y) / s.radius, (o.z - s.z) / s.radius);
      colour = s.red;
      shine = s.shine;
    }
    const float3 sun = make_float3(0.48f, 0.8f, -0.36f);
    float facing = normal.x * sun.x + normal.y * sun.y + normal.z * sun.z;
    float far = 1e30f;
    if (facing > 0.0f && hitSpheres(spheres, count, o, sun, far) >= 0)
      facing = 0.0f;
    light += weight * (1.0f - shine) * colour * (0.1f + 0.9f * fmaxf(facing, 0.0f));
    weight *= shine;
    if (weight < 0.05f)
      break;
    const float turn = 2.0f * (d.x * normal.x + d.y * normal.y + d.z * normal.z);
    d = make_float3(d.x - turn * normal.x, d.y - turn * normal.y, d.z - turn * normal.z);
  }
  return light;
}

// A picture of spheres on a chessboard: shadows, and mirrors up to a depth.
__global__ void appPicture(const Sphere* spheres, int count, int width, int height, float* image) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px < width && py < height)
    image[py * width + px] = traceRay(spheres, count, (px + 0.5f) / width, (py + 0.5f) / height);
}

// Coefficients are quantised, read in zigzag, and runs of zeros coded; returns bits.
__host__ __device__ inline int codeBlock(const short* block, const unsigned char* zigzag,
                                         int quality, int before) {
  int bits = 0, run = 0;
  for (int k = 0; k < 64; k++) {
    const int at = zigzag[k];
    const int step = 4 + (at % 8 + at / 8) * quality;
    int v = block[at] >= 0 ? (block[at] + step / 2) / step : -((-block[at] + step / 2) / step);
    if (k == 0)
      v -= before;
    if (v == 0 && k > 0) {
      run++;
      continue;
    }
    while (run > 15) {
      bits += 11;
      run -= 16;
    }
    int size = 0;
    for (int a = v < 0 ? -v : v; a; a >>= 1)
      size++;
    if (run == 0)
      bits += size < 3 ? 2 + size / 2 : 2 + size;
    else if (run < 4)
      bits += 5 + run + (size > 2 ? 2 * size : size);
    else
      bits += 16;
    bits += size;
    run = 0;
  }
  if (run > 0)
    bits += 4;
  return bits;
}

__global__ void appCoding(const short* blocks, const unsigned char* zigzag, int n, int quality,
                          int* bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bits[i] = codeBlock(blocks + i * 64, zigzag, quality, i % 8 ? blocks[i * 64 - 64] / 4 : 0);
}

// A mesh is smoothed towards the mean of the neighbours; borders and sharp edges stay.
__global__ void appSmooth(const float3* vertices, const int* start, const int* neighbours,
                          const unsigned char* border, int n, float amount, float3* out) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  const float3 p = vertices[v];
  const int degree = start[v + 1] - start[v];
  if (border[v] || degree < 3) {
    out[v] = p;
    return;
  }
  float3 mean = make_float3(0.0f, 0.0f, 0.0f);
  float weights = 0.0f, steepest = 0.0f;
  for (int k = start[v]; k < start[v + 1]; k++) {
    const float3 q = vertices[neighbours[k]];
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float length = sqrtf(dx * dx + dy * dy + dz * dz);
    if (length == 0.0f)
      continue;
    const float weight = 1.0f / length;
    if (fabsf(dz) * weight > steepest)
      steepest = fabsf(dz) * weight;
    mean.x += weight * q.x;
    mean.y += weight * q.y;
    mean.z += weight * q.z;
    weights += weight;
  }
  if (weights == 0.0f || steepest > 0.95f) {
    out[v] = p;
    return;
  }
  out[v] =
      make_float3(p.x + amount * (mean.x / weights - p.x), p.y + amount * (mean.y / weights - p.y),
                  p.z + amount * (mean.z / weights - p.z));
}

static void runBiology() {
  lanes::Random random(131);
  const int n = 8000, size = 100000;
  const std::vector<char> genome =
      lanes::expect<char>(size, [&](size_t) { return "ACGT"[random.below(4)]; });
  std::vector<char> reads;
  std::vector<int> places;
  for (int i = 0; i < n; ++i) {
    const int place = random.below(size - 2 * kRead);
    places.push_back(place);
    for (int k = 0, at = place; k < kRead; ++k) {
      const int luck = random.below(40);
      at += luck == 0 ? 2 : luck == 1 ? 0 : 1;
      reads.push_back(luck == 2 || i % 9 == 0 ? "ACGT"[random.below(4)] : genome[at - 1]);
    }
  }
  const lanes::Buffer<char> genomeBuffer(genome), readBuffer(reads);
  const lanes::Buffer<int> placeBuffer(places);
  lanes::Buffer<Alignment> alignments(n);
  appAlign<<<(n + 63) / 64, 64>>>(readBuffer.data(), genomeBuffer.data(), placeBuffer.data(), n,
                                  alignments.data());
  lanes::report("appAlign", alignments);
  const std::vector<Alignment> expected = lanes::expect<Alignment>(
      n, [&](size_t i) { return align(&reads[i * kRead], &genome[places[i]]); });
  lanes::check("appAlign", lanes::checksum(alignments.host()) == lanes::checksum(expected));

  const int points = 60000;
  const lanes::Buffer<int> values(
      points * DIMENSIONS, [&](size_t i) { return int(i % points % 13) * 40 + random.below(120); });
  const lanes::Buffer<int> centres(CLUSTERS * DIMENSIONS,
                                   [&](size_t) { return random.below(600); });
  lanes::Buffer<int> label(points), sums(CLUSTERS * DIMENSIONS), sizes(CLUSTERS), moved(1);
  appCluster<<<(points + 127) / 128, 128>>>(values.data(), centres.data(), points, label.data(),
                                            sums.data(), sizes.data(), moved.data());
  lanes::report("appCluster", label);
  lanes::report("appCluster", sums);
  lanes::report("appCluster", moved);
}

static unsigned char inverseOf(unsigned char x) {
  for (int y = 1; y < 256; ++y) {
    unsigned char product = 0, a = x;
    for (int b = y; b; b >>= 1, a = timesTwo(a))
      if (b & 1)
        product ^= a;
    if (product == 1)
      return static_cast<unsigned char>(y);
  }
  return 0;
}

static void runSecrets() {
  lanes::Random random(132);
  std::vector<unsigned char> box(256), keys(176);
  for (int x = 0; x < 256; ++x) {
    const unsigned char i = inverseOf(static_cast<unsigned char>(x));
    unsigned char s = 0x63;
    for (int k = 0; k < 5; ++k)
      s ^= static_cast<unsigned char>(i << k | i >> (8 - k));
    box[x] = s;
  }
  for (int k = 0; k < 16; ++k)
    keys[k] = static_cast<unsigned char>(random.below(256));
  for (int k = 16, constant = 1; k < 176; k += 4) {
    unsigned char t[4] = {keys[k - 4], keys[k - 3], keys[k - 2], keys[k - 1]};
    if (k % 16 == 0) {
      const unsigned char first = t[0];
      t[0] = static_cast<unsigned char>(box[t[1]] ^ constant);
      t[1] = box[t[2]];
      t[2] = box[t[3]];
      t[3] = box[first];
      constant = timesTwo(static_cast<unsigned char>(constant));
    }
    for (int b = 0; b < 4; ++b)
      keys[k + b] = keys[k - 16 + b] ^ t[b];
  }
  const int bytes = 20000 * 16 + 5;
  const lanes::Buffer<unsigned char> plain(
      bytes, [&](size_t) { return static_cast<unsigned char>(random.below(256)); });
  const lanes::Buffer<unsigned char> boxBuffer(box), keyBuffer(keys);
  lanes::Buffer<unsigned char> secret(bytes);
  appEncrypt<<<(bytes / 16 + 1 + 127) / 128, 128>>>(plain.data(), secret.data(), bytes,
                                                    keyBuffer.data(), boxBuffer.data());
  lanes::report("appEncrypt", secret);
  lanes::check("appEncrypt", box[0x53] == 0xed);

  const lanes::Buffer<unsigned> header(16, [&](size_t) { return random.next(); });
  const lanes::Buffer<unsigned> constants(64, [&](size_t k) {
    int prime = 2;
    for (size_t seen = 0;; ++prime) {
      bool divided = false;
      for (int d = 2; d * d <= prime; ++d)
        divided |= prime % d == 0;
      if (!divided && seen++ == k)
        break;
    }
    const double root = std::cbrt(double(prime));
    return static_cast<unsigned>((root - std::floor(root)) * 4294967296.0);
  });
  lanes::Buffer<int> found(8000);
  appMining<<<(8000 + 127) / 128, 128>>>(header.data(), constants.data(), 12, 1u << 29, 8000,
                                         found.data());
  lanes::report("appMining", found);
}

static void runText() {
  lanes::Random random(133);
  const int lines = 6000, slots = 4093;
  const char* const roots[] = {"walk", "Run",  "stopp", "carr", "house", "tree", "Green",
                               "pass", "call", "baker", "sing", "note",  "read", "quick"};
  const char* const endings[] = {"", "s", "ing", "ed", "ies", "e", "er"};
  std::string text;
  std::vector<int> start = {0};
  std::vector<std::string> all;
  for (int line = 0; line < lines; ++line) {
    for (int words = random.below(14); words > 0; --words) {
      std::string word = roots[random.below(14)];
      if (random.below(3) == 0)
        word += roots[random.below(14)];
      word += endings[random.below(7)];
      all.push_back(word);
      text += word + (random.below(6) ? " " : "  ");
    }
    start.push_back(int(text.size()));
  }
  const lanes::Buffer<char> characters(std::vector<char>(text.begin(), text.end()));
  const lanes::Buffer<int> starts(start);
  lanes::Buffer<unsigned> keys(slots);
  lanes::Buffer<int> counts(slots);
  appStems<<<(lines + 63) / 64, 64>>>(characters.data(), starts.data(), lines, keys.data(),
                                      counts.data(), slots);
  const std::vector<unsigned> foundKeys = keys.host();
  const std::vector<int> foundCounts = counts.host();
  std::vector<unsigned> found, expected; // a key for each word, in order
  for (int slot = 0; slot < slots; ++slot)
    found.insert(found.end(), foundCounts[slot], foundKeys[slot]);
  for (const std::string& word : all)
    expected.push_back(hashOfStem(word.data(), 0, int(word.size())));
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  lanes::report("appStems", lanes::Buffer<unsigned>(found));
  lanes::check("appStems", found == expected);

  const int worlds = 400;
  const lanes::Buffer<unsigned long long> before(worlds * kLifeRows, [&](size_t i) {
    const unsigned long long high = random.next(), low = random.next();
    const unsigned long long bits = high << 32 | low;
    return i / kLifeRows % 3 == 0 ? bits & 0xff00ull : i % kLifeRows < 12 ? bits & bits >> 7 : 0ull;
  });
  lanes::Buffer<unsigned long long> after(worlds * kLifeRows);
  lanes::Buffer<int> settled(worlds);
  appLifeBits<<<worlds, kLifeRows>>>(before.data(), after.data(), 24, settled.data());
  lanes::report("appLifeBits", after);
  lanes::report("appLifeBits", settled);
}

static void runPictures() {
  lanes::Random random(134);
  const std::vector<Sphere> spheres = lanes::expect<Sphere>(16, [&](size_t i) {
    const float radius = random.within(0.2f, 0.7f);
    return Sphere{random.within(-3.0f, 3.0f),
                  radius + (i % 3 == 0 ? 1.0f : 0.0f),
                  random.within(-1.0f, 5.0f),
                  radius,
                  random.unit(),
                  i % 2 ? 0.6f : 0.0f};
  });
  const lanes::Buffer<Sphere> sphereBuffer(spheres);
  const int width = 240, height = 160;
  lanes::Buffer<float> image(width * height);
  appPicture<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(
      sphereBuffer.data(), 16, width, height, image.data());
  lanes::check("appPicture",
               lanes::close(image.host(), lanes::expect<float>(width * height, [&](size_t i) {
                              return traceRay(spheres.data(), 16, (int(i) % width + 0.5f) / width,
                                              (int(i) / width + 0.5f) / height);
                            })));

  std::vector<unsigned char> zigzag;
  for (int s = 0; s < 15; ++s)
    for (int k = 0; k <= s; ++k) {
      const int x = s % 2 ? s - k : k, y = s - x;
      if (x < 8 && y < 8)
        zigzag.push_back(static_cast<unsigned char>(y * 8 + x));
    }
  const int blocks = 12000;
  const std::vector<short> coefficients = lanes::expect<short>(blocks * 64, [&](size_t i) {
    const int at = int(i % 64), far = at / 8 + at % 8;
    return short(random.between(-400, 400) / (1 + far * far / (1 + int(i / 64 % 5))));
  });
  const lanes::Buffer<short> coefficientBuffer(coefficients);
  const lanes::Buffer<unsigned char> zigzagBuffer(zigzag);
  lanes::Buffer<int> bits(blocks);
  appCoding<<<(blocks + 127) / 128, 128>>>(coefficientBuffer.data(), zigzagBuffer.data(), blocks, 3,
                                           bits.data());
  lanes::report("appCoding", bits);
  lanes::check("appCoding", bits.host() == lanes::expect<int>(blocks, [&](size_t i) {
                              return codeBlock(&coefficients[i * 64], zigzag.data(), 3,
                                               i % 8 ? coefficients[i * 64 - 64] / 4 : 0);
                            }));

  const int side = 300, n = side * side;
  std::vector<int> start = {0}, neighbours;
  std::vector<unsigned char> border;
  for (int v = 0; v < n; ++v) {
    const int x = v % side, y = v / side;
    border.push_back(x == 0 || y == 0 || x == side - 1 || y == side - 1);
    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {1, 1}, {-1, -1}})
      if (x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side && random.below(9))
        neighbours.push_back((y + dy) * side + x + dx);
    start.push_back(int(neighbours.size()));
  }
  const lanes::Buffer<float3> vertices(n, [&](size_t v) {
    const float z = random.below(30) ? random.unit() : 9.0f * random.unit();
    return make_float3(float(v % side), float(v / side), z);
  });
  const lanes::Buffer<int> starts(start), neighbourBuffer(neighbours);
  const lanes::Buffer<unsigned char> borderBuffer(border);
  lanes::Buffer<float3> smooth(n);
  appSmooth<<<(n + 127) / 128, 128>>>(vertices.data(), starts.data(), neighbourBuffer.data(),
                                      borderBuffer.data(), n, 0.5f, smooth.data());
  std::vector<float> heights;
  for (const float3& v : smooth.host())
    heights.push_back(v.z);
  lanes::report("appSmooth", lanes::Buffer<float>(heights));
}

int main() {
  runBiology();
  runSecrets();
  runText();
  runPictures();
  return lanes::status();
}
