// SPDX-License-Identifier: Apache-2.0
//
// Interpreters of formulas: reverse Polish, trees, infix, turtles, programs of a population.
#pragma once

#include "lanes.cuh"

#include <algorithm>
#include <string>

namespace {

// Reverse Polish notation as text; an error ends the line.
__host__ __device__ int evaluateRpn(const char* s, int* error) {
  int stack[12], depth = 0;
  *error = 0;
  while (*s) {
    if (*s == ' ') {
      ++s;
      continue;
    }
    if (*s >= '0' && *s <= '9') {
      int value = 0;
      do
        value = value * 10 + (*s++ - '0');
      while (*s >= '0' && *s <= '9');
      if (depth == 12) {
        *error = 1;
        return 0;
      }
      stack[depth++] = value;
      continue;
    }
    if (depth < 2) {
      *error = 2;
      return 0;
    }
    int b = stack[--depth], a = stack[--depth], r;
    switch (*s++) {
    case '+':
      r = a + b;
      break;
    case '-':
      r = a - b;
      break;
    case '*':
      r = (a & 0xffff) * (b & 0x7fff);
      break;
    case '/':
      if (b == 0) {
        *error = 3;
        return 0;
      }
      r = a / b;
      break;
    case '%':
      r = b ? a % b : 0;
      break;
    default:
      *error = 4;
      return 0;
    }
    stack[depth++] = r;
  }
  if (depth != 1)
    *error = 5;
  return depth ? stack[depth - 1] : 0;
}

__global__ void interpRpn(const char* lines, int width, int2* results, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int error;
  int value = evaluateRpn(lines + i * width, &error);
  results[i] = make_int2(value, error);
}

void reversePolish() {
  lanes::Random random(23);
  const int count = 3000, width = 64;
  std::vector<char> lines(count * width);
  for (int i = 0; i < count; ++i) {
    std::string s;
    int depth = 0;
    while (s.size() < static_cast<size_t>(random.between(10, 56))) {
      if (depth < 2 || random.below(5) < 2)
        s += std::to_string(random.below(300)), ++depth;
      else
        s += "+-*/%"[random.below(5)], --depth;
      s += ' ';
    }
    while (depth-- > 1 && random.below(12))
      s += '+';
    std::memcpy(&lines[i * width], s.data(), std::min<size_t>(s.size(), width - 1));
  }
  lanes::Buffer<char> in(lines);
  lanes::Buffer<int2> out(count);
  interpRpn<<<(count + 127) / 128, 128>>>(in.data(), width, out.data(), count);
  lanes::report("interpRpn", out);
  bool right = true;
  const auto found = out.host();
  for (int i = 0; i < count; ++i) {
    int error;
    const int value = evaluateRpn(&lines[i * width], &error);
    right &= found[i].x == value && found[i].y == error;
  }
  lanes::check("interpRpn", right);
}

// Expression trees, walked with a stack of nodes that are half done.
struct ExprNode {
  int kind; // 0 constant, 1 x, 2 sum, 3 product, 4 minimum, 5 negation, 6 root, 7 choice
  int left, right;
  float value;
};

__global__ void interpTrees(const ExprNode* nodes, const int* roots, float x0, float* out,
                            int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  float x = x0 + 0.001f * (t & 63);
  int pending[24];
  float values[24];
  int np = 0, nv = 0;
  pending[np++] = roots[t] << 1;
  while (np > 0) {
    int item = pending[--np];
    const ExprNode n = nodes[item >> 1];
    if (item & 1) {
      float r = values[--nv];
      if (n.kind == 5)
        r = -r;
      else if (n.kind == 6)
        r = sqrtf(fabsf(r));
      else {
        float l = values[--nv];
        if (n.kind == 2)
          r += l;
        else if (n.kind == 3)
          r *= l;
        else if (n.kind == 4)
          r = fminf(l, r);
        else
          r = l > 0.0f ? r : l;
      }
      values[nv++] = r;
    } else if (n.kind < 2) {
      values[nv++] = n.kind ? x : n.value;
    } else {
      pending[np++] = item | 1;
      if (n.kind != 5 && n.kind != 6)
        pending[np++] = n.left << 1;
      pending[np++] = n.right << 1;
    }
  }
  out[t] = values[0];
}

int growTree(lanes::Random& random, std::vector<ExprNode>& nodes, int depth) {
  ExprNode n{depth > 5 ? random.below(2) : random.below(depth ? 8 : 6) + (depth ? 0 : 2), 0, 0,
             random.within(-2, 2)};
  if (n.kind >= 2)
    n.right = growTree(random, nodes, depth + 1);
  if (n.kind >= 2 && n.kind != 5 && n.kind != 6)
    n.left = growTree(random, nodes, depth + 1);
  nodes.push_back(n);
  return static_cast<int>(nodes.size()) - 1;
}

void expressionTrees() {
  lanes::Random random(24);
  const int count = 4096;
  std::vector<ExprNode> nodes;
  std::vector<int> roots(count);
  for (auto& root : roots)
    root = growTree(random, nodes, 0);
  lanes::Buffer<ExprNode> in(nodes);
  lanes::Buffer<int> rootsIn(roots);
  lanes::Buffer<float> out(count);
  interpTrees<<<count / 256, 256>>>(in.data(), rootsIn.data(), 0.5f, out.data(), count);
  lanes::report("interpTrees", out);
}

// Infix with precedence: the shunting yard, values computed at once.
__device__ int rank(char op) {
  return op == '+' || op == '-' ? 1 : op == '(' ? 0 : 2;
}

__device__ long long apply(char op, long long a, long long b) {
  if (op == '+')
    return a + b;
  if (op == '-')
    return a - b;
  if (op == '*')
    return (a * b) & 0xffffff;
  return b == 0 ? 0 : a / b;
}

__global__ void interpInfix(const char* text, const int* starts, long long* values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  long long numbers[16];
  char ops[16];
  int nn = 0, no = 0;
  for (int at = starts[i]; at < starts[i + 1]; ++at) {
    char c = text[at];
    if (c >= '0' && c <= '9') {
      numbers[nn++] = c - '0';
    } else if (c == '(') {
      ops[no++] = c;
    } else if (c == ')') {
      while (no > 0 && ops[no - 1] != '(') {
        --nn;
        numbers[nn - 1] = apply(ops[--no], numbers[nn - 1], numbers[nn]);
      }
      --no;
    } else {
      while (no > 0 && rank(ops[no - 1]) >= rank(c)) {
        --nn;
        numbers[nn - 1] = apply(ops[--no], numbers[nn - 1], numbers[nn]);
      }
      ops[no++] = c;
    }
  }
  while (no > 0) {
    --nn;
    numbers[nn - 1] = apply(ops[--no], numbers[nn - 1], numbers[nn]);
  }
  values[i] = numbers[0];
}

void makeInfix(lanes::Random& random, std::string& text, int depth) {
  const int terms = random.between(1, 4);
  for (int t = 0; t < terms; ++t) {
    if (t)
      text += "+-*/"[random.below(4)];
    if (depth < 3 && random.below(4) == 0) {
      text += '(';
      makeInfix(random, text, depth + 1);
      text += ')';
    } else {
      text += static_cast<char>('1' + random.below(9));
    }
  }
}

void infixTexts() {
  lanes::Random random(25);
  const int count = 4000;
  std::string text;
  std::vector<int> starts{0};
  for (int i = 0; i < count; ++i) {
    makeInfix(random, text, 0);
    starts.push_back(static_cast<int>(text.size()));
  }
  lanes::Buffer<char> chars(std::vector<char>(text.begin(), text.end()));
  lanes::Buffer<int> startsIn(starts);
  lanes::Buffer<long long> values(count);
  interpInfix<<<(count + 63) / 64, 64>>>(chars.data(), startsIn.data(), values.data(), count);
  lanes::report("interpInfix", values);
}

// A turtle that follows the letters of a plant.
__global__ void interpTurtle(const char* plant, const int* offsets, float4* box, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float x = 0, y = 0, angle = 1.5707963f, lowX = 0, highX = 0, highY = 0;
  float3 saved[10];
  int depth = 0, lines = 0;
  float step = 1.0f;
  for (int at = offsets[i]; at < offsets[i + 1]; at++) {
    switch (plant[at]) {
    case 'F':
      lines++;
      // draws, then moves
    case 'f':
      x += step * cosf(angle);
      y += step * sinf(angle);
      lowX = fminf(lowX, x);
      highX = fmaxf(highX, x);
      highY = fmaxf(highY, y);
      break;
    case '+':
      angle += 0.4f;
      break;
    case '-':
      angle -= 0.4f;
      break;
    case '[':
      if (depth < 10) {
        saved[depth++] = make_float3(x, y, angle);
        step *= 0.9f;
      }
      break;
    case ']':
      if (depth > 0) {
        float3 s = saved[--depth];
        x = s.x, y = s.y, angle = s.z;
        step /= 0.9f;
      }
      break;
    }
  }
  box[i] = make_float4(lowX, highX, highY, (float)lines);
}

void turtles() {
  lanes::Random random(29);
  const int count = 2048;
  std::string text;
  std::vector<int> offsets{0};
  for (int i = 0; i < count; ++i) {
    std::string plant = "F";
    const int rounds = random.between(1, 4);
    for (int r = 0; r < rounds && plant.size() < 150; ++r) {
      std::string next;
      for (char c : plant)
        next += c != 'F' ? std::string(1, c) : random.below(2) ? "F[+F]f" : "F[-F]+F";
      plant = next;
    }
    text += plant;
    offsets.push_back(static_cast<int>(text.size()));
  }
  lanes::Buffer<char> in(std::vector<char>(text.begin(), text.end()));
  lanes::Buffer<int> offsetsIn(offsets);
  lanes::Buffer<float4> box(count);
  interpTurtle<<<count / 64, 64>>>(in.data(), offsetsIn.data(), box.data(), count);
  const auto found = box.host();
  lanes::Buffer<float> sizes(
      count, [&](size_t i) { return found[i].y - found[i].x + found[i].z + found[i].w; });
  lanes::report("interpTurtle", sizes);
}

// Programs of a population: a block has one program in shared memory, its lanes the cases.
struct GeneStep {
  unsigned char op, a, b;
};

__global__ void interpPopulation(const GeneStep* population, int steps, const float* inputs,
                                 const float* targets, unsigned int* wrong) {
  __shared__ GeneStep program[32];
  __shared__ unsigned int misses;
  if (threadIdx.x < steps)
    program[threadIdx.x] = population[blockIdx.x * steps + threadIdx.x];
  if (threadIdx.x == 0)
    misses = 0;
  __syncthreads();
  float r[6] = {inputs[threadIdx.x], inputs[threadIdx.x + blockDim.x], 1.0f, 0.5f, 0.0f, 0.0f};
  for (int s = 0; s < steps; ++s) {
    const GeneStep g = program[s];
    float a = r[g.a % 6], b = r[g.b % 6], v;
    switch (g.op & 7) {
    case 0:
      v = a + b;
      break;
    case 1:
      v = a - b;
      break;
    case 2:
      v = a * b;
      break;
    case 3:
      v = fabsf(b) < 0.001f ? 1.0f : a / b;
      break;
    case 4:
      v = a > b ? a : b;
      break;
    case 5:
      if (a < 0.0f)
        continue;
      v = sqrtf(a);
      break;
    case 6:
      if (a > b)
        ++s;
      continue;
    default:
      v = -a;
      break;
    }
    r[2 + g.b % 4] = v;
  }
  if (!(fabsf(r[4] - targets[threadIdx.x]) < 0.5f))
    atomicAdd(&misses, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    wrong[blockIdx.x] = misses;
}

void population() {
  lanes::Random random(30);
  const int programs = 64, steps = 32, cases = 64;
  lanes::Buffer<GeneStep> genes(programs * steps, [&](size_t) {
    return GeneStep{static_cast<unsigned char>(random.next()),
                    static_cast<unsigned char>(random.next()),
                    static_cast<unsigned char>(random.next())};
  });
  lanes::Buffer<float> inputs(
      cases * 2, [&](size_t) { return static_cast<float>(random.between(-32, 32)) / 8; });
  lanes::Buffer<float> targets(cases, [&](size_t) { return random.within(-4, 4); });
  lanes::Buffer<unsigned int> wrong(programs);
  interpPopulation<<<programs, cases>>>(genes.data(), steps, inputs.data(), targets.data(),
                                        wrong.data());
  lanes::report("interpPopulation", wrong);
}

} // namespace
