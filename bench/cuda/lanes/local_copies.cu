// SPDX-License-Identifier: Apache-2.0
//
// Copies and local arrays: loops over bytes, memset and memcpy, structs by value from 12 to 200
// bytes, arrays cleared by every thread, text built in a buffer, tiles copied by a block.
#include "lanes.cuh"

#include <utility>

// Packs records of any length one behind the other, byte by byte.
__global__ void copyPack(const char* from, const int* source, const int* target, const int* length,
                         int n, char* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const char* s = from + source[i];
  char* t = to + target[i];
  int left = length[i];
  while (left-- > 0)
    *t++ = *s++;
}

struct Body {
  float x, y, z, mass;
  float vx, vy, vz, age;
  int kind, bounces, id, pad;
};

__device__ __noinline__ Body advance(Body b, float dt) {
  b.x += b.vx * dt;
  b.y += b.vy * dt;
  b.z += b.vz * dt;
  b.age += dt;
  if (b.z < 0.0f) {
    b.z = -b.z;
    b.vz = -0.8f * b.vz;
    b.bounces++;
  }
  b.vz -= 9.81f * dt;
  return b;
}

// Bodies are passed and returned by value, 48 bytes.
__global__ void copyBodies(const Body* in, Body* out, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body b = in[i];
  int steps = 4 + b.kind;
  for (int s = 0; s < steps; s++)
    b = advance(b, dt);
  out[i] = b;
}

struct Employee {
  char name[64];
  char street[48];
  int number, year, month, day;
  double salary, bonus;
  int scores[14];
}; // 200 bytes

// Whole records move to their place in the order; leavers are cleared.
__global__ void copyEmployees(const Employee* in, const int* order, int n, int year,
                              Employee* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Employee e = in[order[i]];
  if (e.year < year)
    memset(&e, 0, sizeof e);
  else
    e.salary += e.bonus * e.scores[i % 14];
  out[i] = e;
}

// The most frequent digit of a number's powers; the counts are cleared for each thread.
__global__ void copyDigitCounts(const unsigned* seeds, int n, int* modes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int counts[10];
  memset(counts, 0, sizeof(counts));
  unsigned value = seeds[i];
  for (int k = 0; k < 12; k++) {
    unsigned v = value;
    do {
      counts[v % 10]++;
      v /= 10;
    } while (v);
    value = value * 1664525u + 1013904223u;
  }
  int mode = 0;
  for (int d = 1; d < 10; d++)
    if (counts[d] > counts[mode])
      mode = d;
  modes[i] = mode * 1000 + counts[mode];
}

// Numbers as text, right-aligned in a field of 16 characters.
__global__ void copyNumberText(const int* numbers, int n, char* text) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  char buffer[16];
  memset(buffer, ' ', 15);
  buffer[15] = '\n';
  int number = numbers[i], at = 14;
  unsigned size = number < 0 ? 0u - unsigned(number) : unsigned(number);
  int digits = 0;
  do {
    if (digits && digits % 3 == 0)
      buffer[at--] = ',';
    buffer[at--] = char('0' + size % 10);
    size /= 10;
    digits++;
  } while (size != 0);
  if (number < 0)
    buffer[at] = '-';
  memcpy(text + i * 16, buffer, 16);
}

__device__ inline char* append(char* to, const char* word) {
  while (*word)
    *to++ = *word++;
  return to;
}

// Lines of a log: words and numbers appended to a local buffer, then copied out.
__global__ void copyLogLines(const int4* events, int n, char* lines, int* lengths) {
  const char* const kinds[] = {"open", "close", "read", "write", "error", "timeout"};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int4 event = events[i];
  char line[64];
  char* at = append(line, "id=");
  for (int shift = 12; shift >= 0; shift -= 4)
    *at++ = "0123456789abcdef"[event.x >> shift & 15];
  at = append(at, " kind=");
  at = append(at, kinds[event.y]);
  if (event.z > 0) {
    at = append(at, " bytes=");
    char digits[10];
    int count = 0;
    for (int v = event.z; v > 0; v /= 10)
      digits[count++] = char('0' + v % 10);
    while (count > 0)
      *at++ = digits[--count];
  }
  if (event.y >= 4)
    at = append(at, event.w & 1 ? " retry" : " abort");
  const int length = int(at - line);
  for (int k = 0; k < length; k++)
    lines[i * 64 + k] = line[k];
  lengths[i] = length;
}

#define TILE 34

// A tile with its border, fetched by all threads of a block in turn, and written back turned.
__global__ void copyTiles(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char tile[TILE * TILE];
  const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 32 - 1;
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  for (int k = tid; k < TILE * TILE; k += blockDim.x * blockDim.y) {
    int x = left + k % TILE, y = top + k / TILE;
    tile[k] = x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0;
  }
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += blockDim.y) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + row;
    if (x < width && y < height) {
      const unsigned char* at = tile + (row + 1) * TILE + threadIdx.x + 1;
      out[y * width + x] = (at[-TILE] + at[TILE] + at[-1] + at[1]) / 4;
    }
  }
}

__host__ __device__ inline unsigned digest(const unsigned char* message, int length) {
  unsigned char block[72];
  memset(block, 0, sizeof(block));
  memcpy(block, message, length);
  block[length] = 0x80;
  const unsigned long long bits = 8ull * length;
  memcpy(block + 64, &bits, 8);
  unsigned a = 0x67452301u, b = 0xefcdab89u;
  for (int k = 0; k < 72; k += 4) {
    unsigned word;
    memcpy(&word, block + k, 4);
    a = (a << 7 | a >> 25) + (word ^ b);
    b = (b << 11 | b >> 21) ^ (a * 0x9e3779b1u);
  }
  return a ^ b;
}

// Messages of 0 to 63 bytes are padded to a block and hashed.
__global__ void copyPadded(const unsigned char* messages, const int* lengths, int n,
                           unsigned* digests) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    digests[i] = digest(messages + i * 64, lengths[i]);
}

struct Rgb {
  float r, g, b;
};

__device__ Rgb mix(Rgb a, Rgb b, float t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

__device__ Rgb toneMap(Rgb c, float exposure) {
  c.r *= exposure;
  c.g *= exposure;
  c.b *= exposure;
  const float peak = fmaxf(c.r, fmaxf(c.g, c.b));
  if (peak > 1.0f)
    c = mix(c, Rgb{1.0f, 1.0f, 1.0f}, 1.0f - 1.0f / peak);
  return c;
}

// Colours of 12 bytes, passed by value; the two ends of a row are swapped.
__global__ void copyMirrorColours(Rgb* image, int width, int height, float exposure) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= width / 2)
    return;
  Rgb* row = image + y * width;
  Rgb t = row[x];
  row[x] = toneMap(row[width - 1 - x], exposure);
  row[width - 1 - x] = toneMap(t, exposure);
}

struct Matrix4 {
  float m[16];
};

__device__ Matrix4 multiply(Matrix4 a, Matrix4 b) {
  Matrix4 c;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      c.m[i * 4 + j] = 0;
      for (int k = 0; k < 4; k++)
        c.m[i * 4 + j] += a.m[i * 4 + k] * b.m[k * 4 + j];
    }
  return c;
}

// The pose of a bone is the product of those of its parents.
__global__ void copyPoses(const Matrix4* local, const int* parent, int bones, int figures,
                          Matrix4* world) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= bones * figures)
    return;
  const int figure = i / bones;
  int bone = i % bones;
  Matrix4 pose = local[i];
  while (parent[bone] >= 0) {
    bone = parent[bone];
    pose = multiply(local[figure * bones + bone], pose);
  }
  world[i] = pose;
}

struct Tap {
  int time;
  short level, side;
};

// An echo: the last sixteen taps of each voice are kept in a ring.
__global__ void copyRing(const short* sound, int length, int voices, int* energy) {
  const int voice = blockIdx.x * blockDim.x + threadIdx.x;
  if (voice >= voices)
    return;
  Tap ring[16] = {};
  int head = 0, total = 0;
  const int delay = 3 + voice % 13;
  for (int t = 0; t < length; t++) {
    const short level = sound[t * voices + voice];
    const Tap old = ring[(head - delay) & 15];
    if (old.time != 0)
      total += (level + old.level / 2) >> (old.side & 1);
    ring[head] = Tap{t, level, short(level > 0)};
    head = (head + 1) & 15;
  }
  energy[voice] = total;
}

__host__ __device__ inline void reverseWords(char* line, int size) {
  int from = 0;
  while (from < size) {
    while (from < size && line[from] == ' ')
      from++;
    int to = from;
    while (to < size && line[to] != ' ')
      to++;
    for (int a = from, b = to - 1; a < b; a++, b--) {
      const char t = line[a];
      line[a] = line[b];
      line[b] = t;
    }
    from = to;
  }
}

// Every word of a line is turned round, in a local copy of the line.
__global__ void copyTurnedWords(const char* in, int n, char* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  char line[40];
  memcpy(line, in + i * 40, 40);
  reverseWords(line, 40);
  memcpy(out + i * 40, line, 40);
}

static void runRecords() {
  lanes::Random random(61);
  const int n = 60000;
  std::vector<int> source(n), target(n), length(n);
  int total = 0;
  for (int i = 0; i < n; ++i) {
    source[i] = i * 48;
    target[i] = total;
    length[i] = random.below(6) ? random.below(20) : random.below(48);
    total += length[i];
  }
  const std::vector<char> bytes =
      lanes::expect<char>(n * 48, [&](size_t) { return char(random.between(32, 126)); });
  const lanes::Buffer<char> byteBuffer(bytes);
  const lanes::Buffer<int> sources(source), targets(target), lengths(length);
  lanes::Buffer<char> packed(total);
  copyPack<<<(n + 127) / 128, 128>>>(byteBuffer.data(), sources.data(), targets.data(),
                                     lengths.data(), n, packed.data());
  std::vector<char> expected(total);
  for (int i = 0; i < n; ++i)
    std::memcpy(expected.data() + target[i], &bytes[source[i]], length[i]);
  lanes::report("copyPack", packed);
  lanes::check("copyPack", packed.host() == expected);

  const lanes::Buffer<Body> bodies(n, [&](size_t i) {
    Body b = {};
    b.z = random.unit();
    b.vx = random.unit();
    b.vz = random.within(-4.0f, 4.0f);
    b.kind = random.below(6);
    b.id = int(i);
    return b;
  });
  lanes::Buffer<Body> advanced(n);
  copyBodies<<<(n + 127) / 128, 128>>>(bodies.data(), advanced.data(), n, 0.02f);
  std::vector<float> heights;
  for (const Body& b : advanced.host())
    heights.push_back(b.z);
  lanes::report("copyBodies", lanes::Buffer<float>(heights));

  const lanes::Buffer<Employee> employees(n, [&](size_t i) {
    Employee e = {};
    std::snprintf(e.name, sizeof e.name, "employee %d", int(i));
    e.year = random.between(1990, 2024);
    e.salary = 1000 * random.below(100);
    e.bonus = random.below(100);
    for (int& score : e.scores)
      score = random.below(6);
    return e;
  });
  std::vector<int> order = lanes::expect<int>(n, [&](size_t i) { return int(i); });
  for (int i = n - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  const lanes::Buffer<int> orders(order);
  lanes::Buffer<Employee> moved(n);
  copyEmployees<<<(n + 255) / 256, 256>>>(employees.data(), orders.data(), n, 2001, moved.data());
  lanes::report("copyEmployees", moved);

  const lanes::Buffer<Matrix4> local(40 * 600, [&](size_t) {
    Matrix4 m = {};
    for (int k = 0; k < 16; ++k)
      m.m[k] = float(random.between(-1, 1));
    return m;
  });
  const lanes::Buffer<int> parents(40, [&](size_t i) { return i == 0 ? -1 : int(i - 1) / 2; });
  lanes::Buffer<Matrix4> world(40 * 600);
  copyPoses<<<(40 * 600 + 127) / 128, 128>>>(local.data(), parents.data(), 40, 600, world.data());
  std::vector<int> traces; // +0, so that no sign of a zero counts
  for (const Matrix4& m : world.host())
    traces.push_back(int(m.m[0] + m.m[5] + m.m[10] + m.m[15]));
  lanes::report("copyPoses", lanes::Buffer<int>(traces));
}

static void runText() {
  lanes::Random random(62);
  const int n = 50000;
  const lanes::Buffer<unsigned> seeds(n, [&](size_t) { return random.next(); });
  lanes::Buffer<int> modes(n);
  copyDigitCounts<<<(n + 127) / 128, 128>>>(seeds.data(), n, modes.data());
  lanes::report("copyDigitCounts", modes);

  const std::vector<int> numbers =
      lanes::expect<int>(n, [&](size_t) { return int(random.next()) >> random.below(31); });
  const lanes::Buffer<int> numberBuffer(numbers);
  lanes::Buffer<char> text(n * 16);
  copyNumberText<<<(n + 255) / 256, 256>>>(numberBuffer.data(), n, text.data());
  lanes::report("copyNumberText", text);

  const lanes::Buffer<int4> events(n, [&](size_t) {
    int4 e;
    e.x = random.below(65536);
    e.y = random.below(6);
    e.z = e.y == 2 || e.y == 3 ? int(random.next() >> random.between(8, 31)) : 0;
    e.w = random.below(2);
    return e;
  });
  lanes::Buffer<char> lines(n * 64);
  lanes::Buffer<int> lengths(n);
  copyLogLines<<<(n + 127) / 128, 128>>>(events.data(), n, lines.data(), lengths.data());
  lanes::report("copyLogLines", lines);
  lanes::report("copyLogLines", lengths);

  const std::vector<unsigned char> messages = lanes::expect<unsigned char>(
      n * 64, [&](size_t) { return static_cast<unsigned char>(random.below(256)); });
  const std::vector<int> sizes = lanes::expect<int>(n, [&](size_t) { return random.below(64); });
  const lanes::Buffer<unsigned char> messageBuffer(messages);
  const lanes::Buffer<int> sizeBuffer(sizes);
  lanes::Buffer<unsigned> digests(n);
  copyPadded<<<(n + 127) / 128, 128>>>(messageBuffer.data(), sizeBuffer.data(), n, digests.data());
  lanes::report("copyPadded", digests);
  lanes::check("copyPadded", digests.host() == lanes::expect<unsigned>(n, [&](size_t i) {
                               return digest(&messages[i * 64], sizes[i]);
                             }));

  std::vector<char> words = lanes::expect<char>(
      n * 40, [&](size_t) { return random.below(6) ? char(random.between('a', 'z')) : ' '; });
  const lanes::Buffer<char> wordBuffer(words);
  lanes::Buffer<char> turned(n * 40);
  copyTurnedWords<<<(n + 127) / 128, 128>>>(wordBuffer.data(), n, turned.data());
  for (int i = 0; i < n; ++i)
    reverseWords(&words[i * 40], 40);
  lanes::report("copyTurnedWords", turned);
  lanes::check("copyTurnedWords", turned.host() == words);
}

static void runImages() {
  lanes::Random random(63);
  const int width = 1000, height = 600;
  const lanes::Buffer<unsigned char> image(
      width * height, [&](size_t) { return static_cast<unsigned char>(random.below(256)); });
  lanes::Buffer<unsigned char> smooth(width * height);
  copyTiles<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8)>>>(
      image.data(), smooth.data(), width, height);
  lanes::report("copyTiles", smooth);

  lanes::Buffer<Rgb> colours(width * height, [&](size_t) {
    const float r = random.unit(), g = random.unit(); // in this order with every compiler
    return Rgb{r, g, random.unit()};
  });
  copyMirrorColours<<<dim3((width / 2 + 127) / 128, height), 128>>>(colours.data(), width, height,
                                                                    1.7f);
  std::vector<float> reds;
  for (const Rgb& c : colours.host())
    reds.push_back(c.r);
  lanes::report("copyMirrorColours", lanes::Buffer<float>(reds));

  const int voices = 10000, length = 48;
  const lanes::Buffer<short> sound(voices * length,
                                   [&](size_t) { return short(random.between(-999, 999)); });
  lanes::Buffer<int> energy(voices);
  copyRing<<<(voices + 127) / 128, 128>>>(sound.data(), length, voices, energy.data());
  lanes::report("copyRing", energy);
}

int main() {
  runRecords();
  runText();
  runImages();
  return lanes::status();
}
