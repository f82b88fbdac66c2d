// SPDX-License-Identifier: Apache-2.0
//
// Backtracking: each lane searches a tree of choices depth first, with its own stack and its own
// dead ends.
#include "lanes.cuh"

namespace {

// Queens on a board, as bits; a lane starts with the first two rows set.
__host__ __device__ int countQueens(int n, int first, int second) {
  const unsigned int full = (1u << n) - 1;
  unsigned int columns[16], left[16], right[16], open[16];
  unsigned int a = 1u << first, b = 1u << second;
  if ((a | a << 1 | a >> 1) & b)
    return 0;
  int row = 2, solutions = 0;
  columns[2] = a | b;
  left[2] = (a << 2 | b << 1) & full;
  right[2] = a >> 2 | b >> 1;
  open[2] = full & ~(columns[2] | left[2] | right[2]);
  while (row >= 2) {
    if (open[row] == 0) {
      --row;
      continue;
    }
    unsigned int queen = open[row] & (0u - open[row]);
    open[row] ^= queen;
    if (row == n - 1) {
      ++solutions;
      continue;
    }
    columns[row + 1] = columns[row] | queen;
    left[row + 1] = (left[row] | queen) << 1 & full;
    right[row + 1] = (right[row] | queen) >> 1;
    ++row;
    open[row] = full & ~(columns[row] | left[row] | right[row]);
  }
  return solutions;
}

__global__ void backQueens(int* solutions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = 7 + i / 512 % 4;
  int first = i % 512 / 16, second = i % 16;
  if (first >= n || second >= n) {
    solutions[i] = 0;
    return;
  }
  solutions[i] = countQueens(n, first, second);
}

void queens() {
  lanes::Buffer<int> out(2048);
  backQueens<<<16, 128>>>(out.data());
  lanes::report("backQueens", out);
  int bySize[4] = {};
  const auto found = out.host();
  for (int i = 0; i < 2048; ++i)
    bySize[i / 512] += found[i];
  lanes::check("backQueens",
               bySize[0] == 40 && bySize[1] == 92 && bySize[2] == 352 && bySize[3] == 724);
}

// How many subsets of a lane's numbers have the wanted sum?
__host__ __device__ int countSubsetSums(const int* numbers, int n, int wanted) {
  int chosen[16];
  int depth = 0, sum = 0, found = 0, next = 0;
  for (;;) {
    if (sum == wanted)
      ++found;
    if (sum < wanted && next < n) {
      chosen[depth++] = next;
      sum += numbers[next++];
    } else {
      do {
        if (depth == 0)
          return found;
        int last = chosen[--depth];
        sum -= numbers[last];
        next = last + 1;
      } while (next >= n);
      chosen[depth++] = next;
      sum += numbers[next++];
    }
  }
}

__global__ void backSubsets(const int* numbers, const int* wanted, int n, int* found, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  found[i] = countSubsetSums(numbers + i * n, n, wanted[i]);
}

void subsets() {
  lanes::Random random(41);
  const int count = 3000, n = 10;
  lanes::Buffer<int> numbers(count * n, [&](size_t) { return random.between(3, 30); });
  lanes::Buffer<int> wanted(count, [&](size_t) { return random.between(10, 70); }), found(count);
  backSubsets<<<(count + 127) / 128, 128>>>(numbers.data(), wanted.data(), n, found.data(), count);
  lanes::report("backSubsets", found);
  const auto values = numbers.host(), sums = wanted.host();
  lanes::check("backSubsets", found.host() == lanes::expect<int>(count, [&](size_t i) {
                                return countSubsetSums(&values[i * n], n, sums[i]);
                              }));
}

// Sudokus of four by four.
__device__ bool mayStand(const unsigned char* grid, int cell, int digit) {
  int row = cell / 4, column = cell % 4;
  for (int k = 0; k < 4; ++k)
    if (grid[row * 4 + k] == digit || grid[k * 4 + column] == digit)
      return false;
  int r0 = row & 2, c0 = column & 2;
  for (int r = r0; r < r0 + 2; ++r)
    for (int c = c0; c < c0 + 2; ++c)
      if (grid[r * 4 + c] == digit)
        return false;
  return true;
}

__global__ void backSudoku(const unsigned char* puzzles, unsigned char* solved, int* tries,
                           int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count)
    return;
  unsigned char grid[16], empty[16];
  int holes = 0;
  for (int i = 0; i < 16; ++i) {
    grid[i] = puzzles[p * 16 + i];
    if (grid[i] == 0)
      empty[holes++] = (unsigned char)i;
  }
  int at = 0, tried = 0;
  while (at >= 0 && at < holes) {
    int cell = empty[at];
    int digit = grid[cell] + 1;
    grid[cell] = 0;
    for (; digit <= 4; ++digit) {
      ++tried;
      if (mayStand(grid, cell, digit))
        break;
    }
    if (digit <= 4) {
      grid[cell] = (unsigned char)digit;
      ++at;
    } else {
      --at;
    }
    if (tried > 400)
      break;
  }
  tries[p] = at < 0 ? -tried : tried;
  for (int i = 0; i < 16; ++i)
    solved[p * 16 + i] = grid[i];
}

void sudokus() {
  lanes::Random random(42);
  static const char* const whole = "1234341221434321";
  const int count = 2048;
  std::vector<unsigned char> puzzles(count * 16);
  for (int p = 0; p < count; ++p) {
    const int holes = random.between(3, 14), turn = random.below(4);
    for (int i = 0; i < 16; ++i)
      puzzles[p * 16 + i] = static_cast<unsigned char>((whole[i] - '1' + turn) % 4 + 1);
    for (int h = 0; h < holes; ++h)
      puzzles[p * 16 + random.below(16)] = 0;
    if (random.below(9) == 0)
      puzzles[p * 16 + random.below(16)] = static_cast<unsigned char>(random.between(1, 4));
  }
  lanes::Buffer<unsigned char> in(puzzles), solved(count * 16);
  lanes::Buffer<int> tries(count);
  backSudoku<<<count / 64, 64>>>(in.data(), solved.data(), tries.data(), count);
  lanes::report("backSudoku", solved);
}

// The shortest round trip through six towns: permutations in order, cut off when a part is too long
// already.
__global__ void backRoundTrip(const float2* towns, float* shortest, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  const float2* my = towns + t * 6;
  int order[6] = {0, 0, 0, 0, 0, 0};
  float length[6] = {0.0f};
  unsigned int used = 1;
  float best = 1e30f;
  int k = 1;
  while (k > 0) {
    if (order[k] != 0)
      used &= ~(1u << order[k]);
    int town = order[k] + 1;
    while (town < 6 && (used >> town & 1))
      ++town;
    if (town == 6) {
      order[k--] = 0;
      continue;
    }
    order[k] = town;
    used |= 1u << town;
    float dx = my[town].x - my[order[k - 1]].x, dy = my[town].y - my[order[k - 1]].y;
    length[k] = length[k - 1] + sqrtf(dx * dx + dy * dy);
    if (length[k] >= best)
      continue;
    if (k < 5) {
      ++k;
      continue;
    }
    dx = my[town].x - my[0].x;
    dy = my[town].y - my[0].y;
    best = fminf(best, length[k] + sqrtf(dx * dx + dy * dy));
  }
  shortest[t] = best;
}

void roundTrips() {
  lanes::Random random(43);
  const int count = 2048;
  lanes::Buffer<float2> towns(count * 6,
                              [&](size_t) { return float2{random.unit(), random.unit()}; });
  lanes::Buffer<float> shortest(count);
  backRoundTrip<<<count / 128, 128>>>(towns.data(), shortest.data(), count);
  lanes::report("backRoundTrip", shortest);
}

// A knight that visits as many fields of a board of five by five as it can within a number of
// moves.
__constant__ signed char knightX[8] = {1, 2, 2, 1, -1, -2, -2, -1};
__constant__ signed char knightY[8] = {-2, -1, 1, 2, 2, 1, -1, -2};

__global__ void backKnight(const unsigned int* blocked, int* reach, int budget) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int seen = blocked[id];
  int start = id % 25, best = 0;
  if (seen >> start & 1) {
    reach[id] = 0;
    return;
  }
  unsigned char path[25], move[25];
  int depth = 0;
  path[0] = (unsigned char)start;
  move[0] = 0;
  seen |= 1u << start;
  while (budget-- > 0) {
    if (move[depth] == 8) {
      seen &= ~(1u << path[depth]);
      if (depth-- == 0)
        break;
      continue;
    }
    int m = move[depth]++;
    int x = path[depth] % 5 + knightX[m], y = path[depth] / 5 + knightY[m];
    if (x < 0 || x >= 5 || y < 0 || y >= 5)
      continue;
    int to = y * 5 + x;
    if (seen >> to & 1)
      continue;
    path[++depth] = (unsigned char)to;
    move[depth] = 0;
    seen |= 1u << to;
    if (depth > best)
      best = depth;
  }
  reach[id] = best + 1;
}

void knights() {
  lanes::Random random(44);
  const int count = 2048;
  lanes::Buffer<unsigned int> blocked(count, [&](size_t) {
    unsigned int bits = random.next() & random.next() & 0x1ffffffu;
    return random.below(3) ? bits & random.next() : bits;
  });
  lanes::Buffer<int> reach(count);
  backKnight<<<count / 128, 128>>>(blocked.data(), reach.data(), 220);
  lanes::report("backKnight", reach);
}

// Three colours for a graph of twelve vertices.
__host__ __device__ int colourGraph(const unsigned short* neighbours, int n, int colours) {
  unsigned short members[4] = {0, 0, 0, 0};
  signed char colour[12];
  int v = 0, steps = 0;
  colour[0] = -1;
  while (v < n) {
    if (v < 0)
      return -steps;
    if (colour[v] >= 0)
      members[colour[v]] &= (unsigned short)~(1u << v);
    int c = colour[v] + 1;
    while (c < colours && (members[c] & neighbours[v])) {
      ++c;
      ++steps;
    }
    if (c == colours) {
      --v;
    } else {
      colour[v] = (signed char)c;
      members[c] |= (unsigned short)(1u << v);
      if (++v < n)
        colour[v] = -1;
    }
    if (++steps > 500)
      return 0;
  }
  return steps;
}

__global__ void backColours(const unsigned short* graphs, int* steps, int n, int count) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < count)
    steps[g] = colourGraph(graphs + g * n, n, 3);
}

void colours() {
  lanes::Random random(45);
  const int count = 3000, n = 12;
  std::vector<unsigned short> graphs(count * n);
  for (int g = 0; g < count; ++g) {
    const int edges = random.between(12, 34);
    for (int e = 0; e < edges; ++e) {
      const int a = random.below(n), b = random.below(n);
      if (a == b)
        continue;
      graphs[g * n + a] |= static_cast<unsigned short>(1 << b);
      graphs[g * n + b] |= static_cast<unsigned short>(1 << a);
    }
  }
  lanes::Buffer<unsigned short> in(graphs);
  lanes::Buffer<int> steps(count);
  backColours<<<(count + 127) / 128, 128>>>(in.data(), steps.data(), n, count);
  lanes::report("backColours", steps);
  lanes::check("backColours", steps.host() == lanes::expect<int>(count, [&](size_t g) {
                                return colourGraph(&graphs[g * n], n, 3);
                              }));
}

// A knapsack by branch and bound; the bound fills the rest of the room with a part of an item.
struct Item {
  int weight, value;
};

__device__ float valueBound(const Item* items, int from, int n, int room, int value) {
  float bound = (float)value;
  for (int i = from; i < n; ++i) {
    if (items[i].weight > room) {
      bound += (float)items[i].value * room / items[i].weight;
      break;
    }
    room -= items[i].weight;
    bound += items[i].value;
  }
  return bound;
}

__global__ void backKnapsack(const Item* all, int n, const int* rooms, int* bestValue, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  const Item* items = all + id * n;
  int room = rooms[id], value = 0, best = 0, depth = 0;
  unsigned int taken = 0;
  while (true) {
    while (depth < n && valueBound(items, depth, n, room, value) > best) {
      if (items[depth].weight <= room) {
        room -= items[depth].weight;
        value += items[depth].value;
        taken |= 1u << depth;
      }
      ++depth;
    }
    if (depth == n && value > best)
      best = value;
    do {
      --depth;
    } while (depth >= 0 && !(taken >> depth & 1));
    if (depth < 0)
      break;
    taken &= ~(1u << depth);
    room += items[depth].weight;
    value -= items[depth].value;
    ++depth;
  }
  bestValue[id] = best;
}

void knapsacks() {
  lanes::Random random(46);
  const int count = 2048, n = 8;
  std::vector<Item> items(count * n);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < n; ++k) {
      const int weight = random.between(3, 20);
      items[i * n + k] = {weight, weight * (20 - k) / 8 + random.below(3)};
    }
  lanes::Buffer<Item> in(items);
  lanes::Buffer<int> rooms(count, [&](size_t) { return random.between(15, 70); }), best(count);
  backKnapsack<<<count / 64, 64>>>(in.data(), n, rooms.data(), best.data(), count);
  lanes::report("backKnapsack", best);
}

// The way out of a maze of eight by eight, a wall for each bit set.
__global__ void backMaze(const unsigned long long* mazes, int* steps, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned long long closed = mazes[i] & ~1ull;
  unsigned char trail[64];
  int length = 0, walked = 0, x = 0, y = 0;
  for (;;) {
    closed |= 1ull << (y * 8 + x);
    for (int d = 0; d < 4; ++d) {
      int nx = x + (d == 0) - (d == 2), ny = y + (d == 1) - (d == 3);
      if (((nx | ny) & ~7) || (closed >> (ny * 8 + nx) & 1))
        continue;
      trail[length++] = (unsigned char)(y * 8 + x);
      x = nx, y = ny;
      ++walked;
      if (x == 7 && y == 7)
        goto out;
      goto moved;
    }
    if (length == 0) {
      walked = -walked;
      goto out;
    }
    --length;
    x = trail[length] & 7, y = trail[length] >> 3;
  moved:;
  }
out:
  steps[i] = walked * 64 + length;
}

void mazes() {
  lanes::Random random(47);
  const int count = 4096;
  lanes::Buffer<unsigned long long> walls(count, [&](size_t) {
    unsigned long long a = static_cast<unsigned long long>(random.next()) << 32 | random.next();
    unsigned long long b = static_cast<unsigned long long>(random.next()) << 32 | random.next();
    return a & b & ~(1ull << 63);
  });
  lanes::Buffer<int> steps(count);
  backMaze<<<count / 128, 128>>>(walls.data(), steps.data(), count);
  lanes::report("backMaze", steps);
}

// Is the word on the board? Letters that touch, none twice.
__device__ bool wordFrom(const char* board, const char* word, int start) {
  if (board[start] != word[0])
    return false;
  int cells[8], direction[8];
  int depth = 0;
  unsigned int used = 1u << start;
  cells[0] = start;
  direction[0] = 0;
  while (depth >= 0) {
    if (word[depth + 1] == 0)
      return true;
    bool deeper = false;
    while (direction[depth] < 9 && !deeper) {
      int d = direction[depth]++;
      int x = (cells[depth] & 3) + d % 3 - 1, y = (cells[depth] >> 2) + d / 3 - 1;
      if (x < 0 || y < 0 || x > 3 || y > 3)
        continue;
      int to = y * 4 + x;
      if ((used >> to & 1) || board[to] != word[depth + 1])
        continue;
      used |= 1u << to;
      cells[depth + 1] = to;
      direction[depth + 1] = 0;
      deeper = true;
    }
    if (deeper) {
      ++depth;
    } else {
      used ^= 1u << cells[depth];
      --depth;
    }
  }
  return false;
}

__global__ void backWordBoard(const char* boards, const char* words, int wordCount,
                              unsigned int* found, int count) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= count)
    return;
  unsigned int hits = 0;
  for (int w = 0; w < wordCount; ++w) {
    for (int start = 0; start < 16; ++start) {
      if (wordFrom(boards + b * 16, words + w * 8, start)) {
        hits |= 1u << w;
        break;
      }
    }
  }
  found[b] = hits;
}

void wordBoards() {
  lanes::Random random(48);
  const int count = 2048;
  lanes::Buffer<char> boards(count * 16, [&](size_t) { return "eeatrnso"[random.below(8)]; });
  std::vector<char> words(6 * 8);
  const char* const list[] = {"tree", "note", "ant", "seat", "rose", "torte"};
  for (int w = 0; w < 6; ++w)
    std::strcpy(&words[w * 8], list[w]);
  lanes::Buffer<char> wordsIn(words);
  lanes::Buffer<unsigned int> found(count);
  backWordBoard<<<count / 128, 128>>>(boards.data(), wordsIn.data(), 6, found.data(), count);
  lanes::report("backWordBoard", found);
}

// Clauses of three literals, variables set in order; a clause that is false turns the search back.
__host__ __device__ bool refuted(const signed char* clauses, int count, unsigned int values,
                                 int assigned) {
  for (int c = 0; c < count; ++c) {
    bool open = false;
    for (int l = 0; l < 3; ++l) {
      int literal = clauses[c * 3 + l];
      int variable = (literal < 0 ? -literal : literal) - 1;
      if (variable >= assigned || (bool)(values >> variable & 1) == (literal > 0)) {
        open = true;
        break;
      }
    }
    if (!open)
      return true;
  }
  return false;
}

__host__ __device__ int satisfy(const signed char* clauses, int count, int variables) {
  unsigned int values = 0;
  int level = 0;
  while (true) {
    if (!refuted(clauses, count, values, level)) {
      if (level == variables)
        return (int)values;
      ++level;
      continue;
    }
    while (level > 0 && (values >> (level - 1) & 1)) {
      values &= ~(1u << (level - 1));
      --level;
    }
    if (level == 0)
      return -1;
    values |= 1u << (level - 1);
  }
}

__global__ void backClauses(const signed char* formulas, int clauses, int variables, int* model,
                            int count) {
  int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= count)
    return;
  model[f] = satisfy(formulas + f * clauses * 3, clauses, variables);
}

void clauses() {
  lanes::Random random(49);
  const int count = 2048, clauseCount = 26, variables = 7;
  std::vector<signed char> formulas(count * clauseCount * 3);
  for (auto& literal : formulas) {
    const int variable = random.between(1, variables);
    literal = static_cast<signed char>(random.below(2) ? variable : -variable);
  }
  lanes::Buffer<signed char> in(formulas);
  lanes::Buffer<int> model(count);
  backClauses<<<count / 128, 128>>>(in.data(), clauseCount, variables, model.data(), count);
  lanes::report("backClauses", model);
  lanes::check("backClauses", model.host() == lanes::expect<int>(count, [&](size_t f) {
                                return satisfy(&formulas[f * clauseCount * 3], clauseCount,
                                               variables);
                              }));
}

// Dominoes on a board of four by four with holes: the ways to lay them, added up over the block.
__global__ void backDominoes(const unsigned short* boards, int* ways, int* total) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int filled[10];
  int tried[10];
  int depth = 0, count = 0;
  filled[0] = boards[id];
  tried[0] = 0;
  while (depth >= 0) {
    unsigned int f = filled[depth];
    if (f == 0xffffu) {
      ++count;
      --depth;
      continue;
    }
    int cell = __ffs((int)~f) - 1;
    unsigned int piece = 0;
    while (tried[depth] < 2 && piece == 0) {
      if (tried[depth]++ == 0) {
        if ((cell & 3) != 3 && !(f >> (cell + 1) & 1))
          piece = 3u << cell;
      } else if (cell < 12 && !(f >> (cell + 4) & 1)) {
        piece = 17u << cell;
      }
    }
    if (piece) {
      ++depth;
      filled[depth] = f | piece;
      tried[depth] = 0;
    } else {
      --depth;
    }
  }
  ways[id] = count;
  if (count > 0)
    atomicAdd(&sum, count);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(total, sum);
}

void dominoes() {
  lanes::Random random(50);
  const int count = 4096;
  lanes::Buffer<unsigned short> boards(count, [&](size_t) {
    unsigned int holes = 0;
    for (int h = random.below(4) * 2; h > 0; --h)
      holes |= 1u << random.below(16);
    return static_cast<unsigned short>(holes);
  });
  lanes::Buffer<int> ways(count), total(1);
  backDominoes<<<count / 256, 256>>>(boards.data(), ways.data(), total.data());
  lanes::report("backDominoes", ways);
  bool right = total.host()[0] > 0;
  const auto holes = boards.host();
  const auto found = ways.host();
  for (int i = 0; i < count; ++i)
    right &= holes[i] != 0 || found[i] == 36;
  lanes::check("backDominoes", right);
}

} // namespace

int main() {
  queens();
  subsets();
  sudokus();
  roundTrips();
  knights();
  colours();
  knapsacks();
  mazes();
  wordBoards();
  clauses();
  dominoes();
  return lanes::status();
}
