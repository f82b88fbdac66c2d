// SPDX-License-Identifier: Apache-2.0
//
// Interpreters: each lane has a program, or data that leads it through a common one, and a switch
// on the operation.
#include "interpreters_expressions.cuh"

namespace {

// A stack machine. Every lane has a program of its own.
enum Op : unsigned char {
  Halt,
  Push,
  Add,
  Sub,
  Mul,
  Dup,
  Swap,
  Over,
  Drop,
  Inc,
  Not,
  Jump,
  JumpZero,
  Loop
};

__host__ __device__ int runStack(const unsigned char* code, int size, int budget) {
  unsigned int stack[16];
  int top = 0, pc = 0, counter = 7;
  stack[0] = 1;
  while (pc < size && budget-- > 0) {
    unsigned char op = code[pc++];
    switch (op) {
    case Halt:
      return (int)stack[top];
    case Push:
      if (top == 15)
        return -1;
      stack[++top] = code[pc++];
      break;
    case Add:
    case Sub:
    case Mul:
      if (top < 1)
        return -2;
      --top;
      if (op == Add)
        stack[top] += stack[top + 1];
      else if (op == Sub)
        stack[top] -= stack[top + 1];
      else
        stack[top] *= stack[top + 1];
      break;
    case Dup:
      if (top < 15) {
        stack[top + 1] = stack[top];
        ++top;
      }
      break;
    case Swap: {
      if (top < 1)
        break;
      unsigned int t = stack[top];
      stack[top] = stack[top - 1];
      stack[top - 1] = t;
      break;
    }
    case Over:
      if (top < 1 || top == 15)
        return -3;
      stack[top + 1] = stack[top - 1];
      ++top;
      break;
    case Drop:
      if (top > 0)
        --top;
      break;
    case Inc:
      stack[top]++;
      break;
    case Not:
      stack[top] = !stack[top];
      break;
    case Jump:
      pc += code[pc] & 3;
      break;
    case JumpZero:
      if (stack[top] == 0)
        pc += code[pc] & 7;
      ++pc;
      break;
    case Loop:
      if (counter-- > 0)
        pc -= code[pc] & 7;
      ++pc;
      break;
    }
    if (pc < 0)
      pc = 0;
  }
  return (int)stack[top];
}

__global__ void interpStack(const unsigned char* code, int size, int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = runStack(code + i * size, size, 200);
}

void stackMachines() {
  lanes::Random random(21);
  const int count = 4096, size = 40;
  std::vector<unsigned char> code(count * size + 16);
  for (auto& c : code)
    c = static_cast<unsigned char>(random.below(12) ? random.between(1, 13) : random.below(20));
  lanes::Buffer<unsigned char> in(code);
  lanes::Buffer<int> out(count);
  interpStack<<<count / 128, 128>>>(in.data(), size, out.data(), count);
  lanes::report("interpStack", out);
  lanes::check("interpStack", out.host() == lanes::expect<int>(count, [&](size_t i) {
                                return runStack(&code[i * size], size, 200);
                              }));
}

// A register machine with words of op:8, a:4, b:4, c:4, immediate:12. All lanes run the same
// program.
__global__ void interpRegisters(const unsigned int* program, int length, const unsigned int* input,
                                unsigned int* output, int count) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= count)
    return;
  unsigned int r[8] = {0, input[tid], 0, 1, 0, 0, 0, 0};
  int pc = 0;
  for (int steps = 0; steps < 400; ++steps) {
    if (pc >= length)
      break;
    unsigned int w = program[pc];
    unsigned int a = w >> 20 & 7, b = w >> 16 & 7, c = w >> 12 & 7, k = w & 0xfff;
    ++pc;
    switch (w >> 24) {
    case 0:
      r[a] = k;
      break;
    case 1:
      r[a] = r[b] + r[c];
      break;
    case 2:
      r[a] = r[b] - r[c];
      break;
    case 3:
      r[a] = r[b] & k;
      break;
    case 4:
      r[a] = r[b] >> k;
      break;
    case 5:
      r[a] = r[b] * r[c];
      break;
    case 6:
      if (r[a] == 0)
        pc = (int)k;
      break;
    case 7:
      pc = (int)k;
      break;
    case 8:
      r[a] = r[b] / (r[c] ? r[c] : 1u);
      break;
    case 9:
      r[a] = r[b] < r[c];
      break;
    default:
      output[tid] = r[a];
      return;
    }
  }
  output[tid] = 0xffffffffu;
}

void registerMachine() {
  auto word = [](unsigned op, unsigned a, unsigned b, unsigned c, unsigned k) {
    return op << 24 | a << 20 | b << 16 | c << 12 | k;
  };
  // Steps of the Collatz sequence of r1, counted in r2.
  const std::vector<unsigned> program = {
      word(2, 4, 1, 3, 0), word(6, 4, 0, 0, 11), word(1, 2, 2, 3, 0), word(3, 5, 1, 0, 1),
      word(6, 5, 0, 0, 9), word(0, 6, 0, 0, 3),  word(5, 1, 1, 6, 0), word(1, 1, 1, 3, 0),
      word(7, 0, 0, 0, 0), word(4, 1, 1, 0, 1),  word(7, 0, 0, 0, 0), word(10, 2, 0, 0, 0)};
  const int count = 2048;
  lanes::Buffer<unsigned> code(program),
      in(count, [](size_t i) { return static_cast<unsigned>(i % 700 + 1); });
  lanes::Buffer<unsigned> out(count);
  interpRegisters<<<count / 128, 128>>>(code.data(), static_cast<int>(program.size()), in.data(),
                                        out.data(), count);
  lanes::report("interpRegisters", out);
}

// Brackets that are found by scanning, a tape of bytes.
__global__ void interpBrackets(const char* programs, int length, unsigned int* sums) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  const char* p = programs + (id % 96) * length;
  unsigned char tape[32];
  for (int i = 0; i < 32; ++i)
    tape[i] = (unsigned char)(id >> (i & 7) & 3);
  int head = 0;
  unsigned int sum = 0;
  int fuel = 300;
  for (int pc = 0; pc < length && fuel > 0; ++pc, --fuel) {
    switch (p[pc]) {
    case '>':
      head = (head + 1) & 31;
      break;
    case '<':
      head = (head - 1) & 31;
      break;
    case '+':
      tape[head]++;
      break;
    case '-':
      tape[head]--;
      break;
    case '.':
      sum = sum * 33 + tape[head];
      break;
    case '[':
      if (tape[head] == 0) {
        int open = 1;
        while (open > 0 && ++pc < length) {
          if (p[pc] == '[')
            ++open;
          else if (p[pc] == ']')
            --open;
        }
      }
      break;
    case ']':
      if (tape[head] != 0) {
        int open = 1;
        while (open > 0 && --pc >= 0) {
          if (p[pc] == ']')
            ++open;
          else if (p[pc] == '[')
            --open;
        }
      }
      break;
    }
  }
  sums[id] = sum + tape[head] + 1000u * fuel;
}

void bracketPrograms() {
  lanes::Random random(22);
  const int length = 64, kinds = 96;
  std::string all;
  for (int k = 0; k < kinds; ++k) {
    std::string p;
    while (p.size() < length - 12) {
      static const char* const pieces[] = {"[->+<]", "+++",     ">",  "<",       ".",
                                           "[-]",    "[>+<-.]", "--", "[->>+<<]"};
      p += pieces[random.below(9)];
    }
    p.resize(length, '.');
    all += p;
  }
  lanes::Buffer<char> programs(std::vector<char>(all.begin(), all.end()));
  lanes::Buffer<unsigned int> sums(2048);
  interpBrackets<<<32, 64>>>(programs.data(), length, sums.data());
  lanes::report("interpBrackets", sums);
}

// Words that call words, with a stack of return addresses.
__constant__ short forthCode[] = {
    // 0: main     square, twice, dec, branch back if not zero, exit
    -1, 100, 20, 30, -6, -8, 0, -9,
    // 8: unused
    -9, -9, -9, -9, -9, -9, -9, -9, -9, -9, -9, -9,
    // 20: square  acc = acc * acc mod 8191; exit early when acc is even
    -2, -7, -9, -3, -9, -9, -9, -9, -9, -9,
    // 30: twice   call half, call half
    40, 40, -9, -9, -9, -9, -9, -9, -9, -9,
    // 40: half    acc = acc / 2 + 1; if even, square once more
    -4, -7, -9, 20, -9};

__global__ void interpWords(const int* seeds, int* out, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  int acc = seeds[id] % 8191, counter = seeds[id] % 13 + 2;
  int returns[8], sp = 0, ip = 0, limit = 400;
  for (;;) {
    if (--limit < 0)
      break;
    int word = forthCode[ip++];
    if (word >= 0 && word < 100) {
      if (sp == 8)
        break;
      returns[sp++] = ip;
      ip = word;
      continue;
    }
    if (word == -1) {
      ip++;
    } else if (word == -2) {
      acc = acc * acc % 8191;
    } else if (word == -3) {
      acc += counter;
    } else if (word == -4) {
      acc = acc / 2 + 1;
    } else if (word == -6) {
      --counter;
    } else if (word == -7) {
      if (acc & 1)
        ++ip;
    } else if (word == -8) {
      int target = forthCode[ip++];
      if (counter > 0)
        ip = target;
    } else {
      if (sp == 0)
        break;
      ip = returns[--sp];
    }
  }
  out[id] = acc * 1000 + limit;
}

void forthWords() {
  lanes::Random random(26);
  const int count = 3000;
  lanes::Buffer<int> seeds(count, [&](size_t) { return random.below(1 << 20); }), out(count);
  interpWords<<<(count + 127) / 128, 128>>>(seeds.data(), out.data(), count);
  lanes::report("interpWords", out);
}

// A small console of the seventies: two-byte codes, nested switches, flags in register 15.
__global__ void interpConsole(const unsigned char* roms, int romSize, unsigned int* digest,
                              int cycles) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char* rom = roms + (size_t)id * romSize;
  unsigned char v[16] = {};
  unsigned short stack[4];
  int sp = 0, pc = 0, index = 0;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    if (pc + 1 >= romSize)
      pc = 0;
    int op = rom[pc] << 8 | rom[pc + 1];
    int x = op >> 8 & 15, y = op >> 4 & 15, kk = op & 255;
    pc += 2;
    switch (op >> 12) {
    case 0:
      if (sp > 0)
        pc = stack[--sp];
      break;
    case 1:
      pc = (op & 0xfff) % romSize & ~1;
      break;
    case 2:
      if (sp < 4) {
        stack[sp++] = (unsigned short)pc;
        pc = (op & 0xfff) % romSize & ~1;
      }
      break;
    case 3:
      if (v[x] == kk)
        pc += 2;
      break;
    case 4:
      if (v[x] != kk)
        pc += 2;
      break;
    case 5:
      pc += v[x] == v[y] ? 2 : 0;
      break;
    case 6:
      v[x] = (unsigned char)kk;
      break;
    case 7:
      v[x] += (unsigned char)kk;
      break;
    case 8:
      switch (op & 7) {
      case 0:
        v[x] = v[y];
        break;
      case 1:
        v[x] |= v[y];
        break;
      case 2:
        v[x] &= v[y];
        break;
      case 3:
        v[x] ^= v[y];
        break;
      case 4: {
        int sum = v[x] + v[y];
        v[x] = (unsigned char)sum;
        v[15] = sum > 255;
        break;
      }
      case 5:
        v[15] = v[x] >= v[y];
        v[x] -= v[y];
        break;
      case 6:
        v[15] = v[x] & 1;
        v[x] >>= 1;
        break;
      case 7:
        v[15] = v[x] >> 7;
        v[x] <<= 1;
        break;
      }
      break;
    case 10:
      index = op & 0xfff;
      break;
    case 12:
      v[x] = (unsigned char)((index * 197 + cycle) & kk);
      break;
    default:
      index += v[x];
    }
  }
  unsigned int d = index;
  for (int r = 0; r < 16; ++r)
    d = d * 31 + v[r];
  digest[id] = d;
}

void console() {
  lanes::Random random(27);
  const int count = 2048, romSize = 128;
  lanes::Buffer<unsigned char> roms(
      count * romSize, [&](size_t) { return static_cast<unsigned char>(random.next()); });
  lanes::Buffer<unsigned int> digest(count);
  interpConsole<<<count / 128, 128>>>(roms.data(), romSize, digest.data(), 120);
  lanes::report("interpConsole", digest);
}

// A filter for packets: one program, jumps forward, a verdict; packets of different kinds.
struct FilterStep {
  unsigned char op, jumpTrue, jumpFalse;
  unsigned int k;
};

__host__ __device__ int filterPacket(const FilterStep* program, const unsigned char* packet,
                                     int length) {
  unsigned int a = 0, x = 0;
  for (int pc = 0;; ++pc) {
    const FilterStep s = program[pc];
    switch (s.op) {
    case 0:
      if ((int)s.k + 1 > length)
        return -1;
      a = packet[s.k];
      break;
    case 1:
      if ((int)(x + s.k) + 2 > length)
        return -1;
      a = packet[x + s.k] << 8 | packet[x + s.k + 1];
      break;
    case 2:
      x = (a & 15) * 4;
      break;
    case 3:
      a &= s.k;
      break;
    case 4:
      pc += a == s.k ? s.jumpTrue : s.jumpFalse;
      break;
    case 5:
      pc += a > s.k ? s.jumpTrue : s.jumpFalse;
      break;
    case 6:
      return (int)s.k;
    }
  }
}

__global__ void interpFilter(const FilterStep* program, const unsigned char* packets,
                             const int* lengths, int stride, int* verdict, int* accepted,
                             int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int result = 0;
  if (i < count) {
    result = filterPacket(program, packets + i * stride, lengths[i]);
    verdict[i] = result;
  }
  unsigned int votes = __ballot_sync(0xffffffffu, result > 0);
  if (threadIdx.x % 32 == 0 && votes)
    atomicAdd(accepted, __popc(votes));
}

void packetFilter() {
  lanes::Random random(28);
  const int count = 8000, stride = 64;
  const std::vector<FilterStep> program = {
      {0, 0, 0, 0},  {3, 0, 0, 0xf0}, {4, 0, 9, 0x40}, {0, 0, 0, 9}, {4, 2, 0, 6},
      {4, 1, 0, 17}, {6, 0, 0, 0},    {0, 0, 0, 0},    {2, 0, 0, 0}, {1, 0, 0, 2},
      {4, 2, 0, 80}, {5, 0, 2, 1023}, {6, 0, 0, 0},    {6, 0, 0, 2}, {6, 0, 0, 1}};
  std::vector<unsigned char> packets(count * stride);
  for (auto& b : packets)
    b = static_cast<unsigned char>(random.next());
  lanes::Buffer<int> lengths(count, [&](size_t) { return random.between(8, stride); });
  for (int i = 0; i < count; ++i) {
    unsigned char* p = &packets[i * stride];
    p[0] = static_cast<unsigned char>((random.below(5) ? 0x40 : 0x60) | random.between(5, 9));
    p[9] = static_cast<unsigned char>(random.below(3) == 0 ? 1 : random.below(2) ? 6 : 17);
    if (random.below(3) == 0)
      p[(p[0] & 15) * 4 + 2] = 0, p[(p[0] & 15) * 4 + 3] = 80;
  }
  lanes::Buffer<FilterStep> programIn(program);
  lanes::Buffer<unsigned char> in(packets);
  lanes::Buffer<int> verdict(count), accepted(1);
  interpFilter<<<(count + 127) / 128, 128>>>(programIn.data(), in.data(), lengths.data(), stride,
                                             verdict.data(), accepted.data(), count);
  lanes::report("interpFilter", verdict);
  const auto sizes = lengths.host();
  const auto want = lanes::expect<int>(count, [&](size_t i) {
    return filterPacket(program.data(), &packets[i * stride], sizes[i]);
  });
  int total = 0;
  for (int v : want)
    total += v > 0;
  lanes::check("interpFilter", verdict.host() == want && accepted.host()[0] == total);
}

// The computer with one instruction: subtract, and jump if the result is not above zero.
__global__ void interpOneInstruction(const short* images, int size, int* out, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  short m[48];
  for (int i = 0; i < size; ++i)
    m[i] = images[id * size + i];
  int pc = 0, steps = 0;
  while (pc >= 0 && pc + 2 < size && steps < 250) {
    int a = m[pc], b = m[pc + 1], c = m[pc + 2];
    steps++;
    if (a < 0 || a >= size || b < 0 || b >= size)
      break;
    m[b] = (short)(m[b] - m[a]);
    pc = m[b] <= 0 ? c : pc + 3;
  }
  out[id] = steps * 64 + (pc & 63);
}

void oneInstruction() {
  lanes::Random random(31);
  const int count = 2500, size = 48;
  lanes::Buffer<short> images(count * size, [&](size_t) {
    return static_cast<short>(random.below(30) ? random.below(size - 2) : -1);
  });
  lanes::Buffer<int> out(count);
  interpOneInstruction<<<(count + 127) / 128, 128>>>(images.data(), size, out.data(), count);
  lanes::report("interpOneInstruction", out);
}

} // namespace

int main() {
  stackMachines();
  registerMachine();
  bracketPrograms();
  reversePolish();
  expressionTrees();
  infixTexts();
  forthWords();
  console();
  packetFilter();
  turtles();
  population();
  oneInstruction();
  return lanes::status();
}
