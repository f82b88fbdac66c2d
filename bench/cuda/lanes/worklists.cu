// SPDX-License-Identifier: Apache-2.0
//
// Lists of work: queues fed and emptied with atomics, frontiers, stacks and heaps of a thread's
// own, loops that take work until there is none. Nothing waits for another block.
#include "lanes.cuh"

#include <algorithm>
#include <utility>

__host__ __device__ inline int collatzLength(unsigned long long n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}

// Every thread takes one item after the other.
__global__ void workTake(const unsigned* items, int count, int* head, int* results) {
  int i;
  while ((i = atomicAdd(head, 1)) < count)
    results[i] = collatzLength(items[i]);
}

__device__ float settle(float x, float rate) {
  float last = -1.0f;
  int turn = 0;
  for (; turn < 60 && fabsf(x - last) > 1e-4f; ++turn) {
    last = x;
    x = rate * x * (1.0f - x);
  }
  return x + turn;
}

// A warp takes 32 items at a time.
__global__ void workTakeWarp(const float* rates, int count, int* head, float* results) {
  const int lane = threadIdx.x % 32;
  for (;;) {
    int base = 0;
    if (lane == 0)
      base = atomicAdd(head, 32);
    base = __shfl_sync(0xffffffffu, base, 0);
    if (base >= count)
      break;
    const int i = base + lane;
    if (i < count)
      results[i] = settle(0.3f, rates[i]);
  }
}

// A block takes a batch, and all its threads work on it until none is left.
__global__ void workTakeBlock(const int* lengths, int count, int* head, unsigned* hashes) {
  __shared__ int base;
  while (true) {
    if (threadIdx.x == 0)
      base = atomicAdd(head, blockDim.x * 2);
    __syncthreads();
    const int start = base;
    __syncthreads();
    if (start >= count)
      return;
    for (int i = start + threadIdx.x; i < min(start + 2 * int(blockDim.x), count);
         i += blockDim.x) {
      unsigned h = i;
      for (int k = 0; k < lengths[i]; ++k) {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
        if ((h & 0xff) == 0)
          break;
      }
      hashes[i] = h;
    }
  }
}

__global__ void workExpand(const int* first, const int* edges, const int* frontier, int size,
                           int* visited, int* next, int* nextSize) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int v = frontier[i];
  for (int e = first[v]; e < first[v + 1]; e++) {
    int u = edges[e];
    if (visited[u])
      continue;
    if (atomicExch(&visited[u], 1) == 0) {
      int at = atomicAdd(nextSize, 1);
      next[at] = u;
    }
  }
}

// The same with a queue of the block in shared memory, which overflows into the global one.
__global__ void workExpandShared(const int* first, const int* edges, const int* frontier, int size,
                                 int* visited, int* next, int* nextSize) {
  constexpr int kRoom = 192;
  __shared__ int queue[kRoom];
  __shared__ int used, base;
  if (threadIdx.x == 0)
    used = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    const int v = frontier[i];
    for (int e = first[v]; e < first[v + 1]; ++e) {
      const int u = edges[e];
      if (visited[u] != 0 || atomicCAS(&visited[u], 0, 1) != 0)
        continue;
      const int slot = atomicAdd(&used, 1);
      if (slot < kRoom)
        queue[slot] = u;
      else
        next[atomicAdd(nextSize, 1)] = u;
    }
  }
  __syncthreads();
  const int kept = min(used, kRoom);
  if (threadIdx.x == 0)
    base = atomicAdd(nextSize, kept);
  __syncthreads();
  for (int k = threadIdx.x; k < kept; k += blockDim.x)
    next[base + k] = queue[k];
}

struct Job {
  int low, high;
};

// Ranges whose ends differ in a step function are halved; a stack holds the rest.
__host__ __device__ inline int countSteps(unsigned seed, int high) {
  Job stack[20];
  int top = 0, steps = 0;
  stack[top++] = {0, high};
  while (top > 0) {
    const Job job = stack[--top];
    const unsigned a = (job.low * seed) >> 22, b = (job.high * seed) >> 22;
    if (a == b)
      continue;
    if (job.high - job.low <= 1) {
      ++steps;
      continue;
    }
    const int middle = (job.low + job.high) / 2;
    if (top + 2 > 20)
      return -1;
    stack[top++] = {job.low, middle};
    stack[top++] = {middle, job.high};
  }
  return steps;
}

__global__ void workStack(const unsigned* seeds, int count, int* steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    steps[i] = countSteps(seeds[i], 16 + (seeds[i] & 31));
}

// Shortest way out of an 8 by 8 maze, with a ring for the squares to look at.
__host__ __device__ inline int escapeMaze(unsigned long long walls) {
  unsigned char ring[64], depth[64];
  int head = 0, tail = 0;
  unsigned long long seen = walls | 1;
  ring[tail++] = 0;
  depth[0] = 0;
  while (head != tail) {
    const int at = ring[head++];
    if (at == 63)
      return depth[at];
    for (int d = 0; d < 4; ++d) {
      int to = -1;
      switch (d) {
      case 0:
        if (at % 8 < 7)
          to = at + 1;
        break;
      case 1:
        if (at < 56)
          to = at + 8;
        break;
      case 2:
        if (at % 8 > 0)
          to = at - 1;
        break;
      case 3:
        if (at >= 8)
          to = at - 8;
        break;
      }
      if (to < 0 || (seen >> to & 1))
        continue;
      seen |= 1ull << to;
      depth[to] = depth[at] + 1;
      ring[tail++] = to;
    }
  }
  return -1;
}

__global__ void workMaze(const unsigned long long* mazes, int count, int* lengths) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  lengths[i] = escapeMaze(mazes[i]);
}

// Shortest paths, one round: nodes of the bucket lower the distances of their neighbours.
__global__ void workRelax(int nodes, const int* first, const int* edges, const int* weights,
                          const int* distance, int* lowered, int low, int high) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < nodes; v += gridDim.x * blockDim.x) {
    const int mine = distance[v];
    if (mine < low || mine >= high)
      continue;
    for (int e = first[v]; e < first[v + 1]; ++e) {
      const int through = mine + weights[e];
      if (through < distance[edges[e]])
        atomicMin(&lowered[edges[e]], through);
    }
  }
}

__device__ int findRoot(int* parent, int v) {
  int at = parent[v];
  while (at != v) {
    const int up = parent[at];
    if (up < at)
      parent[v] = up;
    v = at;
    at = up;
  }
  return v;
}

// Joins the components of an edge's ends. The smallest node of a component is its root.
__global__ void workUnion(const int2* pairs, int count, int* parent) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count)
    return;
  int a = pairs[e].x, b = pairs[e].y;
  bool joined;
  do {
    a = findRoot(parent, a);
    b = findRoot(parent, b);
    joined = true;
    if (a < b) {
      const int before = atomicCAS(&parent[b], b, a);
      joined = before == b;
      b = before;
    } else if (b < a) {
      const int before = atomicCAS(&parent[a], a, b);
      joined = before == a;
      a = before;
    }
  } while (!joined);
}

// Lanes keep what passes a test; a warp takes its room in the list at once.
__global__ void workKeep(const float* values, int count, float limit, float* kept, int* keptCount) {
  const int lane = threadIdx.x & 31;
  const int stride = gridDim.x * blockDim.x;
  const int turns = (count + stride - 1) / stride;
  for (int turn = 0; turn < turns; ++turn) {
    const int i = turn * stride + blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;
    bool keep = false;
    if (i < count) {
      value = values[i];
      if (value > 0.0f)
        keep = sqrtf(value) < limit;
      else
        keep = value > -limit && sinf(value) < -0.5f;
    }
    const unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (votes == 0)
      continue;
    int base = 0;
    if (lane == __ffs(votes) - 1)
      base = atomicAdd(keptCount, __popc(votes));
    base = __shfl_sync(0xffffffffu, base, __ffs(votes) - 1);
    if (keep)
      kept[base + __popc(votes & ((1u << lane) - 1))] = value;
  }
}

struct Event {
  int time;
  int kind;
};

__device__ void heapPush(Event* heap, int& size, Event event) {
  int at = size++;
  while (at > 0) {
    int up = (at - 1) / 2;
    if (heap[up].time <= event.time)
      break;
    heap[at] = heap[up];
    at = up;
  }
  heap[at] = event;
}

__device__ Event heapPop(Event* heap, int& size) {
  Event top = heap[0], last = heap[--size];
  int at = 0;
  for (;;) {
    int child = 2 * at + 1;
    if (child >= size)
      break;
    if (child + 1 < size && heap[child + 1].time < heap[child].time)
      child++;
    if (heap[child].time >= last.time)
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return top;
}

// A shop with two tills, event by event: arrivals and departures.
__global__ void workEvents(const unsigned* seeds, int count, int2* results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned random = seeds[i];
  Event heap[16];
  int size = 0, waiting = 0, freeTills = 2, served = 0, longest = 0;
  heapPush(heap, size, {static_cast<int>(random >> 28), 0});
  while (size > 0) {
    Event event = heapPop(heap, size);
    if (event.time > 200)
      break;
    random = random * 1664525u + 1013904223u;
    switch (event.kind) {
    case 0:
      heapPush(heap, size, {event.time + 1 + static_cast<int>(random >> 28), 0});
      waiting++;
      longest = max(longest, waiting);
      break;
    case 1:
      freeTills++;
      served++;
      break;
    }
    if (waiting > 0 && freeTills > 0) {
      waiting--;
      freeTills--;
      heapPush(heap, size, {event.time + 3 + static_cast<int>(random >> 8 & 15), 1});
    }
  }
  results[i] = make_int2(served, longest);
}

// Finished tasks free those that wait for them; free ones go to the list.
__global__ void workRelease(const int* finished, int count, const int* first, const int* waiters,
                            int* pending, const unsigned char* cancelled, int* ready,
                            int* readyCount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int task = finished[i];
  if (cancelled[task])
    return;
  int e = first[task];
  const int end = first[task + 1];
  while (e != end) {
    const int waiter = waiters[e++];
    if (atomicSub(&pending[waiter], 1) != 1)
      continue;
    if (cancelled[waiter])
      continue;
    ready[atomicAdd(readyCount, 1)] = waiter;
  }
}

// Sieve: each thread starts with a few candidates, and strikes out until all are decided.
__global__ void workCandidates(unsigned from, int perThread, int* primes) {
  unsigned list[8];
  unsigned start = from + (blockIdx.x * blockDim.x + threadIdx.x) * perThread;
  int left = 0, found = 0;
  for (int k = 0; k < perThread; k++)
    if ((start + k) & 1)
      list[left++] = start + k;
  for (unsigned d = 3; left > 0; d += 2) {
    for (int k = 0; k < left;) {
      unsigned n = list[k];
      if (d * d > n) {
        found++;
        list[k] = list[--left];
      } else if (n % d == 0)
        list[k] = list[--left];
      else
        k++;
    }
  }
  if (found)
    atomicAdd(primes, found);
}

struct Graph {
  std::vector<int> first = {0}, edges, weights;
};

static Graph makeGraph(int nodes, uint64_t seed) {
  lanes::Random random(seed);
  Graph graph;
  for (int v = 0; v < nodes; ++v) {
    for (int e = random.below(16) ? random.below(7) : random.below(50); e > 0; --e) {
      graph.edges.push_back(random.below(nodes));
      graph.weights.push_back(random.between(1, 30));
    }
    graph.first.push_back(int(graph.edges.size()));
  }
  return graph;
}

template <class T> void reportSorted(const char* name, std::vector<T> list, int count) {
  list.resize(count);
  std::sort(list.begin(), list.end());
  lanes::report(name, lanes::Buffer<T>(list));
}

static void runQueues() {
  lanes::Random random(31);
  const int count = 6000;
  const std::vector<unsigned> numbers =
      lanes::expect<unsigned>(count, [&](size_t) { return unsigned(random.between(1, 60000)); });
  const lanes::Buffer<unsigned> items(numbers);
  lanes::Buffer<int> head(1), lengths(count);
  workTake<<<32, 64>>>(items.data(), count, head.data(), lengths.data());
  lanes::report("workTake", lengths);
  lanes::check("workTake", lengths.host() == lanes::expect<int>(count, [&](size_t i) {
                             return collatzLength(numbers[i]);
                           }));

  const lanes::Buffer<float> rates(count, [&](size_t) { return random.within(0.5f, 3.2f); });
  lanes::Buffer<int> warpHead(1);
  lanes::Buffer<float> settled(count);
  workTakeWarp<<<16, 128>>>(rates.data(), count, warpHead.data(), settled.data());
  lanes::report("workTakeWarp", settled);

  const lanes::Buffer<int> turns(
      count, [&](size_t) { return random.below(8) ? random.below(20) : random.below(200); });
  lanes::Buffer<int> blockHead(1);
  lanes::Buffer<unsigned> hashes(count);
  workTakeBlock<<<16, 128>>>(turns.data(), count, blockHead.data(), hashes.data());
  lanes::report("workTakeBlock", hashes);
}

static void runGraphs() {
  lanes::Random random(32);
  const int nodes = 6000;
  const Graph graph = makeGraph(nodes, 33);
  const lanes::Buffer<int> first(graph.first), edges(graph.edges), weights(graph.weights);
  std::vector<int> start, seen(nodes);
  for (int v = 0; v < nodes; ++v)
    if (random.below(3) == 0) {
      start.push_back(v);
      seen[v] = 1;
    } else
      seen[v] = random.below(4) == 0;
  std::vector<int> reached = seen;
  int fresh = 0;
  for (const int v : start)
    for (int e = graph.first[v]; e < graph.first[v + 1]; ++e)
      fresh += !std::exchange(reached[graph.edges[e]], 1);
  const lanes::Buffer<int> frontier(start);
  const int size = int(start.size()), blocks = (size + 127) / 128;
  lanes::Buffer<int> visited(seen), next(nodes), nextSize(1);
  workExpand<<<blocks, 128>>>(first.data(), edges.data(), frontier.data(), size, visited.data(),
                              next.data(), nextSize.data());
  reportSorted("workExpand", next.host(), nextSize.host()[0]);
  lanes::check("workExpand", visited.host() == reached && nextSize.host()[0] == fresh);

  lanes::Buffer<int> visitedToo(seen), nextToo(nodes), sizeToo(1);
  workExpandShared<<<blocks, 128>>>(first.data(), edges.data(), frontier.data(), size,
                                    visitedToo.data(), nextToo.data(), sizeToo.data());
  reportSorted("workExpandShared", nextToo.host(), sizeToo.host()[0]);
  lanes::check("workExpandShared", visitedToo.host() == reached && sizeToo.host()[0] == fresh);

  const lanes::Buffer<int> distance(nodes, [&](size_t) { return random.below(100); });
  lanes::Buffer<int> lowered(distance.host());
  workRelax<<<16, 128>>>(nodes, first.data(), edges.data(), weights.data(), distance.data(),
                         lowered.data(), 20, 55);
  lanes::report("workRelax", lowered);

  std::vector<int2> pairs;
  for (int e = 0; e < 4096; ++e)
    pairs.push_back(make_int2(random.below(nodes), random.below(nodes)));
  std::vector<int> own(nodes);
  for (int v = 0; v < nodes; ++v)
    own[v] = v;
  const lanes::Buffer<int2> ends(pairs);
  lanes::Buffer<int> parent(own);
  workUnion<<<32, 128>>>(ends.data(), int(pairs.size()), parent.data());
  const auto roots = [&](std::vector<int> up) {
    return lanes::expect<int>(nodes, [&](size_t v) {
      int at = int(v);
      while (up[at] != at)
        at = up[at];
      return at;
    });
  };
  std::vector<int> expected = own;
  for (const int2 pair : pairs) {
    int a = pair.x, b = pair.y;
    while (expected[a] != a)
      a = expected[a];
    while (expected[b] != b)
      b = expected[b];
    expected[std::max(a, b)] = std::min(a, b);
  }
  lanes::report("workUnion", lanes::Buffer<int>(roots(parent.host())));
  lanes::check("workUnion", roots(parent.host()) == roots(expected));

  std::vector<int> waits(nodes);
  for (const int u : graph.edges)
    ++waits[u];
  for (int& wait : waits)
    wait = std::max(1, wait / 3);
  const lanes::Buffer<unsigned char> cancelled(
      nodes, [&](size_t) { return static_cast<unsigned char>(random.below(10) == 0); });
  lanes::Buffer<int> pending(waits), ready(nodes), readyCount(1);
  workRelease<<<blocks, 128>>>(frontier.data(), size, first.data(), edges.data(), pending.data(),
                               cancelled.data(), ready.data(), readyCount.data());
  reportSorted("workRelease", ready.host(), readyCount.host()[0]);
}

static void runOwnLists() {
  lanes::Random random(34);
  const int count = 4096, blocks = count / 128;
  const std::vector<unsigned> numbers =
      lanes::expect<unsigned>(count, [&](size_t) { return random.next(); });
  const lanes::Buffer<unsigned> seeds(numbers);
  lanes::Buffer<int> steps(count);
  workStack<<<blocks, 128>>>(seeds.data(), count, steps.data());
  lanes::report("workStack", steps);
  lanes::check("workStack", steps.host() == lanes::expect<int>(count, [&](size_t i) {
                              return countSteps(numbers[i], 16 + int(numbers[i] & 31));
                            }));

  const std::vector<unsigned long long> walls =
      lanes::expect<unsigned long long>(count, [&](size_t) {
        unsigned long long maze = 0;
        for (int square = 1; square < 63; ++square)
          maze |= static_cast<unsigned long long>(random.below(10) < 3) << square;
        return maze;
      });
  const lanes::Buffer<unsigned long long> mazes(walls);
  lanes::Buffer<int> lengths(count);
  workMaze<<<blocks, 128>>>(mazes.data(), count, lengths.data());
  lanes::report("workMaze", lengths);
  lanes::check("workMaze", lengths.host() == lanes::expect<int>(count, [&](size_t i) {
                             return escapeMaze(walls[i]);
                           }));

  const lanes::Buffer<float> values(10000, [&](size_t) { return random.within(-9.0f, 60.0f); });
  lanes::Buffer<float> kept(10000);
  lanes::Buffer<int> keptCount(1);
  workKeep<<<16, 128>>>(values.data(), 10000, 4.5f, kept.data(), keptCount.data());
  reportSorted("workKeep", kept.host(), keptCount.host()[0]);

  lanes::Buffer<int2> results(2500);
  workEvents<<<(2500 + 63) / 64, 64>>>(seeds.data(), 2500, results.data());
  lanes::report("workEvents", results);

  lanes::Buffer<int> primes(1);
  workCandidates<<<16, 128>>>(20000, 7, primes.data());
  lanes::report("workCandidates", primes);
  int expected = 0;
  for (unsigned n = 20000; n < 20000 + 16 * 128 * 7; ++n) {
    unsigned d = 2;
    while (d * d <= n && n % d)
      ++d;
    expected += d * d > n;
  }
  lanes::check("workCandidates", primes.host()[0] == expected);
}

int main() {
  runQueues();
  runGraphs();
  runOwnLists();
  return lanes::status();
}
