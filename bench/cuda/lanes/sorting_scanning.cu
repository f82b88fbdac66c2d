// SPDX-License-Identifier: Apache-2.0
//
// Sorts of a thread's own list and of a block's, merges, scans, reductions, histograms, compaction.
#include "lanes.cuh"

#include <algorithm>
#include <numeric>

// A list for each thread, interleaved so that neighbours read neighbours.
__global__ void sortInsertion(int* data, const int* lengths, int lists) {
  const int list = blockIdx.x * blockDim.x + threadIdx.x;
  if (list >= lists)
    return;
  const int n = lengths[list];
  for (int i = 1; i < n; ++i) {
    const int value = data[i * lists + list];
    int j = i - 1;
    while (j >= 0 && data[j * lists + list] > value) {
      data[(j + 1) * lists + list] = data[j * lists + list];
      --j;
    }
    data[(j + 1) * lists + list] = value;
  }
}

struct Record {
  float score;
  int id;
};

__host__ __device__ inline bool before(const Record& a, const Record& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

// Records by score, best first, ties by number.
__global__ void sortShell(Record* records, const int* start, int lists) {
  int list = blockIdx.x * blockDim.x + threadIdx.x;
  if (list >= lists)
    return;
  Record* a = records + start[list];
  int n = start[list + 1] - start[list];
  int gap = 1;
  while (gap < n / 3)
    gap = gap * 3 + 1;
  for (; gap > 0; gap /= 3)
    for (int i = gap; i < n; i++) {
      Record moving = a[i];
      int j;
      for (j = i; j >= gap; j -= gap) {
        if (!before(moving, a[j - gap]))
          break;
        a[j] = a[j - gap];
      }
      a[j] = moving;
    }
}

// A block sorts 256 keys; what is missing is filled up with the largest key.
__global__ void sortBitonic(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned keys[256];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  keys[t] = i < n ? in[i] : 0xffffffffu;
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned partner = t ^ stride;
      if (partner > t) {
        const bool up = (t & size) == 0;
        if ((keys[t] > keys[partner]) == up) {
          const unsigned keep = keys[t];
          keys[t] = keys[partner];
          keys[partner] = keep;
        }
      }
      __syncthreads();
    }
  if (i < n)
    out[i] = keys[t];
}

// Neighbours change places until a whole turn changes nothing.
__global__ void sortOddEven(int* data, const int* lengths, int* turns) {
  __shared__ int a[128];
  int n = lengths[blockIdx.x];
  int t = threadIdx.x;
  int* mine = data + blockIdx.x * 128;
  if (t < n)
    a[t] = mine[t];
  __syncthreads();
  int turn = 0;
  int quiet = 0;
  while (quiet < 2) {
    int changed = 0;
    int left = 2 * t + (turn & 1);
    if (left + 1 < n && a[left] > a[left + 1]) {
      int keep = a[left];
      a[left] = a[left + 1];
      a[left + 1] = keep;
      changed = 1;
    }
    quiet = __syncthreads_or(changed) ? 0 : quiet + 1;
    turn++;
  }
  if (t < n)
    mine[t] = a[t];
  if (t == 0)
    turns[blockIdx.x] = turn;
}

// Each thread finds its place on the merge path, and merges a few elements from there.
__global__ void sortMergePath(const int* a, int na, const int* b, int nb, int perThread, int* out) {
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * perThread;
  if (diagonal >= na + nb)
    return;
  int low = max(0, diagonal - nb), high = min(diagonal, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  int i = low, j = diagonal - low;
  for (int k = 0; k < perThread && diagonal + k < na + nb; ++k) {
    if (j >= nb || (i < na && a[i] <= b[j]))
      out[diagonal + k] = a[i++];
    else
      out[diagonal + k] = b[j++];
  }
}

// One pass of a radix sort in a block of 128: a vote of each warp, and their counts.
__global__ void sortRadixSplit(const unsigned* in, unsigned* out, int bit) {
  __shared__ int zeros[4];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const unsigned key = in[blockIdx.x * 128 + t];
  const bool one = key >> bit & 1;
  const unsigned votes = __ballot_sync(0xffffffffu, one);
  if (lane == 0)
    zeros[warp] = 32 - __popc(votes);
  __syncthreads();
  int zerosBefore = 0, allZeros = 0;
  for (int w = 0; w < 4; ++w) {
    if (w < warp)
      zerosBefore += zeros[w];
    allZeros += zeros[w];
  }
  const int onesBelow = __popc(votes & ((1u << lane) - 1));
  int place;
  if (one)
    place = allZeros + warp * 32 - zerosBefore + onesBelow;
  else
    place = zerosBefore + lane - onesBelow;
  out[blockIdx.x * 128 + place] = key;
}

__host__ __device__ inline int selectKth(int* a, int n, int k) {
  int low = 0, high = n - 1;
  while (low < high) {
    const int pivot = a[(low + high) / 2];
    int i = low, j = high;
    do {
      while (a[i] < pivot)
        ++i;
      while (pivot < a[j])
        --j;
      if (i <= j) {
        const int keep = a[i];
        a[i] = a[j];
        a[j] = keep;
        ++i;
        --j;
      }
    } while (i <= j);
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return a[k];
}

// The median of the valid ones among each thread's samples.
__global__ void sortMedian(const int* samples, int perThread, int threads, int* medians) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads)
    return;
  int list[24];
  int n = 0;
  for (int k = 0; k < perThread; k++) {
    int sample = samples[t * perThread + k];
    if (sample < 0)
      continue;
    list[n++] = sample;
  }
  medians[t] = n == 0 ? -1 : selectKth(list, n, n / 2);
}

// Inclusive, in log steps.
__global__ void scanHillisSteele(const int* in, int* out, int n) {
  __shared__ int sums[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int from = 0;
  sums[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset <<= 1) {
    if (t >= offset)
      sums[1 - from][t] = sums[from][t] + sums[from][t - offset];
    else
      sums[1 - from][t] = sums[from][t];
    from = 1 - from;
    __syncthreads();
  }
  if (i < n)
    out[i] = sums[from][t];
}

// Exclusive, up and down a tree; a thread has two elements.
__global__ void scanBlelloch(const float* in, float* out, int n) {
  __shared__ float tree[256];
  const int t = threadIdx.x;
  const int base = blockIdx.x * 256;
  tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0.0f;
  tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0.0f;
  int offset = 1;
  for (int active = 128; active > 0; active >>= 1) {
    __syncthreads();
    if (t < active)
      tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0)
    tree[255] = 0.0f;
  for (int active = 1; active < 256; active *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < active) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const float keep = tree[left];
      tree[left] = tree[right];
      tree[right] += keep;
    }
  }
  __syncthreads();
  if (base + 2 * t < n)
    out[base + 2 * t] = tree[2 * t];
  if (base + 2 * t + 1 < n)
    out[base + 2 * t + 1] = tree[2 * t + 1];
}

// Sums of segments that start where a flag is set, within a warp.
__global__ void scanSegments(const double* in, const unsigned char* heads, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  double sum = i < n ? in[i] : 0.0;
  bool head = i >= n || heads[i] || lane == 0;
  const unsigned starts = __ballot_sync(0xffffffffu, head) & (0xffffffffu >> (31 - lane));
  const int first = 31 - __clz(starts);
  for (int offset = 1; offset < 32; offset *= 2) {
    const double other = __shfl_up_sync(0xffffffffu, sum, offset);
    if (lane - offset >= first)
      sum += other;
  }
  if (i < n)
    out[i] = sum;
}

// The largest value of a block and where it stands; the smaller place wins.
__global__ void reduceArgmax(const float* in, int n, int perThread, float* best, int* where) {
  __shared__ float values[128];
  __shared__ int places[128];
  int t = threadIdx.x;
  float value = -1e30f;
  int place = -1;
  for (int k = 0; k < perThread; k++) {
    int i = (blockIdx.x * perThread + k) * blockDim.x + t;
    if (i >= n)
      break;
    if (in[i] > value) {
      value = in[i];
      place = i;
    }
  }
  values[t] = value;
  places[t] = place;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      if (values[t + half] > values[t] ||
          (values[t + half] == values[t] && places[t + half] < places[t])) {
        values[t] = values[t + half];
        places[t] = places[t + half];
      }
    }
    __syncthreads();
  }
  if (t == 0) {
    best[blockIdx.x] = values[0];
    where[blockIdx.x] = places[0];
  }
}

// A histogram in shared memory; bins of unequal width are found by bisection.
__global__ void reduceHistogram(const float* in, int n, const float* edges, int bins, int* counts,
                                int* outside) {
  __shared__ int local[64];
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float value = in[i];
    if (!(value >= edges[0] && value < edges[bins])) {
      atomicAdd(outside, 1);
      continue;
    }
    int low = 0, high = bins;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (value < edges[middle])
        high = middle;
      else
        low = middle;
    }
    atomicAdd(&local[low], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    if (local[b] > 0)
      atomicAdd(&counts[b], local[b]);
}

// Packs what passes to the front of the block's part, in order.
__global__ void scanCompact(const int* in, int n, int* out, int* kept) {
  __shared__ int warpCounts[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  bool keep = false;
  if (i < n) {
    int v = in[i];
    keep = v % 3 == 0 || (v > 500 && v % 7 < 4);
  }
  unsigned votes = __ballot_sync(0xffffffffu, keep);
  if (lane == 0)
    warpCounts[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) {
      int count = warpCounts[w];
      warpCounts[w] = sum;
      sum += count;
    }
    kept[blockIdx.x] = sum;
  }
  __syncthreads();
  if (keep) {
    int place = warpCounts[warp] + __popc(votes & ((1u << lane) - 1));
    out[blockIdx.x * blockDim.x + place] = in[i];
  }
}

static void runOwnSorts() {
  lanes::Random random(61);
  const int lists = 3000, room = 30;
  const std::vector<int> lengths =
      lanes::expect<int>(lists, [&](size_t) { return random.below(room + 1); });
  std::vector<int> data =
      lanes::expect<int>(lists * room, [&](size_t) { return random.between(-999, 999); });
  lanes::Buffer<int> columns(data);
  const lanes::Buffer<int> lengthBuffer(lengths);
  sortInsertion<<<(lists + 127) / 128, 128>>>(columns.data(), lengthBuffer.data(), lists);
  lanes::report("sortInsertion", columns);
  for (int list = 0; list < lists; ++list) {
    std::vector<int> own;
    for (int k = 0; k < lengths[list]; ++k)
      own.push_back(data[k * lists + list]);
    std::sort(own.begin(), own.end());
    for (int k = 0; k < lengths[list]; ++k)
      data[k * lists + list] = own[k];
  }
  lanes::check("sortInsertion", columns.host() == data);

  std::vector<int> start = {0};
  std::vector<Record> records;
  for (int list = 0; list < 2048; ++list) {
    for (int k = random.below(random.below(5) ? 20 : 60); k > 0; --k)
      records.push_back({float(random.below(40)) * 0.5f, int(records.size())});
    start.push_back(int(records.size()));
  }
  lanes::Buffer<Record> sorted(records);
  const lanes::Buffer<int> starts(start);
  sortShell<<<16, 128>>>(sorted.data(), starts.data(), 2048);
  lanes::report("sortShell", sorted);
  for (int list = 0; list < 2048; ++list)
    std::sort(records.begin() + start[list], records.begin() + start[list + 1], before);
  const std::vector<Record> found = sorted.host();
  lanes::check("sortShell", std::equal(found.begin(), found.end(), records.begin(),
                                       [](const Record& a, const Record& b) {
                                         return a.id == b.id && a.score == b.score;
                                       }));

  const int perThread = 21, threads = 3000;
  const std::vector<int> samples = lanes::expect<int>(
      perThread * threads, [&](size_t) { return random.below(3) ? random.below(1000) : -1; });
  const lanes::Buffer<int> sampleBuffer(samples);
  lanes::Buffer<int> medians(threads);
  sortMedian<<<(threads + 63) / 64, 64>>>(sampleBuffer.data(), perThread, threads, medians.data());
  lanes::report("sortMedian", medians);
  lanes::check("sortMedian", medians.host() == lanes::expect<int>(threads, [&](size_t t) {
                               std::vector<int> own;
                               for (int k = 0; k < perThread; ++k)
                                 if (samples[t * perThread + k] >= 0)
                                   own.push_back(samples[t * perThread + k]);
                               std::sort(own.begin(), own.end());
                               return own.empty() ? -1 : own[own.size() / 2];
                             }));
}

static void runBlockSorts() {
  lanes::Random random(62);
  const int n = 3900;
  const std::vector<unsigned> keys =
      lanes::expect<unsigned>(n, [&](size_t) { return random.next() >> 12; });
  const lanes::Buffer<unsigned> keyBuffer(keys);
  lanes::Buffer<unsigned> sorted(n);
  sortBitonic<<<(n + 255) / 256, 256>>>(keyBuffer.data(), sorted.data(), n);
  std::vector<unsigned> expected = keys;
  for (int at = 0; at < n; at += 256)
    std::sort(expected.begin() + at, expected.begin() + std::min(at + 256, n));
  lanes::report("sortBitonic", sorted);
  lanes::check("sortBitonic", sorted.host() == expected);

  lanes::Buffer<int> rows(32 * 128, [&](size_t i) {
    const int place = int(i % 128);
    return i / 128 % 2 ? place + random.below(9) : random.below(1000);
  });
  const lanes::Buffer<int> lengths(32, [&](size_t) { return random.between(3, 60); });
  lanes::Buffer<int> turns(32);
  sortOddEven<<<32, 64>>>(rows.data(), lengths.data(), turns.data());
  lanes::report("sortOddEven", rows);

  std::vector<int> a = lanes::expect<int>(9000, [&](size_t) { return random.below(5000); });
  std::vector<int> b = lanes::expect<int>(7777, [&](size_t) { return random.below(9000); });
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const lanes::Buffer<int> aBuffer(a), bBuffer(b);
  lanes::Buffer<int> merged(a.size() + b.size());
  const int threads = int(a.size() + b.size() + 6) / 7;
  sortMergePath<<<(threads + 127) / 128, 128>>>(aBuffer.data(), int(a.size()), bBuffer.data(),
                                                int(b.size()), 7, merged.data());
  std::vector<int> both(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin());
  lanes::report("sortMergePath", merged);
  lanes::check("sortMergePath", merged.host() == both);

  lanes::Buffer<unsigned> split(30 * 128);
  sortRadixSplit<<<30, 128>>>(keyBuffer.data(), split.data(), 5);
  std::vector<unsigned> parts;
  for (int block = 0; block < 30; ++block)
    for (unsigned bit = 0; bit < 2; ++bit)
      for (int t = 0; t < 128; ++t)
        if ((keys[block * 128 + t] >> 5 & 1) == bit)
          parts.push_back(keys[block * 128 + t]);
  lanes::report("sortRadixSplit", split);
  lanes::check("sortRadixSplit", split.host() == parts);
}

static void runScans() {
  lanes::Random random(63);
  const int n = 5000, blocks = (n + 255) / 256;
  const std::vector<int> values = lanes::expect<int>(n, [&](size_t) { return random.below(1000); });
  const lanes::Buffer<int> in(values);
  lanes::Buffer<int> sums(n);
  scanHillisSteele<<<blocks, 256>>>(in.data(), sums.data(), n);
  std::vector<int> expected = values;
  for (int at = 0; at < n; at += 256)
    std::partial_sum(values.begin() + at, values.begin() + std::min(at + 256, n),
                     expected.begin() + at);
  lanes::report("scanHillisSteele", sums);
  lanes::check("scanHillisSteele", sums.host() == expected);

  const lanes::Buffer<float> floats(n, [&](size_t) { return float(random.below(50)); });
  lanes::Buffer<float> exclusive(n);
  scanBlelloch<<<blocks, 128>>>(floats.data(), exclusive.data(), n);
  lanes::report("scanBlelloch", exclusive);

  const lanes::Buffer<double> doubles(n, [&](size_t) { return double(random.below(100)); });
  const lanes::Buffer<unsigned char> heads(
      n, [&](size_t) { return static_cast<unsigned char>(random.below(6) == 0); });
  lanes::Buffer<double> segments(n);
  scanSegments<<<(n + 127) / 128, 128>>>(doubles.data(), heads.data(), segments.data(), n);
  lanes::report("scanSegments", segments);

  const int perThread = 5, argBlocks = 24, total = 128 * perThread * argBlocks - 300;
  const lanes::Buffer<float> many(total, [&](size_t) { return float(random.below(3000)); });
  lanes::Buffer<float> best(argBlocks);
  lanes::Buffer<int> where(argBlocks);
  reduceArgmax<<<argBlocks, 128>>>(many.data(), total, perThread, best.data(), where.data());
  lanes::report("reduceArgmax", where);

  const int bins = 40;
  const lanes::Buffer<float> edges(bins + 1, [](size_t b) { return float(b * b) + 10.0f; });
  lanes::Buffer<int> counts(bins), outside(1);
  reduceHistogram<<<32, 128>>>(many.data(), total, edges.data(), bins, counts.data(),
                               outside.data());
  lanes::report("reduceHistogram", counts);
  const std::vector<int> binned = counts.host();
  lanes::check("reduceHistogram",
               std::accumulate(binned.begin(), binned.end(), outside.host()[0]) == total);

  lanes::Buffer<int> packed(blocks * 256), kept(blocks);
  scanCompact<<<blocks, 256>>>(in.data(), n, packed.data(), kept.data());
  lanes::report("scanCompact", packed);
}

int main() {
  runOwnSorts();
  runBlockSorts();
  runScans();
  return lanes::status();
}
