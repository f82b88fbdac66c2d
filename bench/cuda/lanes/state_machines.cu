// SPDX-License-Identifier: Apache-2.0
//
// State machines: each lane walks its own input and keeps a state that decides what the next
// element does.
#include "state_machines_text.cuh"

namespace {

// A transition table in constant memory: every lane does the same.

__constant__ unsigned char vendingNext[8][4] = {{1, 2, 0, 0}, {2, 3, 0, 1}, {3, 4, 0, 2},
                                                {4, 5, 6, 3}, {5, 5, 6, 4}, {5, 5, 6, 5},
                                                {7, 7, 0, 6}, {0, 1, 0, 7}};

__global__ void stateVending(const unsigned int* events, int* sold, int words, int count) {
  int machine = blockIdx.x * blockDim.x + threadIdx.x;
  if (machine >= count)
    return;
  int state = 0, cans = 0;
  for (int w = 0; w < words; ++w) {
    unsigned int bits = events[w * count + machine];
    for (int e = 0; e < 16; ++e, bits >>= 2) {
      int next = vendingNext[state][bits & 3];
      if (next == 6 && state != 6)
        ++cans;
      state = next;
    }
  }
  sold[machine] = cans * 8 + state;
}

void runVending() {
  lanes::Random random(4);
  const int count = 4096, words = 8;
  lanes::Buffer<unsigned int> events(count * words, [&](size_t) { return random.next(); });
  lanes::Buffer<int> sold(count);
  stateVending<<<count / 128, 128>>>(events.data(), sold.data(), words, count);
  lanes::report("stateVending", sold);
}

// A serial line, sampled four times a bit.

struct SerialResult {
  unsigned int hash;
  unsigned short bytes, framing;
};

__global__ void stateSerial(const unsigned long long* samples, SerialResult* out, int words,
                            int lines) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines)
    return;
  enum State : unsigned char { Idle, Start, Data, Stop };
  State state = Idle;
  int timer = 0, bit = 0;
  unsigned int byte = 0;
  SerialResult result = {2166136261u, 0, 0};
  for (int w = 0; w < words; w++) {
    unsigned long long chunk = samples[line * words + w];
    for (int s = 0; s < 64; s++) {
      bool level = chunk >> s & 1;
      if (state == Idle) {
        if (!level) {
          state = Start;
          timer = 1;
        }
        continue;
      }
      if (timer-- > 0)
        continue;
      timer = 3;
      switch (state) {
      case Start:
        state = level ? Idle : Data;
        bit = 0;
        byte = 0;
        break;
      case Data:
        byte |= (unsigned)level << bit;
        if (++bit == 8)
          state = Stop;
        break;
      case Stop:
        if (level) {
          result.hash = (result.hash ^ byte) * 16777619u;
          result.bytes++;
        } else {
          result.framing++;
        }
        state = Idle;
        break;
      default:
        break;
      }
    }
  }
  out[line] = result;
}

void runSerial() {
  lanes::Random random(5);
  const int lines = 2048, words = 4;
  std::vector<unsigned long long> samples(lines * words, ~0ull);
  for (int line = 0; line < lines; ++line) {
    int at = random.below(20);
    auto put = [&](int level) {
      for (int k = 0; k < 4 && at < words * 64; ++k, ++at)
        if (!level)
          samples[line * words + at / 64] &= ~(1ull << (at % 64));
    };
    while (at < words * 64) {
      const unsigned byte = random.next();
      put(0);
      for (int b = 0; b < 8; ++b)
        put(byte >> b & 1);
      put(random.below(9) != 0);
      at += random.below(24);
    }
  }
  lanes::Buffer<unsigned long long> in(samples);
  lanes::Buffer<SerialResult> out(lines);
  stateSerial<<<lines / 64, 64>>>(in.data(), out.data(), words, lines);
  lanes::report("stateSerial", out);
}

// A lift that serves its calls.

__host__ __device__ int serveCalls(unsigned int calls, int floor) {
  enum { Waiting, Up, Down, Open };
  int state = Waiting, direction = 1, time = 0;
  do {
    switch (state) {
    case Waiting:
      if (calls >> floor & 1)
        state = Open;
      else if (calls >> floor >> 1)
        state = direction > 0 ? Up : (calls & ((1u << floor) - 1)) ? Down : Up;
      else
        state = Down;
      break;
    case Up:
      direction = 1;
      floor++;
      time += 2;
      if (calls >> floor & 1)
        state = Open;
      break;
    case Down:
      direction = -1;
      floor--;
      time += 2;
      if (calls >> floor & 1)
        state = Open;
      break;
    case Open:
      calls &= ~(1u << floor);
      time += 5;
      state = Waiting;
      break;
    }
  } while (calls != 0);
  return time * 32 + floor;
}

__global__ void stateLift(const unsigned int* calls, const int* start, int* out, int count) {
  int lift = blockIdx.x * blockDim.x + threadIdx.x;
  if (lift >= count)
    return;
  if (calls[lift] == 0) {
    out[lift] = start[lift];
    return;
  }
  out[lift] = serveCalls(calls[lift], start[lift]);
}

void runLift() {
  lanes::Random random(6);
  const int count = 5000;
  lanes::Buffer<unsigned int> calls(count, [&](size_t) {
    return random.below(6) == 0 ? 0u : random.next() & random.next() & random.next() & 0xffffffu;
  });
  lanes::Buffer<int> start(count, [&](size_t) { return random.below(24); }), out(count);
  stateLift<<<blocksFor(count), threads>>>(calls.data(), start.data(), out.data(), count);
  lanes::report("stateLift", out);
  const auto bits = calls.host();
  const auto from = start.host();
  lanes::check("stateLift", out.host() == lanes::expect<int>(count, [&](size_t i) {
                              return bits[i] ? serveCalls(bits[i], from[i]) : from[i];
                            }));
}

// Packets with a marker, a length and a checksum.

__global__ void statePackets(const unsigned char* stream, int stride, unsigned int* accepted,
                             int* lost, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const unsigned char* p = stream + i * stride;
  const unsigned char* const end = p + stride;
  unsigned int good = 0;
  int bad = 0;
resync:
  while (p < end && *p != 0x7e)
    ++p;
  if (p + 3 >= end)
    goto done;
  {
    int length = p[1] & 31;
    if (length == 0 || p + 2 + length >= end) {
      ++p;
      ++bad;
      goto resync;
    }
    unsigned int sum = length;
    for (int k = 0; k < length; ++k) {
      if (p[2 + k] == 0x7e) {
        p += 2 + k;
        ++bad;
        goto resync;
      }
      sum += p[2 + k] * (k + 1);
    }
    if ((sum & 0xff) != p[2 + length]) {
      ++bad;
      p += 2;
    } else {
      good = good * 31 + sum;
      p += 3 + length;
    }
  }
  goto resync;
done:
  accepted[i] = good;
  lost[i] = bad;
}

void runPackets() {
  lanes::Random random(7);
  const int count = 3072, stride = 160;
  std::vector<unsigned char> stream(count * stride);
  for (auto& byte : stream)
    byte = static_cast<unsigned char>(random.below(0x7e));
  for (int i = 0; i < count; ++i)
    for (int at = random.below(20); at + 36 < stride;) {
      unsigned char* p = &stream[i * stride + at];
      const int length = random.between(1, 24);
      unsigned sum = length;
      p[0] = 0x7e, p[1] = static_cast<unsigned char>(length);
      for (int k = 0; k < length; ++k)
        sum += p[2 + k] * (k + 1);
      p[2 + length] = static_cast<unsigned char>(random.below(8) ? sum : sum + 1);
      at += length + 3 + (random.below(3) ? 0 : random.below(12));
    }
  lanes::Buffer<unsigned char> in(stream);
  lanes::Buffer<unsigned int> accepted(count);
  lanes::Buffer<int> lost(count);
  statePackets<<<count / 64, 64>>>(in.data(), stride, accepted.data(), lost.data(), count);
  lanes::report("statePackets", accepted);
}

// Figures of a game: patrol, chase, attack, flee, dead.

struct Figure {
  float x, y, health;
  int state, timer;
};

__global__ void stateFigures(Figure* figures, const float2* waypoints, int points, int steps,
                             int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  enum { Patrol, Chase, Attack, Flee, Dead };
  Figure f = figures[id];
  float px = 0.0f, py = 0.0f;
  int target = id % points;
  for (int step = 0; step < steps && f.state != Dead; ++step) {
    px += 0.25f;
    py += (step & 8) ? 0.125f : -0.125f;
    float dx = px - f.x, dy = py - f.y;
    float distance = sqrtf(dx * dx + dy * dy);
    switch (f.state) {
    case Patrol: {
      float2 w = waypoints[target];
      float wx = w.x - f.x, wy = w.y - f.y;
      float d = sqrtf(wx * wx + wy * wy);
      if (d < 0.5f) {
        target = (target + 1) % points;
      } else {
        f.x += 0.4f * wx / d;
        f.y += 0.4f * wy / d;
      }
      if (distance < 6.0f)
        f.state = Chase;
      break;
    }
    case Chase:
      if (distance > 9.0f) {
        f.state = Patrol;
      } else if (distance < 1.0f) {
        f.state = Attack;
        f.timer = 3;
      } else {
        f.x += 0.5f * dx / distance;
        f.y += 0.5f * dy / distance;
      }
      break;
    case Attack:
      f.health -= 7.5f;
      if (f.health <= 0.0f)
        f.state = Dead;
      else if (f.health < 20.0f)
        f.state = Flee;
      else if (--f.timer == 0)
        f.state = Chase;
      break;
    case Flee:
      if (distance > 0.001f) {
        f.x -= 0.6f * dx / distance;
        f.y -= 0.6f * dy / distance;
      }
      f.health += 0.5f;
      if (distance > 12.0f)
        f.state = Patrol;
      break;
    }
  }
  figures[id] = f;
}

void runFigures() {
  lanes::Random random(9);
  const int count = 4096;
  lanes::Buffer<Figure> figures(count, [&](size_t) {
    return Figure{random.within(-10, 40), random.within(-15, 15), random.within(5, 100), 0, 0};
  });
  lanes::Buffer<float2> waypoints(
      16, [&](size_t) { return float2{random.within(-10, 40), random.within(-15, 15)}; });
  stateFigures<<<count / 256, 256>>>(figures.data(), waypoints.data(), 16, 100, count);
  const auto after = figures.host();
  lanes::Buffer<float> health(count, [&](size_t i) { return after[i].health; });
  lanes::report("stateFigures", health);
}

// A connection and its events: a switch in a switch.

enum Event : unsigned char {
  EvOpen,
  EvListen,
  EvSyn,
  EvSynAck,
  EvAck,
  EvFin,
  EvClose,
  EvTimeout,
  EvReset
};

__device__ int nextConnection(int state, Event e) {
  enum {
    Closed,
    Listen,
    SynSent,
    SynReceived,
    Established,
    FinWait1,
    FinWait2,
    Closing,
    TimeWait,
    CloseWait,
    LastAck
  };
  if (e == EvReset)
    return Closed;
  switch (state) {
  case Closed:
    switch (e) {
    case EvOpen:
      return SynSent;
    case EvListen:
      return Listen;
    default:
      return Closed;
    }
  case Listen:
    if (e == EvSyn)
      return SynReceived;
    return e == EvClose ? Closed : Listen;
  case SynSent:
    switch (e) {
    case EvSynAck:
      return Established;
    case EvSyn:
      return SynReceived;
    case EvTimeout:
    case EvClose:
      return Closed;
    default:
      return SynSent;
    }
  case SynReceived:
    return e == EvAck ? Established : e == EvClose ? FinWait1 : SynReceived;
  case Established:
    return e == EvFin ? CloseWait : e == EvClose ? FinWait1 : Established;
  case FinWait1:
    if (e == EvFin)
      return Closing;
    return e == EvAck ? FinWait2 : FinWait1;
  case FinWait2:
    return e == EvFin ? TimeWait : FinWait2;
  case Closing:
    return e == EvAck ? TimeWait : Closing;
  case TimeWait:
    return e == EvTimeout ? Closed : TimeWait;
  case CloseWait:
    return e == EvClose ? LastAck : CloseWait;
  case LastAck:
    return e == EvAck ? Closed : LastAck;
  }
  return Closed;
}

__global__ void stateConnections(const unsigned char* events, int each, unsigned int* visits,
                                 int* finalState) {
  __shared__ unsigned int seen[11];
  if (threadIdx.x < 11)
    seen[threadIdx.x] = 0;
  __syncthreads();
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int state = 0;
  for (int k = 0; k < each; ++k) {
    int before = state;
    state = nextConnection(state, (Event)events[id * each + k]);
    if (state != before)
      atomicAdd(&seen[state], 1u);
  }
  finalState[id] = state;
  __syncthreads();
  if (threadIdx.x < 11)
    atomicAdd(&visits[threadIdx.x], seen[threadIdx.x]);
}

void runConnections() {
  lanes::Random random(10);
  const int count = 2048, each = 64;
  lanes::Buffer<unsigned char> events(count * each, [&](size_t) {
    const int e = random.below(33);
    return static_cast<unsigned char>(e == 32 ? EvReset : e & 7);
  });
  lanes::Buffer<unsigned int> visits(11);
  lanes::Buffer<int> last(count);
  stateConnections<<<count / 128, 128>>>(events.data(), each, visits.data(), last.data());
  lanes::report("stateConnections", visits);
}

// Small Turing machines on a tape of 64 cells.

__host__ __device__ int runTuring(unsigned int program, int limit) {
  unsigned long long tape = 0;
  int head = 32, state = 0, steps = 0;
  while (steps < limit) {
    int symbol = (int)(tape >> head & 1);
    // Four rules of five bits: write, right, next state (two bits), halt.
    unsigned int rule = program >> ((state & 1) * 10 + symbol * 5) & 31u;
    if (rule & 1)
      tape |= 1ull << head;
    else
      tape &= ~(1ull << head);
    head += rule & 2 ? 1 : -1;
    ++steps;
    if (head < 0 || head > 63)
      return -steps;
    if ((rule & 24) == 24)
      break;
    state = rule >> 2 & 1;
  }
  int ones = 0;
  for (; tape; tape &= tape - 1)
    ++ones;
  return steps * 100 + ones;
}

__global__ void stateTuring(int* score, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  score[i] = runTuring((unsigned int)i * 2654435761u >> 8, limit);
}

void runTuringMachines() {
  const int count = 4096;
  lanes::Buffer<int> score(count);
  stateTuring<<<count / 64, 64>>>(score.data(), 150);
  lanes::report("stateTuring", score);
  lanes::check("stateTuring", score.host() == lanes::expect<int>(count, [](size_t i) {
                                return runTuring((unsigned int)i * 2654435761u >> 8, 150);
                              }));
}

// Traffic lights of a town: all on the same clock.

__global__ void stateTrafficLights(const int* phase, int* passed, int ticks, int count) {
  int crossing = blockIdx.x * blockDim.x + threadIdx.x;
  if (crossing >= count)
    return;
  int light = 0, left = 20 + phase[crossing], queue = 0, through = 0;
  for (int t = 0; t < ticks; ++t) {
    queue += (t & 3) == 0;
    if (light == 0) {
      if (queue > 0) {
        --queue;
        ++through;
      }
    } else if (light == 1 && queue > 5) {
      queue -= 2;
      through += 2;
    }
    if (--left == 0) {
      light = light == 2 ? 0 : light + 1;
      left = light == 0 ? 20 : light == 1 ? 4 : 24;
    }
  }
  passed[crossing] = through * 100 + queue;
}

void runTrafficLights() {
  lanes::Random random(12);
  const int count = 4000;
  lanes::Buffer<int> phase(count, [&](size_t i) { return static_cast<int>(i / 64 % 5); }),
      passed(count);
  stateTrafficLights<<<blocksFor(count), threads>>>(phase.data(), passed.data(), 200, count);
  lanes::report("stateTrafficLights", passed);
}

} // namespace

int main() {
  runTokenizer();
  runCsv();
  runUtf8();
  runVending();
  runSerial();
  runLift();
  runPackets();
  runJson();
  runFigures();
  runConnections();
  runComments();
  runTuringMachines();
  runTrafficLights();
  return lanes::status();
}
