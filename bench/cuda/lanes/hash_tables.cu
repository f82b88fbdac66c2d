// SPDX-License-Identifier: Apache-2.0
//
// Hash tables: probing, chains, cuckoo hashing, Bloom filters, grouping. Where the order of atomics
// decides which slot a key gets, the sorted contents are reported.
#include "lanes.cuh"

#include <algorithm>
#include <set>
#include <string>

using Key = unsigned;
constexpr Key kEmpty = 0xffffffffu;
constexpr Key kDeleted = 0xfffffffeu;

__host__ __device__ inline unsigned mix(unsigned h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  return h;
}

// A set with linear probing.
__global__ void hashInsertLinear(const Key* keys, int count, Key* table, unsigned capacity,
                                 int* inserted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Key key = keys[i];
  unsigned slot = mix(key) & (capacity - 1);
  while (true) {
    const Key before = atomicCAS(&table[slot], kEmpty, key);
    if (before == kEmpty) {
      atomicAdd(inserted, 1);
      return;
    }
    if (before == key)
      return;
    slot = (slot + 1) & (capacity - 1);
  }
}

struct KeyValue {
  Key key;
  int value;
};

// Deleted slots are passed, empty ones end the search.
__global__ void hashLookupLinear(const KeyValue* table, unsigned capacity, const Key* queries,
                                 int count, int* values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Key key = queries[i];
  int value = -1;
  unsigned slot = mix(key) % capacity;
  for (unsigned probes = 0; probes < capacity; probes++) {
    Key at = table[slot].key;
    if (at == kEmpty)
      break;
    if (at != kDeleted && at == key) {
      value = table[slot].value;
      break;
    }
    if (++slot == capacity)
      slot = 0;
  }
  values[i] = value;
}

// Two hash functions: the second is the step. Counts the probes as well.
__global__ void hashLookupDouble(const Key* table, int prime, const Key* queries, int count,
                                 unsigned char* found, unsigned long long* probes) {
  const int stride = gridDim.x * blockDim.x;
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const Key key = queries[i];
    int slot = key % prime;
    const int step = 1 + mix(key) % (prime - 2);
    bool hit = false;
    do {
      ++mine;
      if (table[slot] == key) {
        hit = true;
        break;
      }
      slot += step;
      if (slot >= prime)
        slot -= prime;
    } while (table[slot] != kEmpty);
    found[i] = hit ? 1 : 0;
  }
  if (mine)
    atomicAdd(probes, mine);
}

struct Link {
  Key key;
  int next;
};

// Each thread pushes some keys to the front of their chains, unless they are dull.
__global__ void hashChainPush(Link* links, int count, int* heads, int buckets) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    if (links[i].key % 7 == 0)
      continue;
    int bucket = mix(links[i].key) % buckets;
    links[i].next = atomicExch(&heads[bucket], i);
  }
}

__host__ __device__ inline int findInChain(const Link* links, int head, Key key) {
  for (int at = head; at != -1; at = links[at].next)
    if (links[at].key == key)
      return at;
  return -1;
}

// An inner join: for every probe, all matches of its chain.
__global__ void hashChainJoin(const Link* links, const int* heads, int buckets, const Key* probes,
                              int count, int* firstMatch, int* matches) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Key key = probes[i];
  int at = findInChain(links, heads[mix(key) % buckets], key);
  firstMatch[i] = at;
  int n = 0;
  while (at >= 0) {
    ++n;
    at = findInChain(links, links[at].next, key);
  }
  if (n > 0)
    atomicAdd(matches, n);
}

__device__ unsigned cuckooSlot(Key key, int which, unsigned half) {
  switch (which) {
  case 0:
    return mix(key) % half;
  case 1:
    return half + mix(key * 2654435761u + 17u) % half;
  default:
    return 2 * half;
  }
}

__global__ void hashCuckooInsert(const Key* keys, int count, Key* table, unsigned half,
                                 int* failed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Key key = keys[i];
  unsigned slot = cuckooSlot(key, 0, half);
  for (int turn = 0; turn < 64; ++turn) {
    key = atomicExch(&table[slot], key);
    if (key == kEmpty)
      return;
    const unsigned a = cuckooSlot(key, 0, half);
    slot = slot == a ? cuckooSlot(key, 1, half) : a;
  }
  atomicAdd(failed, 1);
}

__global__ void hashCuckooLookup(const Key* table, unsigned half, const Key* stash, int stashSize,
                                 const Key* queries, int count, int* where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Key key = queries[i];
  for (int which = 0; which < 2; which++) {
    unsigned slot = cuckooSlot(key, which, half);
    if (table[slot] == key) {
      where[i] = which;
      return;
    }
  }
  for (int s = 0; s < stashSize; s++)
    if (stash[s] == key) {
      where[i] = 2;
      return;
    }
  where[i] = -1;
}

__global__ void hashBloomAdd(const Key* keys, int count, unsigned* bits, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    unsigned h = mix(keys[i]);
    const unsigned step = (h >> 17) | 1;
    for (int k = 0; k < 4; ++k, h += step) {
      const unsigned bit = h & mask;
      if (!(bits[bit / 32] >> bit % 32 & 1))
        atomicOr(&bits[bit / 32], 1u << bit % 32);
    }
  }
}

__host__ __device__ inline bool mayContain(const unsigned* bits, unsigned mask, Key key) {
  unsigned h = mix(key);
  const unsigned step = (h >> 17) | 1;
  for (int k = 0; k < 4; ++k, h += step)
    if (!(bits[(h & mask) / 32] & (1u << (h & mask) % 32)))
      return false;
  return true;
}

// A filter before the table: only what may be there is looked up.
__global__ void hashBloomGuarded(const unsigned* bits, unsigned mask, const Key* sorted, int size,
                                 const Key* queries, int count, int* index) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  index[i] = -2;
  if (!mayContain(bits, mask, queries[i]))
    return;
  int low = 0, high = size - 1, at = -1;
  while (low <= high) {
    const int middle = (low + high) >> 1;
    if (sorted[middle] < queries[i])
      low = middle + 1;
    else if (sorted[middle] > queries[i])
      high = middle - 1;
    else {
      at = middle;
      break;
    }
  }
  index[i] = at;
}

// Group by key: count, sum and largest value.
__global__ void hashGroupBy(const KeyValue* rows, int count, Key* keys, int* sums, int* largest,
                            unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  KeyValue row = rows[i];
  if (row.value < 0)
    return;
  unsigned slot = mix(row.key) & mask;
  Key owner;
  while ((owner = keys[slot]) != row.key) {
    if (owner == kEmpty) {
      owner = atomicCAS(&keys[slot], kEmpty, row.key);
      if (owner == kEmpty || owner == row.key)
        break;
    }
    slot = (slot + 1) & mask;
  }
  atomicAdd(&sums[slot], row.value);
  if (largest[slot] < row.value)
    atomicMax(&largest[slot], row.value);
}

// How many different keys the block sees, with a table in shared memory.
__global__ void hashDistinctShared(const Key* keys, int perBlock, int* distinct) {
  __shared__ Key table[512];
  __shared__ int found;
  for (int s = threadIdx.x; s < 512; s += blockDim.x)
    table[s] = kEmpty;
  if (threadIdx.x == 0)
    found = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x) {
    const Key key = keys[blockIdx.x * perBlock + i];
    unsigned slot = key * 2654435761u >> 23;
    for (;;) {
      const Key before = atomicCAS(&table[slot], kEmpty, key);
      if (before == kEmpty)
        atomicAdd(&found, 1);
      if (before == kEmpty || before == key)
        break;
      slot = (slot + 1) & 511;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    distinct[blockIdx.x] = found;
}

__device__ void atomicMaxFloat(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  while (value > __int_as_float(old)) {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed)
      break;
  }
}

// The best score of every bucket, and which of the scores are no numbers at all.
__global__ void hashBestScore(const Key* keys, const float* scores, int count, float* best,
                              int buckets, int* bad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float score = scores[i];
  if (isnan(score) || score > 1e20f) {
    atomicAdd(bad, 1);
    return;
  }
  atomicMaxFloat(&best[mix(keys[i]) % buckets], score > 0 ? sqrtf(score) : score);
}

struct Slot {
  unsigned hash;
  int string, distance;
};

// Robin Hood: a search ends where a slot's owner is nearer to home than we would be.
__global__ void hashRobinHood(const char* text, const int* start, const Slot* table, unsigned mask,
                              const char* queryText, const int* queryStart, int queries,
                              int* found) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= queries)
    return;
  const char* query = queryText + queryStart[q];
  const int length = queryStart[q + 1] - queryStart[q];
  unsigned hash = 2166136261u;
  for (int i = 0; i < length; ++i)
    hash = (hash ^ static_cast<unsigned char>(query[i])) * 16777619u;
  int answer = -1;
  for (int distance = 0;; ++distance) {
    const Slot slot = table[(hash + distance) & mask];
    if (slot.string < 0 || slot.distance < distance)
      break;
    if (slot.hash != hash)
      continue;
    const int at = start[slot.string];
    if (start[slot.string + 1] - at != length)
      continue;
    int i = 0;
    while (i < length && text[at + i] == query[i])
      ++i;
    if (i < length)
      continue;
    answer = slot.string;
    break;
  }
  found[q] = answer;
}

static void reportSorted(const char* name, std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end());
  lanes::report(name, lanes::Buffer<Key>(keys));
}

static std::vector<Key> makeKeys(int count, int range, uint64_t seed) {
  lanes::Random random(seed);
  return lanes::expect<Key>(count, [&](size_t) { return Key(random.below(range)) * 3 + 1; });
}

static void runOpenAddressing() {
  const int count = 6000, blocks = (count + 127) / 128;
  const std::vector<Key> keys = makeKeys(count, 8000, 1), queries = makeKeys(count, 9000, 2);
  const std::set<Key> distinct(keys.begin(), keys.end());
  const lanes::Buffer<Key> keyBuffer(keys), queryBuffer(queries);

  lanes::Buffer<Key> set(std::vector<Key>(8192, kEmpty));
  lanes::Buffer<int> inserted(1);
  hashInsertLinear<<<blocks, 128>>>(keyBuffer.data(), count, set.data(), 8192, inserted.data());
  reportSorted("hashInsertLinear", set.host());
  lanes::check("hashInsertLinear", inserted.host()[0] == int(distinct.size()));

  const unsigned capacity = 5200;
  std::vector<KeyValue> table(capacity, {kEmpty, 0});
  for (const Key key : distinct) {
    unsigned slot = mix(key) % capacity;
    while (table[slot].key != kEmpty)
      slot = (slot + 1) % capacity;
    table[slot] = {key, int(key / 2)};
  }
  for (unsigned slot = 0; slot < capacity; slot += 9)
    if (table[slot].key != kEmpty)
      table[slot].key = kDeleted;
  std::set<Key> kept;
  for (const KeyValue& slot : table)
    kept.insert(slot.key);
  const lanes::Buffer<KeyValue> tableBuffer(table);
  lanes::Buffer<int> values(count);
  hashLookupLinear<<<blocks, 128>>>(tableBuffer.data(), capacity, queryBuffer.data(), count,
                                    values.data());
  lanes::report("hashLookupLinear", values);
  lanes::check("hashLookupLinear", values.host() == lanes::expect<int>(count, [&](size_t i) {
                                     return kept.count(queries[i]) ? int(queries[i] / 2) : -1;
                                   }));

  const int prime = 5003;
  std::vector<Key> doubled(prime, kEmpty);
  for (const Key key : distinct) {
    int slot = key % prime;
    while (doubled[slot] != kEmpty)
      slot = (slot + 1 + mix(key) % (prime - 2)) % prime;
    doubled[slot] = key;
  }
  const lanes::Buffer<Key> doubleTable(doubled);
  lanes::Buffer<unsigned char> found(count);
  lanes::Buffer<unsigned long long> probes(1);
  hashLookupDouble<<<16, 128>>>(doubleTable.data(), prime, queryBuffer.data(), count, found.data(),
                                probes.data());
  lanes::report("hashLookupDouble", found);
  lanes::check("hashLookupDouble",
               found.host() == lanes::expect<unsigned char>(count, [&](size_t i) {
                 return static_cast<unsigned char>(distinct.count(queries[i]));
               }));

  const std::vector<Key> once(distinct.begin(), distinct.end());
  const int size = int(once.size());
  const lanes::Buffer<Key> onceBuffer(once);
  lanes::Buffer<Key> cuckoo(std::vector<Key>(12001, kEmpty));
  lanes::Buffer<int> failed(1);
  hashCuckooInsert<<<(size + 63) / 64, 64>>>(onceBuffer.data(), size, cuckoo.data(), 6000,
                                             failed.data());
  reportSorted("hashCuckooInsert", cuckoo.host());
  lanes::check("hashCuckooInsert", failed.host()[0] == 0);

  std::vector<Key> fixed(8001, kEmpty), stash;
  for (const Key key : once) {
    const unsigned a = mix(key) % 4000, b = 4000 + mix(key * 2654435761u + 17u) % 4000;
    if (fixed[a] == kEmpty)
      fixed[a] = key;
    else if (fixed[b] == kEmpty)
      fixed[b] = key;
    else if (stash.size() < 24)
      stash.push_back(key);
  }
  const lanes::Buffer<Key> fixedTable(fixed), stashBuffer(stash);
  lanes::Buffer<int> where(count);
  hashCuckooLookup<<<blocks, 128>>>(fixedTable.data(), 4000, stashBuffer.data(), int(stash.size()),
                                    queryBuffer.data(), count, where.data());
  lanes::report("hashCuckooLookup", where);

  const unsigned mask = (1u << 15) - 1;
  lanes::Buffer<unsigned> bits((mask + 1) / 32);
  hashBloomAdd<<<blocks, 128>>>(keyBuffer.data(), count, bits.data(), mask);
  lanes::report("hashBloomAdd", bits);
  const std::vector<unsigned> filter = bits.host();
  lanes::Buffer<int> index(count);
  hashBloomGuarded<<<blocks, 128>>>(bits.data(), mask, onceBuffer.data(), size, queryBuffer.data(),
                                    count, index.data());
  lanes::report("hashBloomGuarded", index);
  lanes::check("hashBloomGuarded",
               index.host() == lanes::expect<int>(count, [&](size_t i) {
                 if (!mayContain(filter.data(), mask, queries[i]))
                   return -2;
                 const auto at = std::lower_bound(once.begin(), once.end(), queries[i]);
                 return at != once.end() && *at == queries[i] ? int(at - once.begin()) : -1;
               }));
}

static void runChains() {
  const int count = 6000, buckets = 1500;
  const std::vector<Key> keys = makeKeys(count, 3000, 3), queries = makeKeys(4096, 4000, 4);
  std::vector<Link> links;
  for (const Key key : keys)
    links.push_back({key, -1});
  lanes::Buffer<Link> pushed(links);
  lanes::Buffer<int> heads(std::vector<int>(buckets, -1));
  hashChainPush<<<16, 128>>>(pushed.data(), count, heads.data(), buckets);
  const std::vector<Link> chains = pushed.host();
  std::vector<int> lengths, expected(buckets);
  for (const int head : heads.host()) {
    lengths.push_back(0);
    for (int at = head; at >= 0; at = chains[at].next)
      ++lengths.back();
  }
  for (const Key key : keys)
    expected[mix(key) % buckets] += key % 7 != 0;
  lanes::report("hashChainPush", lanes::Buffer<int>(lengths));
  lanes::check("hashChainPush", lengths == expected);

  std::vector<int> fixedHeads(buckets, -1);
  for (int i = 0; i < count; ++i) {
    int& head = fixedHeads[mix(keys[i]) % buckets];
    links[i].next = head;
    head = i;
  }
  const lanes::Buffer<Link> fixedLinks(links);
  const lanes::Buffer<int> fixedHeadBuffer(fixedHeads);
  const lanes::Buffer<Key> probes(queries);
  lanes::Buffer<int> first(queries.size()), matches(1);
  hashChainJoin<<<32, 128>>>(fixedLinks.data(), fixedHeadBuffer.data(), buckets, probes.data(),
                             int(queries.size()), first.data(), matches.data());
  lanes::report("hashChainJoin", first);
  lanes::check("hashChainJoin", first.host() == lanes::expect<int>(queries.size(), [&](size_t i) {
                                  return findInChain(links.data(),
                                                     fixedHeads[mix(queries[i]) % buckets],
                                                     queries[i]);
                                }));
}

static void runGroups() {
  lanes::Random random(5);
  const int count = 6000, blocks = (count + 127) / 128;
  const lanes::Buffer<KeyValue> rows(count, [&](size_t) {
    return KeyValue{Key(random.below(random.below(4) ? 60 : 900)), random.between(-20, 100)};
  });
  lanes::Buffer<Key> groups(std::vector<Key>(2048, kEmpty));
  lanes::Buffer<int> sums(2048), largest(2048);
  hashGroupBy<<<blocks, 128>>>(rows.data(), count, groups.data(), sums.data(), largest.data(),
                               2047);
  std::vector<Key> results;
  const std::vector<Key> owners = groups.host();
  const std::vector<int> totals = sums.host(), tops = largest.host();
  for (size_t s = 0; s < owners.size(); ++s)
    if (owners[s] != kEmpty)
      results.push_back(owners[s] * 1000003u + unsigned(totals[s]) * 101u + unsigned(tops[s]));
  reportSorted("hashGroupBy", results);

  const int perBlock = 350;
  const lanes::Buffer<Key> many(32 * perBlock,
                                [&](size_t i) { return Key(random.below(40 + int(i / 40))); });
  lanes::Buffer<int> distinct(32);
  hashDistinctShared<<<32, 128>>>(many.data(), perBlock, distinct.data());
  lanes::report("hashDistinctShared", distinct);

  const lanes::Buffer<Key> keys(makeKeys(count, 300, 6));
  const lanes::Buffer<float> scores(count, [&](size_t) {
    return random.below(30) ? random.within(-1.0f, 900.0f) : random.below(2) ? NAN : 1e30f;
  });
  lanes::Buffer<float> best(std::vector<float>(200, -1e30f));
  lanes::Buffer<int> bad(1);
  hashBestScore<<<blocks, 128>>>(keys.data(), scores.data(), count, best.data(), 200, bad.data());
  lanes::report("hashBestScore", best);
}

static void runStrings() {
  lanes::Random random(7);
  const auto makeStrings = [&](int count) {
    std::vector<std::string> strings;
    for (int i = 0; i < count; ++i) {
      strings.emplace_back();
      for (int k = random.between(1, random.below(6) ? 4 : 20); k > 0; --k)
        strings.back() += char('a' + random.below(4));
    }
    return strings;
  };
  const auto pack = [](const std::vector<std::string>& strings, std::vector<int>& start) {
    std::vector<char> text;
    start = {0};
    for (const std::string& s : strings) {
      text.insert(text.end(), s.begin(), s.end());
      start.push_back(int(text.size()));
    }
    return text;
  };
  std::vector<std::string> stored = makeStrings(900);
  std::sort(stored.begin(), stored.end());
  stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
  std::vector<Slot> table(1024, {0, -1, 0});
  for (size_t s = 0; s < stored.size(); ++s) {
    unsigned hash = 2166136261u;
    for (const char c : stored[s])
      hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    Slot mine{hash, int(s), 0};
    for (unsigned at = hash & 1023;; at = (at + 1) & 1023, ++mine.distance) {
      if (table[at].string < 0 || table[at].distance < mine.distance)
        std::swap(table[at], mine);
      if (mine.string < 0)
        break;
    }
  }
  const std::vector<std::string> asked = makeStrings(4096);
  std::vector<int> start, queryStart;
  const lanes::Buffer<char> text(pack(stored, start)), queryText(pack(asked, queryStart));
  const lanes::Buffer<int> starts(start), queryStarts(queryStart);
  const lanes::Buffer<Slot> slots(table);
  lanes::Buffer<int> found(asked.size());
  hashRobinHood<<<32, 128>>>(text.data(), starts.data(), slots.data(), 1023, queryText.data(),
                             queryStarts.data(), int(asked.size()), found.data());
  lanes::report("hashRobinHood", found);
  lanes::check("hashRobinHood",
               found.host() == lanes::expect<int>(asked.size(), [&](size_t i) {
                 const auto at = std::lower_bound(stored.begin(), stored.end(), asked[i]);
                 return at != stored.end() && *at == asked[i] ? int(at - stored.begin()) : -1;
               }));
}

int main() {
  runOpenAddressing();
  runChains();
  runGroups();
  runStrings();
  return lanes::status();
}
