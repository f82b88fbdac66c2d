// SPDX-License-Identifier: Apache-2.0
// A database query: joins sales with products through a cuckoo hash table and aggregates by group.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned int uint32;
typedef unsigned long long uint64;

#define CUDA_SAFE_CALL(call)                                                                       \
  do {                                                                                             \
    cudaError_t err = call;                                                                        \
    if (cudaSuccess != err) {                                                                      \
      printf("FAIL Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,                \
             cudaGetErrorString(err));                                                             \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

#define N_GROUPS 500
#define MAX_ITER 200
#define STASH_SIZE 1024
#define EMPTY_ENTRY 0xffffffffffffffffULL
#define NOT_FOUND 0xffffffffu

// columns of the fact table
struct SalesColumns {
  uint32* product;
  uint32* quantity;
  float* price;
  uint32* region;
};

struct GroupRow {
  uint32 rows;
  uint64 quantity;
  double revenue;
  int minPrice; // bits of a float that is not negative
  int maxPrice;
  uint32 regions; // one bit each
  uint32 check;   // exclusive or of row numbers
};

__host__ __device__ inline uint32 hashFunction(uint32 key, int which) {
  const uint32 mul[4] = {0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du, 0x27d4eb2fu};
  uint32 h = (key + which * 0x165667b1u) * mul[which];
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  return h ^ (h >> 13);
}

__device__ inline uint32 nextSlot(uint32 key, uint32 slot, uint32 size) {
  // the table does not say which function placed the key: take the one after
  for (int i = 0; i < 3; i++)
    if (hashFunction(key, i) % size == slot)
      return hashFunction(key, i + 1) % size;
  return hashFunction(key, 0) % size;
}

__global__ void initTable(uint64* table, uint32 size, uint64* stash, int* stashCount) {
  uint32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    table[i] = EMPTY_ENTRY;
  if (i < STASH_SIZE)
    stash[i] = EMPTY_ENTRY;
  if (i == 0)
    *stashCount = 0;
}

__global__ void buildTable(const uint32* productId, const uint32* category, int nProducts,
                           uint64* table, uint32 size, uint64* stash, int* stashCount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nProducts)
    return;
  uint64 entry = ((uint64)productId[i] << 32) | category[i];
  uint32 slot = hashFunction(productId[i], 0) % size;
  for (int iter = 0; iter < MAX_ITER; iter++) {
    entry = atomicExch(&table[slot], entry);
    if (entry == EMPTY_ENTRY)
      return;
    slot = nextSlot((uint32)(entry >> 32), slot, size);
  }
  int s = atomicAdd(stashCount, 1);
  if (s < STASH_SIZE)
    stash[s] = entry;
}

__global__ void probeTable(SalesColumns sales, int nSales, const uint64* table, uint32 size,
                           const uint64* stash, const int* stashCount, uint32* group) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nSales)
    return;
  uint32 key = sales.product[i];
  uint32 result = NOT_FOUND;
  for (int f = 0; f < 4 && result == NOT_FOUND; f++) {
    uint64 e = table[hashFunction(key, f) % size];
    if ((uint32)(e >> 32) == key)
      result = (uint32)e;
  }
  if (result == NOT_FOUND) {
    int count = min(*stashCount, STASH_SIZE);
    for (int s = 0; s < count; s++)
      if ((uint32)(stash[s] >> 32) == key)
        result = (uint32)stash[s];
  }
  group[i] = result;
}

__global__ void initGroups(GroupRow* rows) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < N_GROUPS) {
    GroupRow r;
    r.rows = 0;
    r.quantity = 0;
    r.revenue = 0;
    r.minPrice = 0x7f7fffff;
    r.maxPrice = 0;
    r.regions = 0;
    r.check = 0;
    rows[g] = r;
  }
}

__global__ void aggregate(SalesColumns sales, int nSales, const uint32* group, GroupRow* rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nSales || group[i] == NOT_FOUND)
    return;
  GroupRow* r = &rows[group[i]];
  float price = sales.price[i];
  atomicInc(&r->rows, 0xffffffffu);
  atomicAdd(&r->quantity, (uint64)sales.quantity[i]);
  atomicAdd(&r->revenue, (double)price * sales.quantity[i]);
  atomicMin(&r->minPrice, __float_as_int(price));
  atomicMax(&r->maxPrice, __float_as_int(price));
  atomicOr(&r->regions, 1u << sales.region[i]);
  atomicXor(&r->check, (uint32)i);
}

// rows by region in shared memory first
__global__ void aggregateRegions(SalesColumns sales, int nSales, const uint32* group,
                                 uint64* quantityByRegion) {
  __shared__ uint64 sums[32];
  if (threadIdx.x < 32)
    sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nSales; i += blockDim.x * gridDim.x)
    if (group[i] != NOT_FOUND)
      atomicAdd(&sums[sales.region[i]], (uint64)sales.quantity[i]);
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(&quantityByRegion[threadIdx.x], sums[threadIdx.x]);
}

template <typename T> static T* toDevice(const std::vector<T>& v) {
  T* p;
  CUDA_SAFE_CALL(cudaMalloc((void**)&p, v.size() * sizeof(T)));
  CUDA_SAFE_CALL(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

int main(int argc, char** argv) {
  int nSales = argc > 1 ? atoi(argv[1]) : 40000;
  int nProducts = nSales / 4 + 16;
  std::vector<uint32> id(nProducts), category(nProducts);
  std::vector<uint32> product(nSales), quantity(nSales), region(nSales);
  std::vector<float> price(nSales);
  uint32 s = 20240101u;
#define RND() (s = s * 1664525u + 1013904223u, s >> 10)
  for (int p = 0; p < nProducts; p++) {
    id[p] = (uint32)p * 2654435761u & 0x7fffffffu; // no two are equal below 2^31
    uint32 r = RND();
    category[p] = (r % 3 == 0) ? r % 20 : r % N_GROUPS; // some groups are crowded
  }
  std::vector<uint32> wantGroup(nSales);
  for (int i = 0; i < nSales; i++) {
    uint32 p = RND() % (uint32)nProducts;
    bool unknown = RND() % 10 == 0;
    product[i] = unknown ? 0x80000000u + p : id[p];
    wantGroup[i] = unknown ? NOT_FOUND : category[p];
    quantity[i] = 1 + RND() % 20;
    region[i] = RND() % 32;
    price[i] = (RND() % 100000) * 0.01f;
  }

  uint32* dId = toDevice(id);
  uint32* dCategory = toDevice(category);
  SalesColumns sales = {toDevice(product), toDevice(quantity), toDevice(price), toDevice(region)};
  uint32 size = (uint32)(nProducts * 1.4) | 1;
  uint64 *table, *stash, *byRegion;
  uint32* dGroup;
  int* stashCount;
  GroupRow* rows;
  CUDA_SAFE_CALL(cudaMalloc((void**)&table, size * sizeof(uint64)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&stash, STASH_SIZE * sizeof(uint64)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&byRegion, 32 * sizeof(uint64)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&dGroup, nSales * sizeof(uint32)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&stashCount, sizeof(int)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&rows, N_GROUPS * sizeof(GroupRow)));
  CUDA_SAFE_CALL(cudaMemset(byRegion, 0, 32 * sizeof(uint64)));

  initTable<<<(size + STASH_SIZE + 255) / 256, 256>>>(table, size, stash, stashCount);
  buildTable<<<(nProducts + 127) / 128, 128>>>(dId, dCategory, nProducts, table, size, stash,
                                               stashCount);
  for (int query = 0; query < 2; query++) {
    probeTable<<<(nSales + 255) / 256, 256>>>(sales, nSales, table, size, stash, stashCount,
                                              dGroup);
    initGroups<<<(N_GROUPS + 127) / 128, 128>>>(rows);
    aggregate<<<(nSales + 255) / 256, 256>>>(sales, nSales, dGroup, rows);
  }
  aggregateRegions<<<64, 256>>>(sales, nSales, dGroup, byRegion);
  CUDA_SAFE_CALL(cudaDeviceSynchronize());

  int stashed;
  std::vector<GroupRow> got(N_GROUPS);
  std::vector<uint32> group(nSales);
  uint64 gotRegion[32], wantRegion[32] = {0};
  CUDA_SAFE_CALL(cudaMemcpy(&stashed, stashCount, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(got.data(), rows, N_GROUPS * sizeof(GroupRow), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(group.data(), dGroup, nSales * sizeof(uint32), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(gotRegion, byRegion, sizeof gotRegion, cudaMemcpyDeviceToHost));

  std::vector<GroupRow> want(N_GROUPS, GroupRow{0, 0, 0.0, 0x7f7fffff, 0, 0, 0});
  int bad = 0;
  for (int i = 0; i < nSales; i++) {
    bad += group[i] != wantGroup[i];
    if (wantGroup[i] == NOT_FOUND)
      continue;
    GroupRow& w = want[wantGroup[i]];
    int bits;
    memcpy(&bits, &price[i], 4);
    w.rows++;
    w.quantity += quantity[i];
    w.revenue += (double)price[i] * quantity[i];
    if (bits < w.minPrice)
      w.minPrice = bits;
    if (bits > w.maxPrice)
      w.maxPrice = bits;
    w.regions |= 1u << region[i];
    w.check ^= (uint32)i;
    wantRegion[region[i]] += quantity[i];
  }
  for (int g = 0; g < N_GROUPS; g++)
    if (got[g].rows != want[g].rows || got[g].quantity != want[g].quantity ||
        got[g].minPrice != want[g].minPrice || got[g].maxPrice != want[g].maxPrice ||
        got[g].regions != want[g].regions || got[g].check != want[g].check ||
        fabs(got[g].revenue - want[g].revenue) > 1e-9 * (1.0 + want[g].revenue))
      bad++;
  for (int r = 0; r < 32; r++)
    bad += gotRegion[r] != wantRegion[r];
  printf("%d entries in the stash, revenue of group 0: %.2f\n", stashed, got[0].revenue);
  if (bad) {
    printf("FAIL %d differences\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
