// SPDX-License-Identifier: Apache-2.0
// select sum(o.amount * c.factor) from orders o join customers c on o.customer = c.id where o.year >= 2020
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <unordered_map>
#include <vector>

#include "hash_table.cuh"

using hashtable::Slot;
using hashtable::Table;

#define CU(call)                                                                          \
  do {                                                                                    \
    cudaError_t status = (call);                                                          \
    if (status != cudaSuccess) {                                                          \
      std::cerr << __FILE__ << ':' << __LINE__ << ' ' << cudaGetErrorName(status) << '\n'; \
      std::exit(EXIT_FAILURE);                                                            \
    }                                                                                     \
  } while (false)

__global__ void clear(Table t) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= t.mask) t.slots[i].key = hashtable::kEmpty;
}

__global__ void build(Table t, const uint32_t* id, const uint32_t* factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  hashtable::insert(t, id[i], factor[i]);
}

__global__ void probe(Table t, const uint32_t* customer, const uint32_t* amount, const uint16_t* year, int n,
                      unsigned long long* sum, unsigned int* matches) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (year[i] < 2020) return;
  uint32_t factor;
  if (!hashtable::lookup(t, customer[i], &factor)) return;
  atomicAdd(sum, (unsigned long long)amount[i] * factor);
  atomicAdd(matches, 1u);
}

template <typename T>
T* to_device(const std::vector<T>& v) {
  T* p;
  CU(cudaMalloc(&p, v.size() * sizeof(T)));
  CU(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

int main() {
  const int customers = 14000, orders = 110000;
  const uint32_t capacity = 16384;  // rather full
  std::vector<uint32_t> id(customers), factor(customers), customer(orders), amount(orders);
  std::vector<uint16_t> year(orders);
  uint32_t s = 1u;
  auto rnd = [&s] { return s = s * 747796405u + 2891336453u, s >> 9; };
  for (int i = 0; i < customers; i++) {
    id[i] = i * 37u + 11u;
    factor[i] = 1 + rnd() % 9;
  }
  for (int i = 0; i < orders; i++) {
    customer[i] = rnd() % (customers * 50);  // most have no partner
    if (i % 3 == 0) customer[i] = (rnd() % customers) * 37u + 11u;
    amount[i] = rnd() % 1000;
    year[i] = 2015 + rnd() % 10;
  }

  Table t;
  t.mask = capacity - 1;
  CU(cudaMalloc(&t.slots, capacity * sizeof(Slot)));
  uint32_t *d_id = to_device(id), *d_factor = to_device(factor), *d_customer = to_device(customer), *d_amount = to_device(amount);
  uint16_t* d_year = to_device(year);
  unsigned long long* d_sum;
  unsigned int* d_matches;
  CU(cudaMalloc(&d_sum, sizeof(*d_sum)));
  CU(cudaMalloc(&d_matches, sizeof(*d_matches)));
  CU(cudaMemset(d_sum, 0, sizeof(*d_sum)));
  CU(cudaMemset(d_matches, 0, sizeof(*d_matches)));

  std::time_t today = std::time(nullptr);
  std::cout << "run of " << std::asctime(std::localtime(&today));
  std::cout << "table of " << capacity << " slots at " << static_cast<void*>(t.slots) << "\n";

  auto begin = std::chrono::steady_clock::now();
  clear<<<capacity / 256, 256>>>(t);
  build<<<(customers + 255) / 256, 256>>>(t, d_id, d_factor, customers);
  CU(cudaDeviceSynchronize());
  auto middle = std::chrono::steady_clock::now();
  probe<<<(orders + 255) / 256, 256>>>(t, d_customer, d_amount, d_year, orders, d_sum, d_matches);
  CU(cudaDeviceSynchronize());
  auto end = std::chrono::steady_clock::now();

  unsigned long long sum = 0, expected = 0;
  unsigned int matches = 0;
  CU(cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(&matches, d_matches, sizeof(matches), cudaMemcpyDeviceToHost));

  std::unordered_map<uint32_t, uint32_t> map;
  for (int i = 0; i < customers; i++) map[id[i]] = factor[i];
  for (int i = 0; i < orders; i++) {
    auto hit = map.find(customer[i]);
    if (year[i] >= 2020 && hit != map.end()) expected += (unsigned long long)amount[i] * hit->second;
  }
  std::chrono::duration<double> tb = middle - begin, tp = end - middle;
  std::printf("build %.1f us, probe %.1f us, %.2f Mtuples/s\n", tb.count() * 1e6, tp.count() * 1e6, orders / tp.count() * 1e-6);
  std::printf("%u matches, sum %llu, %s\n", matches, sum, sum == expected ? "verified" : "WRONG");
  for (void* p : {(void*)t.slots, (void*)d_id, (void*)d_factor, (void*)d_customer, (void*)d_amount, (void*)d_year,
                  (void*)d_sum, (void*)d_matches})
    cudaFree(p);
  return sum == expected ? 0 : 1;
}
