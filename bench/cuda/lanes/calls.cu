// SPDX-License-Identifier: Apache-2.0
//
// Calls: functions that are not inlined, tables of function pointers, virtual functions, functions
// that call themselves or each other, and returns from the middle of nested calls.
#include "lanes.cuh"

#include <algorithm>
#include <new>
#include <string>

__host__ __device__ __noinline__ int scoreHand(const unsigned char* cards) {
  int ranks[13] = {0}, suits[4] = {0};
  for (int k = 0; k < 5; k++) {
    ranks[cards[k] % 13]++;
    suits[cards[k] / 13]++;
  }
  for (int s = 0; s < 4; s++)
    if (suits[s] == 5)
      return 600;
  int pairs = 0, best = 0;
  for (int r = 0; r < 13; r++) {
    if (ranks[r] == 4)
      return 700 + r;
    if (ranks[r] == 3)
      best = 300 + r;
    if (ranks[r] == 2)
      pairs++;
  }
  if (best && pairs)
    return best + 200;
  if (best)
    return best;
  return pairs * 100;
}

__host__ __device__ __noinline__ int compareHands(const unsigned char* a, const unsigned char* b) {
  const int first = scoreHand(a), second = scoreHand(b);
  if (first != second)
    return first > second ? 1 : -1;
  int high = -1;
  for (int k = 0; k < 5; k++)
    high = max(high, a[k] % 13 - b[k] % 13);
  return high > 0;
}

// Hands of cards play against each other: a function that calls another twice.
__global__ void callHands(const unsigned char* hands, int n, int* winner) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    winner[i] = compareHands(hands + i * 5, hands + i * 5 + 5);
}

typedef float (*Activation)(float);

__device__ float identity(float x) {
  return x;
}
__device__ float rectified(float x) {
  return x > 0.0f ? x : 0.0f;
}
__device__ float sigmoid(float x) {
  return 1.0f / (1.0f + expf(-x));
}
__device__ float softplus(float x) {
  return x > 20.0f ? x : log1pf(expf(x));
}
__device__ float hardTanh(float x) {
  if (x < -1.0f)
    return -1.0f;
  if (x > 1.0f)
    return 1.0f;
  return x;
}
__device__ float swish(float x) {
  return x * sigmoid(x);
}

__device__ Activation activations[] = {identity, rectified, sigmoid, softplus, hardTanh, swish};

// Each node of an evolved network has its own activation.
__global__ void callActivations(const float* input, const int* kind, int n, int layers,
                                float* output) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = input[i];
  for (int layer = 0; layer < layers; layer++)
    x = 1.5f * activations[kind[(layer * 977 + i) % n]](x) - 0.25f;
  output[i] = x;
}

class Shape {
public:
  __device__ virtual ~Shape() {}
  __device__ virtual float distance(float x, float y) const = 0;
  __device__ virtual bool hollow() const { return false; }
};

class Circle : public Shape {
public:
  __device__ Circle(float x, float y, float r) : x_(x), y_(y), r_(r) {}
  __device__ float distance(float x, float y) const override {
    return sqrtf((x - x_) * (x - x_) + (y - y_) * (y - y_)) - r_;
  }

private:
  float x_, y_, r_;
};

class Box : public Shape {
public:
  __device__ Box(float x, float y, float w, float h) : x_(x), y_(y), w_(w), h_(h) {}
  __device__ float distance(float x, float y) const override {
    const float dx = fabsf(x - x_) - w_, dy = fabsf(y - y_) - h_;
    if (dx < 0.0f && dy < 0.0f)
      return fmaxf(dx, dy);
    const float ox = fmaxf(dx, 0.0f), oy = fmaxf(dy, 0.0f);
    return sqrtf(ox * ox + oy * oy);
  }

private:
  float x_, y_, w_, h_;
};

class Frame : public Box {
public:
  __device__ Frame(float x, float y, float w, float h) : Box(x, y, w, h) {}
  __device__ bool hollow() const override { return true; }
};

constexpr int kShapeBytes = 64;

// Objects have to be made on the device, where their virtual functions are.
__global__ void callMakeShapes(char* store, Shape** shapes, const float4* parameters, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float4 p = parameters[i];
  void* at = store + i * kShapeBytes;
  if (i % 3 == 0)
    shapes[i] = new (at) Circle(p.x, p.y, p.z);
  else if (i % 3 == 1)
    shapes[i] = new (at) Box(p.x, p.y, p.z, p.w);
  else
    shapes[i] = new (at) Frame(p.x, p.y, p.z, p.w);
}

// The shape nearest to a point, of some that a point may see.
__global__ void callNearestShape(Shape* const* shapes, int count, const float2* points, int n,
                                 float* nearest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float best = 1e30f;
  for (int k = i % 7; k < count; k += 7) {
    const Shape* shape = shapes[k];
    float d = shape->distance(points[i].x, points[i].y);
    if (d < 0.0f && shape->hollow())
      d = -d;
    if (d < best)
      best = d;
  }
  nearest[i] = best;
}

__device__ void mergeSort(int* a, int* spare, int n) {
  if (n <= 1)
    return;
  const int half = n / 2;
  mergeSort(a, spare, half);
  mergeSort(a + half, spare, n - half);
  int i = 0, j = half, k = 0;
  while (i < half && j < n)
    spare[k++] = a[i] <= a[j] ? a[i++] : a[j++];
  while (i < half)
    spare[k++] = a[i++];
  while (j < n)
    spare[k++] = a[j++];
  for (k = 0; k < n; k++)
    a[k] = spare[k];
}

// Short lists, sorted by merging halves.
__global__ void callMergeSort(int* lists, const int* sizes, int room, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int spare[24];
  mergeSort(lists + i * room, spare, sizes[i]);
}

__host__ __device__ int determinant(const signed char* m, int n, int row, unsigned columns) {
  if (row == n)
    return 1;
  int sum = 0, sign = 1;
  for (int c = 0; c < n; c++) {
    if (!(columns >> c & 1))
      continue;
    const int value = m[row * 5 + c];
    if (value != 0)
      sum += sign * value * determinant(m, n, row + 1, columns & ~(1u << c));
    sign = -sign;
  }
  return sum;
}

// Determinants of matrices of two to five rows, by expansion along the first.
__global__ void callDeterminant(const signed char* matrices, int n, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int size = 2 + i % 4;
  out[i] = determinant(matrices + i * 25, size, 0, (1u << size) - 1);
}

__host__ __device__ int evaluateList(const char*& at);

__host__ __device__ int evaluateItem(const char*& at) {
  while (*at == ' ')
    ++at;
  if (*at == '(')
    return evaluateList(at);
  if (*at >= '0' && *at <= '9')
    return *at++ - '0';
  if (*at == 'x') {
    ++at;
    return 7;
  }
  return 0;
}

// (+ a b c), (* a b), (- a b), (? test a b)
__host__ __device__ int evaluateList(const char*& at) {
  ++at;
  const char head = *at++;
  unsigned value = unsigned(evaluateItem(at));
  bool first = true;
  int chosen = 0, items = 0;
  while (*at == ' ') {
    const unsigned item = unsigned(evaluateItem(at));
    if (head == '+')
      value += item;
    else if (head == '*')
      value *= item;
    else if (head == '-')
      value -= item;
    else if (first == (value != 0))
      chosen = int(item);
    first = false;
    items++;
  }
  if (*at == ')')
    ++at;
  return head == '?' ? chosen : int(value) + (items == 0);
}

// Lists in brackets: two functions that call each other.
__global__ void callLists(const char* text, const int* start, int n, int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const char* at = text + start[i];
  values[i] = evaluateItem(at);
}

__host__ __device__ int lineOf(unsigned board) {
  const unsigned lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  for (unsigned line : lines)
    if ((board & line) == line)
      return 1;
  return 0;
}

__host__ __device__ int playOut(unsigned mine, unsigned yours, int depth) {
  if (lineOf(yours))
    return -10 + depth;
  const unsigned open = ~(mine | yours) & 0777u;
  if (open == 0)
    return 0;
  int best = -100;
  for (int square = 0; square < 9; square++) {
    if (!(open >> square & 1))
      continue;
    const int value = -playOut(yours, mine | 1u << square, depth + 1);
    if (value > best)
      best = value;
    if (best >= 9 - depth)
      return best;
  }
  return best;
}

// The value of positions of noughts and crosses.
__global__ void callPositions(const ushort2* boards, int n, int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = playOut(boards[i].x, boards[i].y, 0);
}

__host__ __device__ bool reaches(const int* items, int count, int target, int& visited) {
  visited++;
  if (target == 0)
    return true;
  if (count == 0 || target < 0)
    return false;
  if (reaches(items + 1, count - 1, target - items[0], visited))
    return true;
  return reaches(items + 1, count - 1, target, visited);
}

// Is there a subset with a given sum? The first success ends all calls.
__global__ void callSubsetSum(const int* items, int count, const int* targets, int n, int* visits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int visited = 0;
  const bool found = reaches(items + i % 64, count, targets[i], visited);
  visits[i] = found ? visited : -visited;
}

__device__ int coverage(const unsigned char* image, int width, int x, int y, int size, int cx,
                        int cy, int radius) {
  const int nearX = max(x, min(cx, x + size - 1)) - cx, nearY = max(y, min(cy, y + size - 1)) - cy;
  if (nearX * nearX + nearY * nearY > radius * radius)
    return 0;
  if (size == 1)
    return image[y * width + x];
  const int half = size / 2;
  int sum = 0;
  for (int quarter = 0; quarter < 4; quarter++)
    sum += coverage(image, width, x + (quarter & 1) * half, y + (quarter >> 1) * half, half, cx, cy,
                    radius);
  return sum;
}

// Sums of pixels in circles, by quarters of an image.
__global__ void callQuarters(const unsigned char* image, int width, const int3* circles, int n,
                             int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int3 c = circles[i];
  sums[i] = coverage(image, width, 0, 0, width, c.x, c.y, c.z);
}

__device__ __noinline__ float ramp(float x, float k) {
  return k * x;
}
__device__ __noinline__ float bell(float x, float k) {
  return expf(-k * x * x);
}
__device__ __noinline__ float steps(float x, float k) {
  float sum = 0.0f;
  for (float edge = 0.0f; edge < x; edge += k)
    sum += 1.0f;
  return sum;
}

__device__ float integrate(float (*f)(float, float), float k, float a, float b, int parts) {
  const float h = (b - a) / parts;
  float sum = 0.5f * (f(a, k) + f(b, k));
  for (int p = 1; p < parts; p++)
    sum += f(a + p * h, k);
  return sum * h;
}

// Trapezia under functions which are passed as pointers.
__global__ void callIntegrals(const float* ks, const int* kind, int n, float* areas) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float (*f)(float, float) = kind[i] == 0 ? ramp : kind[i] == 1 ? bell : steps;
  areas[i] = integrate(f, ks[i], 0.0f, 2.0f, 8 + i % 3 * 8);
}

__host__ __device__ long long powerOf(int base, int exponent) {
  if (exponent == 0)
    return 1;
  const long long half = powerOf(base, exponent / 2) % 1000000007;
  const long long square = half * half % 1000000007;
  return exponent % 2 ? square * base % 1000000007 : square;
}

__host__ __device__ __noinline__ int narcissistic(int n) {
  if (n < 10)
    return n;
  int digits = 0;
  for (int v = n; v; v /= 10)
    digits++;
  long long sum = 0;
  for (int v = n; v; v /= 10) {
    sum += powerOf(v % 10, digits);
    if (sum > n)
      return -1;
  }
  return sum == n ? n : 0;
}

// Numbers equal to the sum of powers of their digits.
__global__ void callPowers(int first, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = narcissistic(first + i);
}

static void runGames() {
  lanes::Random random(91);
  const int n = 80000;
  const std::vector<unsigned char> hands = lanes::expect<unsigned char>(n * 5, [&](size_t i) {
    const int card = random.below(i / 5 % 3 ? 52 : 13);
    return static_cast<unsigned char>(card);
  });
  const lanes::Buffer<unsigned char> handBuffer(hands);
  lanes::Buffer<int> winner(n - 1);
  callHands<<<(n + 127) / 128, 128>>>(handBuffer.data(), n, winner.data());
  lanes::report("callHands", winner);

  const std::vector<ushort2> boards = lanes::expect<ushort2>(6000, [&](size_t) {
    unsigned mine = 0, yours = 0;
    for (int moves = random.between(9, 15); moves > 0; --moves) {
      const unsigned square = 1u << random.below(9);
      if (!((mine | yours) & square))
        (moves % 2 ? mine : yours) |= square;
    }
    return make_ushort2(static_cast<unsigned short>(mine), static_cast<unsigned short>(yours));
  });
  const lanes::Buffer<ushort2> boardBuffer(boards);
  lanes::Buffer<int> values(boards.size());
  callPositions<<<(6000 + 63) / 64, 64>>>(boardBuffer.data(), 6000, values.data());
  lanes::report("callPositions", values);
  lanes::check("callPositions", values.host() == lanes::expect<int>(6000, [&](size_t i) {
                                  return playOut(boards[i].x, boards[i].y, 0);
                                }));

  const std::vector<int> items =
      lanes::expect<int>(80, [&](size_t) { return random.between(3, 40); });
  const std::vector<int> targets =
      lanes::expect<int>(8000, [&](size_t) { return random.between(5, 160); });
  const lanes::Buffer<int> itemBuffer(items), targetBuffer(targets);
  lanes::Buffer<int> visits(8000);
  callSubsetSum<<<(8000 + 127) / 128, 128>>>(itemBuffer.data(), 11, targetBuffer.data(), 8000,
                                             visits.data());
  lanes::report("callSubsetSum", visits);
  lanes::check("callSubsetSum", visits.host() == lanes::expect<int>(8000, [&](size_t i) {
                                  int visited = 0;
                                  const bool found =
                                      reaches(&items[i % 64], 11, targets[i], visited);
                                  return found ? visited : -visited;
                                }));

  lanes::Buffer<int> numbers(30000);
  callPowers<<<(30000 + 127) / 128, 128>>>(1, 30000, numbers.data());
  lanes::report("callPowers", numbers);
  lanes::check("callPowers", numbers.host() == lanes::expect<int>(30000, [](size_t i) {
                               return narcissistic(int(i) + 1);
                             }));
}

static void runFunctions() {
  lanes::Random random(92);
  const int n = 30000;
  const lanes::Buffer<float> input(n, [&](size_t) { return random.within(-2.0f, 2.0f); });
  const lanes::Buffer<int> kind(n, [&](size_t) { return random.below(6); });
  lanes::Buffer<float> output(n);
  callActivations<<<(n + 127) / 128, 128>>>(input.data(), kind.data(), n, 6, output.data());
  lanes::report("callActivations", output);

  const lanes::Buffer<float> ks(n / 2, [&](size_t) { return random.within(0.2f, 2.0f); });
  const lanes::Buffer<int> which(n / 2, [&](size_t) { return random.below(3); });
  lanes::Buffer<float> areas(n / 2);
  callIntegrals<<<(n / 2 + 127) / 128, 128>>>(ks.data(), which.data(), n / 2, areas.data());
  lanes::report("callIntegrals", areas);

  const int shapes = 200;
  const lanes::Buffer<float4> parameters(shapes, [&](size_t) {
    const float x = random.unit(), y = random.unit(), w = 0.1f * random.unit();
    return make_float4(x, y, w, 0.1f * random.unit());
  });
  lanes::Buffer<char> store(shapes * kShapeBytes);
  lanes::Buffer<Shape*> pointers(shapes);
  callMakeShapes<<<(shapes + 63) / 64, 64>>>(store.data(), pointers.data(), parameters.data(),
                                             shapes);
  const lanes::Buffer<float2> points(n, [&](size_t) {
    const float x = random.unit(); // in this order with every compiler
    return make_float2(x, random.unit());
  });
  lanes::Buffer<float> nearest(n);
  callNearestShape<<<(n + 127) / 128, 128>>>(pointers.data(), shapes, points.data(), n,
                                             nearest.data());
  lanes::report("callNearestShape", nearest);
}

static std::string makeList(lanes::Random& random, int depth) {
  if (depth > 3 || random.below(4) == 0)
    return random.below(3) ? std::string(1, char('0' + random.below(10))) : "x";
  std::string list = "(";
  list += "+*-?"[random.below(4)];
  const int items = list[1] == '?' ? 3 : random.between(1, 4);
  for (int k = 0; k < items; ++k)
    list += " " + makeList(random, depth + 1);
  return list + ")";
}

static void runLists() {
  lanes::Random random(93);
  const int n = 8000, room = 24;
  std::vector<int> sizes, lists(n * room);
  for (int i = 0; i < n; ++i) {
    sizes.push_back(random.between(2, room));
    for (int k = 0; k < room; ++k)
      lists[i * room + k] = random.below(1000);
  }
  const lanes::Buffer<int> sizeBuffer(sizes);
  lanes::Buffer<int> sorted(lists);
  callMergeSort<<<(n + 127) / 128, 128>>>(sorted.data(), sizeBuffer.data(), room, n);
  for (int i = 0; i < n; ++i)
    std::sort(lists.begin() + i * room, lists.begin() + i * room + sizes[i]);
  lanes::report("callMergeSort", sorted);
  lanes::check("callMergeSort", sorted.host() == lists);

  const std::vector<signed char> matrices = lanes::expect<signed char>(
      n * 25, [&](size_t) { return static_cast<signed char>(random.between(-3, 3)); });
  const lanes::Buffer<signed char> matrixBuffer(matrices);
  lanes::Buffer<int> determinants(n);
  callDeterminant<<<(n + 127) / 128, 128>>>(matrixBuffer.data(), n, determinants.data());
  lanes::report("callDeterminant", determinants);
  lanes::check("callDeterminant", determinants.host() == lanes::expect<int>(n, [&](size_t i) {
                                    const int size = int(2 + i % 4);
                                    return determinant(&matrices[i * 25], size, 0,
                                                       (1u << size) - 1);
                                  }));

  std::string text;
  std::vector<int> start;
  for (int i = 0; i < n; ++i) {
    start.push_back(int(text.size()));
    text += makeList(random, 0) + '\0';
  }
  const lanes::Buffer<char> characters(std::vector<char>(text.begin(), text.end()));
  const lanes::Buffer<int> starts(start);
  lanes::Buffer<int> values(n);
  callLists<<<(n + 127) / 128, 128>>>(characters.data(), starts.data(), n, values.data());
  lanes::report("callLists", values);
  lanes::check("callLists", values.host() == lanes::expect<int>(n, [&](size_t i) {
                              const char* at = text.data() + start[i];
                              return evaluateItem(at);
                            }));

  const int width = 64, circles = 2500;
  const lanes::Buffer<unsigned char> image(
      width * width, [&](size_t) { return static_cast<unsigned char>(random.below(256)); });
  const lanes::Buffer<int3> circleBuffer(circles, [&](size_t) {
    const int x = random.below(width), y = random.below(width); // in this order
    return make_int3(x, y, random.between(1, 4));
  });
  lanes::Buffer<int> sums(circles);
  callQuarters<<<(circles + 63) / 64, 64>>>(image.data(), width, circleBuffer.data(), circles,
                                            sums.data());
  lanes::report("callQuarters", sums);
}

int main() {
  LANES_CALL(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  runGames();
  runFunctions();
  runLists();
  return lanes::status();
}
