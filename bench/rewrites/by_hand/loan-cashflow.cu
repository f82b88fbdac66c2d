// SPDX-License-Identifier: Apache-2.0
// Present value of the remaining payments of a loan book; closed and defaulted loans are worth 0.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum Status { CLOSED = 0, ACTIVE = 1, DEFAULTED = 2 };

struct Book {
  int* status;
  int* monthsLeft;
  float* balance;
  float* rate;
};

const int THREADS = 256;
const int TILES = 4;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void presentValue(Book book, const float* discount, float* value, int loans) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    bool active = i < loans && book.status[i] == ACTIVE;
    if (i < loans && !active) value[i] = 0.0f;
    pack(active, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    int months = book.monthsLeft[i];
    float balance = book.balance[i];
    float r = book.rate[i] / 12.0f;
    float payment = balance * r / (1.0f - powf(1.0f + r, -float(months)));
    float pv = 0.0f;
    for (int m = 0; m < months; ++m) {
      float interest = balance * r;
      float prepaid = 0.004f * balance;
      float paid = fminf(payment + prepaid, balance + interest);
      balance = balance + interest - paid;
      pv += paid * discount[m];
    }
    value[i] = pv;
  }
}

template <typename T>
T* upload(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main(int argc, char** argv) {
  int loans = argc > 1 ? std::atoi(argv[1]) : 600000;
  unsigned s = 1;
  auto rnd = [&s]() {
    s = s * 1664525u + 1013904223u;
    return s >> 8;
  };
  std::vector<int> status(loans), months(loans);
  std::vector<float> balance(loans), rate(loans), discount(361), value(loans);
  for (int i = 0; i < loans; ++i) {
    unsigned k = rnd() % 100;
    status[i] = k < 60 ? ACTIVE : (k < 92 ? CLOSED : DEFAULTED);
    months[i] = 6 + static_cast<int>(rnd() % 235);
    balance[i] = 10000.0f + static_cast<float>(rnd() % 300000);
    rate[i] = 0.02f + 0.0001f * static_cast<float>(rnd() % 500);
  }
  float d = 1.0f;
  for (float& x : discount) {
    d *= 0.9975f;
    x = d;
  }
  Book book{upload(status), upload(months), upload(balance), upload(rate)};
  float* dDiscount = upload(discount);
  float* dValue = upload(value);
  int blocks = (loans + THREADS * TILES - 1) / (THREADS * TILES);
  presentValue<<<blocks, THREADS>>>(book, dDiscount, dValue, loans);
  cudaMemcpy(value.data(), dValue, loans * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (float v : value) total += v;
  std::printf("book value %.5e\n", total);
  return 0;
}
