// SPDX-License-Identifier: Apache-2.0
//
// Device functions that call themselves, or each other: numbers, sorting, trees, grids, a parser.
// The depth is bounded, and differs from thread to thread.
#include "lanes.cuh"

#include <algorithm>
#include <string>

__host__ __device__ int fibonacci(int n) {
  if (n < 2)
    return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recurseFibonacci(const int* in, int count, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = fibonacci(in[i]);
}

__host__ __device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recurseAckermann(const int2* in, int count, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  out[i] = ackermann(in[i].x, in[i].y);
}

__device__ void quicksort(short* a, int low, int high) {
  if (low >= high)
    return;
  const short pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot)
      ++i;
    while (a[j] > pivot)
      --j;
    if (i <= j) {
      const short t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

__global__ void recurseQuicksort(short* data, const int* start, int lists) {
  const int list = blockIdx.x * blockDim.x + threadIdx.x;
  if (list >= lists)
    return;
  quicksort(data, start[list], start[list + 1] - 1);
}

struct Node {
  int left, right, value;
};

__host__ __device__ int treeHeight(const Node* nodes, int at) {
  if (at < 0)
    return 0;
  const int left = treeHeight(nodes, nodes[at].left);
  const int right = treeHeight(nodes, nodes[at].right);
  return 1 + (left > right ? left : right);
}

// Each thread measures the subtree of a node.
__global__ void recurseTreeHeight(const Node* nodes, int count, int* heights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    heights[i] = treeHeight(nodes, i);
}

// Sums the values of a range in a search tree; subtrees outside are not entered.
__device__ void sumRange(const Node* nodes, int at, int low, int high, long long& sum) {
  if (at == -1)
    return;
  const Node node = nodes[at];
  if (node.value > low)
    sumRange(nodes, node.left, low, high, sum);
  if (node.value >= low && node.value <= high)
    sum += node.value;
  if (node.value < high)
    sumRange(nodes, node.right, low, high, sum);
}

__global__ void recurseTreeRange(const Node* nodes, const int2* ranges, int count,
                                 long long* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  long long sum = 0;
  sumRange(nodes, 0, ranges[i].x, ranges[i].y, sum);
  sums[i] = sum;
}

__device__ int hanoi(int discs, int from, int to, unsigned& trace) {
  if (discs == 0)
    return 0;
  const int other = 3 - from - to;
  int moves = hanoi(discs - 1, from, other, trace);
  trace = trace * 31 + from * 3 + to;
  ++moves;
  moves += hanoi(discs - 1, other, to, trace);
  return moves;
}

__global__ void recurseHanoi(int count, unsigned* traces) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned trace = i;
  int moves = hanoi(1 + i * 7 % 6, i % 3, (i + 1) % 3, trace);
  traces[i] = trace ^ moves;
}

enum Operation { OpNumber, OpVariable, OpAdd, OpMultiply, OpDivide, OpRoot, OpChoose };

struct Expression {
  Operation operation;
  int a, b;
  float number;
};

__host__ __device__ float evaluate(const Expression* all, int at, float x) {
  const Expression e = all[at];
  switch (e.operation) {
  case OpNumber:
    return e.number;
  case OpVariable:
    return x;
  case OpAdd:
    return evaluate(all, e.a, x) + evaluate(all, e.b, x);
  case OpMultiply: {
    const float left = evaluate(all, e.a, x);
    if (left == 0.0f)
      return 0.0f;
    return left * evaluate(all, e.b, x);
  }
  case OpDivide: {
    const float below = evaluate(all, e.b, x);
    return fabsf(below) < 1e-3f ? 1.0f : evaluate(all, e.a, x) / below;
  }
  case OpRoot:
    return sqrtf(fabsf(evaluate(all, e.a, x)));
  case OpChoose:
    return x > e.number ? evaluate(all, e.a, x) : evaluate(all, e.b, x);
  }
  return 0.0f;
}

__global__ void recurseExpression(const Expression* all, const int* roots, const float* xs,
                                  int count, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  values[i] = evaluate(all, roots[i], xs[i]);
}

__host__ __device__ void floodFill(unsigned char* grid, int x, int y, int& filled) {
  if (x < 0 || y < 0 || x >= 6 || y >= 6)
    return;
  if (!(grid[y] >> x & 1))
    return;
  grid[y] &= ~(1 << x);
  ++filled;
  floodFill(grid, x + 1, y, filled);
  floodFill(grid, x - 1, y, filled);
  floodFill(grid, x, y + 1, filled);
  floodFill(grid, x, y - 1, filled);
}

__host__ __device__ inline int largestIsland(unsigned char* grid) {
  int largest = 0;
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 6; ++x) {
      int filled = 0;
      floodFill(grid, x, y, filled);
      if (filled > largest)
        largest = filled;
    }
  return largest;
}

// The largest island of a 6 by 6 map.
__global__ void recurseFloodFill(const unsigned char* maps, int count, int* largest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned char grid[6];
  for (int y = 0; y < 6; y++)
    grid[y] = maps[i * 6 + y];
  largest[i] = largestIsland(grid);
}

__host__ __device__ int maleSequence(int n);

__host__ __device__ int femaleSequence(int n) {
  return n == 0 ? 1 : n - maleSequence(femaleSequence(n - 1));
}

__host__ __device__ int maleSequence(int n) {
  return n == 0 ? 0 : n - femaleSequence(maleSequence(n - 1));
}

// Hofstadter's pair, each defined by the other.
__global__ void recurseHofstadter(int count, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = i % 5 ? femaleSequence(i % 9) : maleSequence(i % 7);
}

__device__ float bump(float x, float width) {
  return expf(-x * x / width) + 0.25f * x;
}

__device__ float simpson(float a, float fa, float b, float fb, float middle, float whole,
                         float width, float error, int depth) {
  const float left = 0.5f * (a + middle), right = 0.5f * (middle + b);
  const float fm = bump(middle, width);
  const float fl = bump(left, width), fr = bump(right, width);
  const float sumLeft = (middle - a) / 6.0f * (fa + 4.0f * fl + fm);
  const float sumRight = (b - middle) / 6.0f * (fm + 4.0f * fr + fb);
  const float change = sumLeft + sumRight - whole;
  if (depth <= 0 || fabsf(change) <= 15.0f * error)
    return sumLeft + sumRight + change / 15.0f;
  return simpson(a, fa, middle, fm, left, sumLeft, width, error / 2, depth - 1) +
         simpson(middle, fm, b, fb, right, sumRight, width, error / 2, depth - 1);
}

__global__ void recurseSimpson(const float* widths, int count, float* integrals) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float width = widths[i], a = -3.0f, b = 2.0f, middle = -0.5f;
  const float fa = bump(a, width), fb = bump(b, width);
  const float whole = (b - a) / 6.0f * (fa + 4.0f * bump(middle, width) + fb);
  integrals[i] = simpson(a, fa, b, fb, middle, whole, width, 1e-4f, 7);
}

struct Parser {
  const char* at;
  int errors;
};

__host__ __device__ int parseSum(Parser& parser);

__host__ __device__ int parseFactor(Parser& parser) {
  if (*parser.at == '-') {
    ++parser.at;
    return -parseFactor(parser);
  }
  if (*parser.at == '(') {
    ++parser.at;
    const int value = parseSum(parser);
    if (*parser.at == ')')
      ++parser.at;
    else
      ++parser.errors;
    return value;
  }
  if (*parser.at < '0' || *parser.at > '9') {
    ++parser.errors;
    return 0;
  }
  int value = 0;
  do
    value = value * 10 + (*parser.at++ - '0');
  while (*parser.at >= '0' && *parser.at <= '9');
  return value;
}

__host__ __device__ int parseProduct(Parser& parser) {
  int value = parseFactor(parser);
  while (*parser.at == '*' || *parser.at == '/') {
    const char operation = *parser.at++;
    const int right = parseFactor(parser);
    if (operation == '*')
      value = int(unsigned(value) * unsigned(right));
    else if (right == 0)
      ++parser.errors;
    else
      value = right == -1 ? int(0u - unsigned(value)) : value / right;
  }
  return value;
}

__host__ __device__ int parseSum(Parser& parser) {
  int value = parseProduct(parser);
  for (;;) {
    switch (*parser.at) {
    case '+':
      ++parser.at;
      value = int(unsigned(value) + unsigned(parseProduct(parser)));
      break;
    case '-':
      ++parser.at;
      value = int(unsigned(value) - unsigned(parseProduct(parser)));
      break;
    default:
      return value;
    }
  }
}

// A calculator by recursive descent. Strings end in a zero.
__global__ void recurseCalculator(const char* text, const int* start, int count, int* values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Parser parser = {text + start[i], 0};
  int value = parseSum(parser);
  if (*parser.at != '\0')
    parser.errors++;
  values[i] = parser.errors ? -1000000 - parser.errors : value;
}

// Orders of n items where item k may not stand on place forbidden[k].
__device__ int countOrders(const unsigned char* forbidden, int n, int k, unsigned taken) {
  if (k == n)
    return 1;
  int orders = 0;
  for (int place = 0; place < n; ++place) {
    if (taken & (1u << place))
      continue;
    if (forbidden[k] >> place & 1)
      continue;
    orders += countOrders(forbidden, n, k + 1, taken | (1u << place));
  }
  return orders;
}

__global__ void recurseOrders(const unsigned char* forbidden, int count, int* orders) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  orders[i] = countOrders(forbidden + i * 5, 3 + i % 3, 0, 0);
}

// Two players take one or two of a row of coins from either end; alpha and beta cut.
__device__ int bestTake(const signed char* coins, int from, int to, int alpha, int beta,
                        bool first) {
  if (from >= to)
    return 0;
  int best = first ? -1000 : 1000;
  for (int take = 1; take <= 2 && from + take <= to; ++take) {
    for (int end = 0; end < 2; ++end) {
      int gain = 0;
      for (int k = 0; k < take; ++k)
        gain += end ? coins[to - 1 - k] : coins[from + k];
      const int low = end ? from : from + take, high = end ? to - take : to;
      if (first) {
        const int value = gain + bestTake(coins, low, high, alpha - gain, beta - gain, false);
        best = max(best, value);
        alpha = max(alpha, best);
      } else {
        const int value = -gain + bestTake(coins, low, high, alpha + gain, beta + gain, true);
        best = min(best, value);
        beta = min(beta, best);
      }
      if (beta <= alpha)
        return best;
    }
  }
  return best;
}

__global__ void recurseCoins(const signed char* rows, int length, int games, int* outcome) {
  const int game = blockIdx.x * blockDim.x + threadIdx.x;
  if (game >= games)
    return;
  const int coins = length - (game * 5) % 3;
  outcome[game] = bestTake(rows + game * length, 0, coins, -1000, 1000, true);
}

static void runNumbers() {
  lanes::Random random(41);
  const int count = 2048;
  const std::vector<int> ns = lanes::expect<int>(count, [&](size_t) { return random.below(14); });
  const lanes::Buffer<int> nBuffer(ns);
  lanes::Buffer<int> fibonaccis(count);
  recurseFibonacci<<<count / 128, 128>>>(nBuffer.data(), count, fibonaccis.data());
  lanes::report("recurseFibonacci", fibonaccis);
  lanes::check("recurseFibonacci", fibonaccis.host() == lanes::expect<int>(count, [&](size_t i) {
                                     return fibonacci(ns[i]);
                                   }));

  const std::vector<int2> pairs = lanes::expect<int2>(
      count, [&](size_t) {
        const int first = random.below(3); // in this order with every compiler
        return make_int2(first, random.below(7));
      });
  const lanes::Buffer<int2> pairBuffer(pairs);
  lanes::Buffer<int> ackermanns(count);
  recurseAckermann<<<count / 64, 64>>>(pairBuffer.data(), count, ackermanns.data());
  lanes::report("recurseAckermann", ackermanns);
  lanes::check("recurseAckermann", ackermanns.host() == lanes::expect<int>(count, [&](size_t i) {
                                     return ackermann(pairs[i].x, pairs[i].y);
                                   }));

  lanes::Buffer<unsigned> traces(count);
  recurseHanoi<<<count / 128, 128>>>(count, traces.data());
  lanes::report("recurseHanoi", traces);

  lanes::Buffer<int> sequence(count);
  recurseHofstadter<<<count / 128, 128>>>(count, sequence.data());
  lanes::report("recurseHofstadter", sequence);
  lanes::check("recurseHofstadter", sequence.host() == lanes::expect<int>(count, [&](size_t i) {
                                      return i % 5 ? femaleSequence(int(i % 9))
                                                   : maleSequence(int(i % 7));
                                    }));

  const lanes::Buffer<float> widths(count, [&](size_t) { return random.within(0.02f, 4.0f); });
  lanes::Buffer<float> integrals(count);
  recurseSimpson<<<count / 128, 128>>>(widths.data(), count, integrals.data());
  lanes::report("recurseSimpson", integrals);

  const lanes::Buffer<unsigned char> forbidden(
      count * 5, [&](size_t) { return static_cast<unsigned char>(random.next() & random.next()); });
  lanes::Buffer<int> orders(count);
  recurseOrders<<<count / 128, 128>>>(forbidden.data(), count, orders.data());
  lanes::report("recurseOrders", orders);

  const lanes::Buffer<signed char> coins(
      count * 6, [&](size_t) { return static_cast<signed char>(random.between(1, 50)); });
  lanes::Buffer<int> outcome(count);
  recurseCoins<<<count / 128, 128>>>(coins.data(), 6, count, outcome.data());
  lanes::report("recurseCoins", outcome);
}

static void runLists() {
  lanes::Random random(42);
  const int lists = 2048;
  std::vector<int> start = {0};
  std::vector<short> data;
  for (int list = 0; list < lists; ++list) {
    for (int k = random.below(32); k > 0; --k)
      data.push_back(short(random.between(-500, 500)));
    start.push_back(int(data.size()));
  }
  lanes::Buffer<short> sorted(data);
  const lanes::Buffer<int> starts(start);
  recurseQuicksort<<<lists / 128, 128>>>(sorted.data(), starts.data(), lists);
  for (int list = 0; list < lists; ++list)
    std::sort(data.begin() + start[list], data.begin() + start[list + 1]);
  lanes::report("recurseQuicksort", sorted);
  lanes::check("recurseQuicksort", sorted.host() == data);

  std::string text;
  std::vector<int> lines;
  const auto operand = [&] { return std::to_string(random.below(200)); };
  for (int i = 0; i < lists; ++i) {
    lines.push_back(int(text.size()));
    std::string formula = operand();
    for (int k = random.below(7); k > 0; --k)
      switch (random.below(4)) {
      case 0:
        formula = "(" + formula + ")*" + operand();
        break;
      case 1:
        formula = operand() + "-(" + formula;
        formula += random.below(12) ? ")" : "";
        break;
      case 2:
        formula += "/" + operand();
        formula += "+-" + operand();
        break;
      default:
        formula = operand() + "+" + formula;
      }
    text += formula + '\0';
  }
  const lanes::Buffer<char> characters(std::vector<char>(text.begin(), text.end()));
  const lanes::Buffer<int> lineStarts(lines);
  lanes::Buffer<int> values(lists);
  recurseCalculator<<<lists / 128, 128>>>(characters.data(), lineStarts.data(), lists,
                                          values.data());
  lanes::report("recurseCalculator", values);
  lanes::check("recurseCalculator", values.host() == lanes::expect<int>(lists, [&](size_t i) {
                                      Parser parser = {text.data() + lines[i], 0};
                                      const int value = parseSum(parser);
                                      parser.errors += *parser.at != '\0';
                                      return parser.errors ? -1000000 - parser.errors : value;
                                    }));

  const std::vector<unsigned char> maps = lanes::expect<unsigned char>(lists * 6, [&](size_t) {
    return static_cast<unsigned char>(random.next() | (random.next() & random.next()));
  });
  const lanes::Buffer<unsigned char> mapBuffer(maps);
  lanes::Buffer<int> largest(lists);
  recurseFloodFill<<<lists / 64, 64>>>(mapBuffer.data(), lists, largest.data());
  lanes::report("recurseFloodFill", largest);
  lanes::check("recurseFloodFill", largest.host() == lanes::expect<int>(lists, [&](size_t i) {
                                     std::vector<unsigned char> map(maps.begin() + 6 * i,
                                                                    maps.begin() + 6 * i + 6);
                                     return largestIsland(map.data());
                                   }));
}

static int makeExpression(std::vector<Expression>& all, lanes::Random& random, int depth) {
  const int choice = depth > 4 ? random.below(2) : random.below(8);
  Expression e{static_cast<Operation>(choice % 7), -1, -1, random.within(-2.0f, 2.0f)};
  if (e.operation > OpVariable)
    e.a = makeExpression(all, random, depth + 1);
  if (e.operation > OpVariable && e.operation != OpRoot)
    e.b = makeExpression(all, random, depth + 1);
  all.push_back(e);
  return int(all.size()) - 1;
}

static void runTrees() {
  lanes::Random random(43);
  const int count = 2048;
  std::vector<Node> nodes = {{-1, -1, 5000}};
  while (int(nodes.size()) < count) {
    const int value = random.below(10000);
    for (int at = 0;;) {
      int& next = value < nodes[at].value ? nodes[at].left : nodes[at].right;
      if (next < 0) {
        next = int(nodes.size());
        nodes.push_back({-1, -1, value});
        break;
      }
      at = next;
    }
  }
  const lanes::Buffer<Node> nodeBuffer(nodes);
  lanes::Buffer<int> heights(count);
  recurseTreeHeight<<<count / 128, 128>>>(nodeBuffer.data(), count, heights.data());
  lanes::report("recurseTreeHeight", heights);
  lanes::check("recurseTreeHeight", heights.host() == lanes::expect<int>(count, [&](size_t i) {
                                      return treeHeight(nodes.data(), int(i));
                                    }));

  const lanes::Buffer<int2> ranges(count, [&](size_t) {
    const int low = random.below(9900);
    return make_int2(low, low + (random.below(4) ? random.below(40) : random.below(400)));
  });
  lanes::Buffer<long long> sums(count);
  recurseTreeRange<<<count / 128, 128>>>(nodeBuffer.data(), ranges.data(), count, sums.data());
  lanes::report("recurseTreeRange", sums);

  std::vector<Expression> all;
  const std::vector<int> roots =
      lanes::expect<int>(count, [&](size_t) { return makeExpression(all, random, 0); });
  const std::vector<float> xs =
      lanes::expect<float>(count, [&](size_t) { return random.within(-2.0f, 2.0f); });
  const lanes::Buffer<Expression> expressions(all);
  const lanes::Buffer<int> rootBuffer(roots);
  const lanes::Buffer<float> xBuffer(xs);
  lanes::Buffer<float> values(count);
  recurseExpression<<<count / 128, 128>>>(expressions.data(), rootBuffer.data(), xBuffer.data(),
                                          count, values.data());
  lanes::report("recurseExpression", values);
  lanes::check("recurseExpression",
               lanes::close(values.host(), lanes::expect<float>(count, [&](size_t i) {
                              return evaluate(all.data(), roots[i], xs[i]);
                            })));
}

int main() {
  LANES_CALL(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  runNumbers();
  runLists();
  runTrees();
  return lanes::status();
}
