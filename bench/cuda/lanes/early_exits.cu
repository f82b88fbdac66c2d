// SPDX-License-Identifier: Apache-2.0
//
// Ways out: early returns, breaks out of nested loops, loops with two exits, switches that fall
// through, goto, chains of && and || with side effects, and trees that are walked twice.
#include "lanes.cuh"

#include <algorithm>

__host__ __device__ inline int firstEqualPair(const unsigned char* row, int n) {
  int answer = -1;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      if (row[i] + row[j] == 200) {
        answer = i * n + j;
        goto found;
      }
      if (row[j] == 0)
        break;
    }
    if (row[i] == 255)
      return -2;
  }
found:
  return answer;
}

// The first pair with a given sum; zeros end the inner loop, 255 ends the row.
__global__ void exitPairs(const unsigned char* rows, int length, int n, int* pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  pairs[i] = firstEqualPair(rows + i * length, length);
}

__host__ __device__ inline unsigned murmur(const unsigned char* key, int length, unsigned seed) {
  unsigned h = seed, k = 0;
  for (int i = 0; i + 4 <= length; i += 4) {
    k = key[i] | key[i + 1] << 8 | key[i + 2] << 16 | unsigned(key[i + 3]) << 24;
    k *= 0xcc9e2d51u;
    k = k << 15 | k >> 17;
    h ^= k * 0x1b873593u;
    h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
  }
  const unsigned char* tail = key + (length & ~3);
  k = 0;
  switch (length & 3) {
  case 3:
    k ^= tail[2] << 16;
    [[fallthrough]];
  case 2:
    k ^= tail[1] << 8;
    [[fallthrough]];
  case 1:
    k ^= tail[0];
    k *= 0xcc9e2d51u;
    k = k << 15 | k >> 17;
    h ^= k * 0x1b873593u;
  }
  h ^= unsigned(length);
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ h >> 16;
}

// Hashes of words; the last bytes by a switch that falls through.
__global__ void exitMurmur(const unsigned char* words, const int* start, int n, unsigned* hashes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    hashes[i] = murmur(words + start[i], start[i + 1] - start[i], 42u);
}

__host__ __device__ inline int numberKind(const char* s) {
  int digits = 0;
  bool real = false;
  if (*s == '-' || *s == '+')
    ++s;
whole:
  if (*s >= '0' && *s <= '9') {
    ++digits;
    ++s;
    goto whole;
  }
  if (*s == '.')
    goto fraction;
  if (digits == 0)
    goto bad;
  if (*s == 'e' || *s == 'E')
    goto exponent;
  goto end;
fraction:
  real = true;
  ++s;
  while (*s >= '0' && *s <= '9') {
    ++digits;
    ++s;
  }
  if (digits == 0)
    goto bad;
  if (*s != 'e' && *s != 'E')
    goto end;
exponent:
  real = true;
  ++s;
  if (*s == '-' || *s == '+')
    ++s;
  if (*s < '0' || *s > '9')
    goto bad;
  while (*s >= '0' && *s <= '9')
    ++s;
end:
  if (*s == '\0')
    return real ? 100 + digits : digits;
bad:
  return -1;
}

// Is it a number? A machine of labels and gotos.
__global__ void exitNumberKind(const char* text, int room, int n, int* kinds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  kinds[i] = numberKind(text + i * room);
}

__host__ __device__ inline int orbit(unsigned start, int limit) {
  unsigned slow = start, fast = start;
  int steps = 0;
  while (true) {
    slow = (slow * slow + 1u) % 8051u;
    fast = (fast * fast + 1u) % 8051u;
    fast = (fast * fast + 1u) % 8051u;
    ++steps;
    if (slow == fast) {
      int length = 0;
      do {
        slow = (slow * slow + 1u) % 8051u;
        ++length;
      } while (slow != fast);
      return steps * 1000 + length;
    }
    if (steps >= limit)
      return -int(fast % 97u);
  }
}

// Cycles of a sequence: the loop ends when it closes, or when patience ends.
__global__ void exitOrbits(const unsigned* starts, int limit, int n, int* orbits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    orbits[i] = orbit(starts[i], limit);
}

struct Cursor {
  const char* at;
  int tried;
};

__host__ __device__ inline bool accept(Cursor& c, char wanted) {
  c.tried++;
  if (*c.at != wanted)
    return false;
  ++c.at;
  return true;
}

__host__ __device__ inline bool digit(Cursor& c) {
  c.tried++;
  return *c.at >= '0' && *c.at <= '9' && (++c.at, true);
}

__host__ __device__ inline bool moveText(Cursor& c) {
  const char* from = c.at;
  return ((accept(c, 'N') || accept(c, 'B') || accept(c, 'R') || accept(c, 'Q') || accept(c, 'K') ||
           true) &&
          (accept(c, 'x') || true) && (*c.at >= 'a' && *c.at <= 'h' && ++c.at) && digit(c) &&
          (accept(c, '+') || accept(c, '#') || true) && (accept(c, ' ') || *c.at == '\0')) ||
         (c.at = from,
          accept(c, 'O') && accept(c, '-') && accept(c, 'O') && (accept(c, ' ') || *c.at == '\0'));
}

// Moves of chess games, read by chains of && and ||.
__global__ void exitMoves(const char* games, int room, int n, int* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Cursor c = {games + i * room, 0};
  int moves = 0;
  while (*c.at && moveText(c))
    moves++;
  result[i] = moves * 1000 + c.tried;
}

struct Box {
  float low[2], high[2];
  int left, right, first, count;
};

__device__ inline bool crosses(const Box& box, float2 from, float2 slope, float reach) {
  float near = 0.0f, far = reach;
  const float o[2] = {from.x, from.y}, d[2] = {slope.x, slope.y};
  for (int axis = 0; axis < 2; axis++) {
    float t0 = (box.low[axis] - o[axis]) / d[axis], t1 = (box.high[axis] - o[axis]) / d[axis];
    if (t0 > t1) {
      const float t = t0;
      t0 = t1;
      t1 = t;
    }
    near = fmaxf(near, t0);
    far = fminf(far, t1);
    if (near > far)
      return false;
  }
  return true;
}

__host__ __device__ inline float hitDisc(float3 disc, float2 from, float2 slope) {
  const float x = from.x - disc.x, y = from.y - disc.y;
  const float b = x * slope.x + y * slope.y, c = x * x + y * y - disc.z * disc.z;
  const float inside = b * b - c;
  if (inside < 0.0f)
    return 1e30f;
  const float t = -b - sqrtf(inside);
  return t > 1e-3f ? t : 1e30f;
}

__device__ int walkBoxes(const Box* boxes, const float3* discs, float2 from, float2 slope,
                         float& reach, bool any) {
  int stack[24], top = 0, best = -1;
  stack[top++] = 0;
  while (top > 0) {
    const Box box = boxes[stack[--top]];
    if (!crosses(box, from, slope, reach))
      continue;
    if (box.count == 0) {
      stack[top++] = box.right;
      stack[top++] = box.left;
      continue;
    }
    for (int k = box.first; k < box.first + box.count; k++) {
      const float t = hitDisc(discs[k], from, slope);
      if (t < reach) {
        reach = t;
        best = k;
        if (any)
          return best;
      }
    }
  }
  return best;
}

// The nearest disc; from there towards the light, or else on to the sky.
__global__ void exitBoxesTwice(const Box* boxes, const float3* discs, const float2* origins,
                               const float* angles, int n, float2 light, float* shade) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float2 from = origins[i], slope = make_float2(cosf(angles[i]), sinf(angles[i]));
  float reach = 2.0f;
  const int hit = walkBoxes(boxes, discs, from, slope, reach, false);
  if (hit >= 0) {
    const float2 p = make_float2(from.x + reach * slope.x, from.y + reach * slope.y);
    float2 to = make_float2(light.x - p.x, light.y - p.y);
    float distance = sqrtf(to.x * to.x + to.y * to.y);
    to.x /= distance;
    to.y /= distance;
    if (walkBoxes(boxes, discs, p, to, distance, true) >= 0)
      shade[i] = 0.1f;
    else
      shade[i] = 1.0f / (1.0f + distance);
  } else {
    shade[i] = 0.5f + 0.5f * slope.y;
  }
}

struct Leaf {
  int left, right, key;
};

__host__ __device__ inline int neighbour(const Leaf* tree, int key) {
  int at = 0;
  bool present = false;
  while (at >= 0) {
    if (tree[at].key == key) {
      present = true;
      break;
    }
    at = key < tree[at].key ? tree[at].left : tree[at].right;
  }
  int best = -1;
  if (present) { // the next above
    for (int v = 0; v >= 0;) {
      if (tree[v].key > key) {
        best = tree[v].key;
        v = tree[v].left;
      } else {
        v = tree[v].right;
      }
    }
  } else { // the next below
    int v = 0;
    do {
      if (tree[v].key < key) {
        best = tree[v].key;
        v = tree[v].right;
      } else {
        v = tree[v].left;
      }
    } while (v >= 0);
    best = -best;
  }
  return best;
}

// A search tree is walked, and then again, for one of two reasons.
__global__ void exitTreeTwice(const Leaf* tree, const int* keys, int n, int* neighbours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    neighbours[i] = neighbour(tree, keys[i]);
}

__host__ __device__ inline int verifyCard(const unsigned char* d) {
  if (d[0] == 0)
    return 1;
  if (d[0] != 3 && d[0] != 4 && d[0] != 5)
    return 2;
  const int length = d[0] == 3 ? 15 : 16;
  int sum = 0;
  for (int k = 0; k < length; k++) {
    if (d[k] > 9)
      return 3;
    int v = d[length - 1 - k];
    if (k % 2) {
      v *= 2;
      if (v > 9)
        v -= 9;
    }
    sum += v;
  }
  if (sum % 10)
    return 4;
  for (int k = 4; k < length; k++)
    if (d[k] != d[k - 4])
      return 0;
  return 5;
}

// Numbers of cards, with a code for the first thing that is wrong.
__global__ void exitCards(const unsigned char* digits, int n, int* codes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  codes[i] = verifyCard(digits + i * 16);
}

__host__ __device__ inline int faultOfSudoku(const unsigned char* cells) {
  for (int r = 0; r < 9; r++) {
    unsigned seen = 0;
    for (int c = 0; c < 9; c++) {
      const int v = cells[r * 9 + c];
      if (v < 1 || v > 9)
        return 1000 + r * 9 + c;
      if (seen >> v & 1)
        return 100 + r;
      seen |= 1u << v;
    }
  }
  for (int c = 0; c < 9; c++) {
    unsigned seen = 0;
    for (int r = 0; r < 9; r++)
      seen |= 1u << cells[r * 9 + c];
    if (seen != 0x3fe)
      return 200 + c;
  }
  for (int b = 0; b < 9; b++) {
    unsigned seen = 0;
    for (int k = 0; k < 9; k++) {
      const int v = cells[(b / 3 * 3 + k / 3) * 9 + b % 3 * 3 + k % 3];
      if (seen & 1u << v)
        return 300 + b;
      seen |= 1u << v;
    }
  }
  return 0;
}

// Solved sudokus are verified: rows, columns, boxes; the first fault ends it.
__global__ void exitSudokus(const unsigned char* grids, int n, int* faults) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  faults[i] = faultOfSudoku(grids + i * 81);
}

__host__ __device__ inline int readFrame(const unsigned char* p, int room) {
  int code = 0, used = 0;
  do {
    if (p[0] != 0x7e) {
      code = 1;
      break;
    }
    const int length = p[1];
    if (length + 4 > room) {
      code = 2;
      break;
    }
    unsigned sum = 0;
    for (used = 2; used < length + 2; used++) {
      if (p[used] == 0x7d && p[++used] > 0x60)
        break;
      sum += p[used];
    }
    if (used < length + 2) {
      code = 3;
      break;
    }
    if ((sum & 0xff) != p[length + 2] && p[length + 2] != 0) {
      code = 4;
      break;
    }
    code = int(sum % 251u) + 10;
  } while (false);
  return code * 100 + used;
}

// Frames of a serial line; errors break out of a block that is never repeated.
__global__ void exitFrames(const unsigned char* frames, int room, int n, int* codes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    codes[i] = readFrame(frames + i * room, room);
}

__device__ bool hitTriangle(const float3* t, float3 o, float3 d, float& distance) {
  const float3 a = t[0];
  const float e1x = t[1].x - a.x, e1y = t[1].y - a.y, e1z = t[1].z - a.z;
  const float e2x = t[2].x - a.x, e2y = t[2].y - a.y, e2z = t[2].z - a.z;
  const float px = d.y * e2z - d.z * e2y, py = d.z * e2x - d.x * e2z, pz = d.x * e2y - d.y * e2x;
  const float det = e1x * px + e1y * py + e1z * pz;
  if (fabsf(det) < 1e-8f)
    return false;
  const float inverse = 1.0f / det;
  const float sx = o.x - a.x, sy = o.y - a.y, sz = o.z - a.z;
  const float u = inverse * (sx * px + sy * py + sz * pz);
  if (u < 0.0f || u > 1.0f)
    return false;
  const float qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
  const float v = inverse * (d.x * qx + d.y * qy + d.z * qz);
  if (v < 0.0f || u + v > 1.0f)
    return false;
  distance = inverse * (e2x * qx + e2y * qy + e2z * qz);
  return distance > 1e-4f;
}

// Rays against triangles; each test has four ways out.
__global__ void exitTriangles(const float3* triangles, int count, const float3* directions, int n,
                              int* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int best = -1;
  float nearest = 1e30f;
  for (int k = 0; k < count; k++) {
    float t;
    if (hitTriangle(triangles + 3 * k, make_float3(0, 0, 0), directions[i], t) && t < nearest) {
      nearest = t;
      best = k;
    }
  }
  seen[i] = best;
}

static void runText() {
  lanes::Random random(101);
  const int n = 16000, length = 32;
  const std::vector<unsigned char> rows = lanes::expect<unsigned char>(n * length, [&](size_t) {
    return static_cast<unsigned char>(random.below(60) == 0 ? 0 : random.below(256));
  });
  const lanes::Buffer<unsigned char> rowBuffer(rows);
  lanes::Buffer<int> pairs(n);
  exitPairs<<<(n + 127) / 128, 128>>>(rowBuffer.data(), length, n, pairs.data());
  lanes::report("exitPairs", pairs);
  lanes::check("exitPairs", pairs.host() == lanes::expect<int>(n, [&](size_t i) {
                              return firstEqualPair(&rows[i * length], length);
                            }));

  std::vector<int> start = {0};
  const int words = 200000;
  for (int w = 0; w < words; ++w)
    start.push_back((start.back() + random.between(1, 15)));
  std::vector<unsigned char> letters(start.back());
  for (unsigned char& letter : letters)
    letter = static_cast<unsigned char>('a' + random.below(26));
  const lanes::Buffer<unsigned char> letterBuffer(letters);
  const lanes::Buffer<int> starts(start);
  lanes::Buffer<unsigned> hashes(words);
  exitMurmur<<<(words + 255) / 256, 256>>>(letterBuffer.data(), starts.data(), words,
                                           hashes.data());
  lanes::report("exitMurmur", hashes);
  lanes::check("exitMurmur", hashes.host() == lanes::expect<unsigned>(words, [&](size_t i) {
                               return murmur(&letters[start[i]], start[i + 1] - start[i], 42u);
                             }));

  const int numbers = 80000, room = 16;
  std::vector<char> text(numbers * room);
  for (int i = 0; i < numbers; ++i) {
    const char* alphabet = i % 7 == 0 ? "0123456789.e-+xE" : "01234567890123456789.e";
    const int size = i % 7 == 0 ? 16 : 22;
    for (int k = random.below(14), at = 0; k >= 0; --k)
      text[i * room + at++] = alphabet[random.below(size)];
  }
  const lanes::Buffer<char> textBuffer(text);
  lanes::Buffer<int> kinds(numbers);
  exitNumberKind<<<(numbers + 127) / 128, 128>>>(textBuffer.data(), room, numbers, kinds.data());
  lanes::report("exitNumberKind", kinds);
  lanes::check("exitNumberKind", kinds.host() == lanes::expect<int>(numbers, [&](size_t i) {
                                   return numberKind(&text[i * room]);
                                 }));

  const int games = 8000, size = 96;
  std::vector<char> moves(games * size);
  for (int g = 0; g < games; ++g) {
    int at = g * size;
    const int end = at + size - 10;
    while (at < end && random.below(25)) {
      if (random.below(20) == 0) {
        for (const char c : {'O', '-', 'O', ' '})
          moves[at++] = c;
        continue;
      }
      if (random.below(2))
        moves[at++] = "NBRQKZ"[random.below(30) ? random.below(5) : 5];
      if (random.below(4) == 0)
        moves[at++] = 'x';
      moves[at++] = char('a' + random.below(8));
      moves[at++] = char('1' + random.below(8));
      if (random.below(8) == 0)
        moves[at++] = '+';
      moves[at++] = ' ';
    }
  }
  const lanes::Buffer<char> moveBuffer(moves);
  lanes::Buffer<int> results(games);
  exitMoves<<<(games + 63) / 64, 64>>>(moveBuffer.data(), size, games, results.data());
  lanes::report("exitMoves", results);
  lanes::check("exitMoves", results.host() == lanes::expect<int>(games, [&](size_t i) {
                              Cursor c = {&moves[i * size], 0};
                              int count = 0;
                              while (*c.at && moveText(c))
                                count++;
                              return count * 1000 + c.tried;
                            }));
}

static void runCodes() {
  lanes::Random random(102);
  const int n = 80000;
  const std::vector<unsigned> starts =
      lanes::expect<unsigned>(n, [&](size_t) { return random.next() % 8051u; });
  const lanes::Buffer<unsigned> startBuffer(starts);
  lanes::Buffer<int> orbits(n);
  exitOrbits<<<(n + 127) / 128, 128>>>(startBuffer.data(), 30, n, orbits.data());
  lanes::report("exitOrbits", orbits);
  lanes::check("exitOrbits", orbits.host() == lanes::expect<int>(n, [&](size_t i) {
                               return orbit(starts[i], 30);
                             }));

  std::vector<unsigned char> digits = lanes::expect<unsigned char>(n * 16, [&](size_t i) {
    if (i % 16 == 0)
      return static_cast<unsigned char>(random.below(12) ? random.between(3, 5) : random.below(10));
    return static_cast<unsigned char>(random.below(150) ? random.below(10) : 12);
  });
  for (int i = 0; i < n; i += 2) // half of them right
    for (int d = 0; d < 10 && verifyCard(&digits[i * 16]) == 4; ++d)
      digits[i * 16 + (digits[i * 16] == 3 ? 14 : 15)] = static_cast<unsigned char>(d);
  const lanes::Buffer<unsigned char> digitBuffer(digits);
  lanes::Buffer<int> codes(n);
  exitCards<<<(n + 127) / 128, 128>>>(digitBuffer.data(), n, codes.data());
  lanes::report("exitCards", codes);
  lanes::check("exitCards", codes.host() == lanes::expect<int>(n, [&](size_t i) {
                              return verifyCard(&digits[i * 16]);
                            }));

  const int grids = 12000;
  std::vector<unsigned char> cells(grids * 81);
  for (int g = 0; g < grids; ++g) {
    const int shift = random.below(9);
    for (int k = 0; k < 81; ++k)
      cells[g * 81 + k] = static_cast<unsigned char>((k / 9 * 3 + k / 27 + k % 9 + shift) % 9 + 1);
    if (random.below(3))
      cells[g * 81 + random.below(81)] = static_cast<unsigned char>(random.below(11));
  }
  const lanes::Buffer<unsigned char> cellBuffer(cells);
  lanes::Buffer<int> faults(grids);
  exitSudokus<<<(grids + 127) / 128, 128>>>(cellBuffer.data(), grids, faults.data());
  lanes::report("exitSudokus", faults);
  lanes::check("exitSudokus", faults.host() == lanes::expect<int>(grids, [&](size_t i) {
                                return faultOfSudoku(&cells[i * 81]);
                              }));

  const int frames = 20000, room = 40;
  std::vector<unsigned char> bytes = lanes::expect<unsigned char>(frames * room, [&](size_t i) {
    const int at = int(i) % room;
    if (at == 0)
      return static_cast<unsigned char>(random.below(10) ? 0x7e : random.below(256));
    if (at == 1)
      return static_cast<unsigned char>(random.below(39));
    return static_cast<unsigned char>(random.below(5) ? random.below(256) : 0);
  });
  const lanes::Buffer<unsigned char> byteBuffer(bytes);
  lanes::Buffer<int> read(frames);
  exitFrames<<<(frames + 127) / 128, 128>>>(byteBuffer.data(), room, frames, read.data());
  lanes::report("exitFrames", read);
  lanes::check("exitFrames", read.host() == lanes::expect<int>(frames, [&](size_t i) {
                               return readFrame(&bytes[i * room], room);
                             }));
}

static int makeBoxes(std::vector<Box>& boxes, std::vector<float3>& discs, int first, int count,
                     int axis) {
  Box box = {{1e30f, 1e30f}, {-1e30f, -1e30f}, -1, -1, first, count};
  for (int k = first; k < first + count; ++k) {
    const float c[2] = {discs[k].x, discs[k].y};
    for (int a = 0; a < 2; ++a) {
      box.low[a] = std::min(box.low[a], c[a] - discs[k].z);
      box.high[a] = std::max(box.high[a], c[a] + discs[k].z);
    }
  }
  const int at = int(boxes.size());
  boxes.push_back(box);
  if (count <= 3)
    return at;
  std::sort(discs.begin() + first, discs.begin() + first + count,
            [&](float3 a, float3 b) { return axis ? a.y < b.y : a.x < b.x; });
  const int left = makeBoxes(boxes, discs, first, count / 2, 1 - axis);
  const int right = makeBoxes(boxes, discs, first + count / 2, count - count / 2, 1 - axis);
  boxes[at].left = left;
  boxes[at].right = right;
  boxes[at].count = 0;
  return at;
}

static void runTrees() {
  lanes::Random random(103);
  std::vector<float3> discs;
  for (int k = 0; k < 700; ++k) {
    const float x = random.unit(), y = random.unit(); // in this order with every compiler
    discs.push_back(make_float3(x, y, 0.001f + 0.01f * random.unit()));
  }
  std::vector<Box> boxes;
  makeBoxes(boxes, discs, 0, int(discs.size()), 0);
  const int rays = 16000;
  const lanes::Buffer<Box> boxBuffer(boxes);
  const lanes::Buffer<float3> discBuffer(discs);
  const lanes::Buffer<float2> origins(
      rays, [&](size_t i) { return make_float2(-0.1f, 0.1f + 0.8f * float(i) / rays); });
  const std::vector<float> slopes =
      lanes::expect<float>(rays, [&](size_t) { return random.within(-0.6f, 0.6f); });
  const lanes::Buffer<float> angles(slopes);
  lanes::Buffer<float> shade(rays);
  exitBoxesTwice<<<(rays + 127) / 128, 128>>>(boxBuffer.data(), discBuffer.data(), origins.data(),
                                              angles.data(), rays, make_float2(0.5f, 2.0f),
                                              shade.data());
  const auto nearest = [&](float2 from, float2 slope, float reach) {
    for (const float3& disc : discs)
      reach = std::min(reach, hitDisc(disc, from, slope));
    return reach;
  };
  const std::vector<float> expected = lanes::expect<float>(rays, [&](size_t i) {
    const float2 from = make_float2(-0.1f, 0.1f + 0.8f * float(i) / rays);
    const float2 slope = make_float2(std::cos(slopes[i]), std::sin(slopes[i]));
    const float t = nearest(from, slope, 2.0f);
    if (t >= 2.0f)
      return 0.5f + 0.5f * slope.y;
    const float x = from.x + t * slope.x, y = from.y + t * slope.y;
    const float far = std::hypot(0.5f - x, 2.0f - y);
    const float2 to = make_float2((0.5f - x) / far, (2.0f - y) / far);
    return nearest(make_float2(x, y), to, far) < far ? 0.1f : 1.0f / (1.0f + far);
  });
  lanes::check("exitBoxesTwice", lanes::close(shade.host(), expected));

  std::vector<Leaf> tree = {{-1, -1, 20000}};
  while (tree.size() < 5000) {
    const int key = random.between(1, 40000);
    for (int at = 0; tree[at].key != key;) {
      int& next = key < tree[at].key ? tree[at].left : tree[at].right;
      if (next < 0) {
        next = int(tree.size());
        tree.push_back({-1, -1, key});
        break;
      }
      at = next;
    }
  }
  const std::vector<int> keys = lanes::expect<int>(rays * 2, [&](size_t) {
    return random.below(2) ? tree[random.below(5000)].key : random.between(1, 40000);
  });
  const lanes::Buffer<Leaf> treeBuffer(tree);
  const lanes::Buffer<int> keyBuffer(keys);
  lanes::Buffer<int> neighbours(keys.size());
  exitTreeTwice<<<rays * 2 / 128, 128>>>(treeBuffer.data(), keyBuffer.data(), rays * 2,
                                         neighbours.data());
  lanes::report("exitTreeTwice", neighbours);
  lanes::check("exitTreeTwice", neighbours.host() == lanes::expect<int>(keys.size(), [&](size_t i) {
                                  return neighbour(tree.data(), keys[i]);
                                }));

  const int count = 60;
  std::vector<float3> corners;
  for (int k = 0; k < count; ++k) {
    const float x = random.within(-2.0f, 2.0f), y = random.within(-2.0f, 2.0f);
    const float z = random.within(2.0f, 5.0f);
    for (int c = 0; c < 3; ++c) {
      const float dx = random.within(-0.6f, 0.6f), dy = random.within(-0.6f, 0.6f);
      corners.push_back(make_float3(x + dx, y + dy, z + 0.1f * float(c)));
    }
  }
  const int width = 160, height = 100;
  const lanes::Buffer<float3> triangles(corners);
  const lanes::Buffer<float3> directions(width * height, [&](size_t i) {
    const int x = int(i) % width, y = int(i) / width;
    return make_float3(float(x) / width - 0.5f, float(y) / height - 0.5f, 1.0f);
  });
  lanes::Buffer<int> seen(width * height);
  exitTriangles<<<(width * height + 127) / 128, 128>>>(triangles.data(), count, directions.data(),
                                                       width * height, seen.data());
  std::vector<float> hits; // a pixel at an edge may go either way: a sum that hardly shows it
  for (const int triangle : seen.host())
    hits.push_back(float(triangle + 1));
  lanes::report("exitTriangles", lanes::Buffer<float>(hits));
}

int main() {
  runText();
  runCodes();
  runTrees();
  return lanes::status();
}
