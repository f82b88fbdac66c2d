// SPDX-License-Identifier: Apache-2.0
// Balance after each booking of an account, written next to the booking.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Booking {
  int amount;
  int balance;
};

__global__ void balances(const int* begin, Booking* bookings, const int* opening, int accounts) {
  int a = blockIdx.x * blockDim.x + threadIdx.x;
  if (a < accounts) {
    int sum = opening[a];
    for (int k = begin[a]; k < begin[a + 1]; k++) {
      sum += bookings[k].amount;
      bookings[k].balance = sum;
    }
  }
}

int main(int argc, char** argv) {
  int accounts = argc > 1 ? std::atoi(argv[1]) : 150000;
  unsigned s = 1397;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 8; };
  std::vector<int> begin(accounts + 1, 0), opening(accounts);
  for (int a = 0; a < accounts; ++a) {
    begin[a + 1] = begin[a] + rnd() % 40;
    opening[a] = rnd() % 10000;
  }
  std::vector<Booking> bookings(begin[accounts]);
  for (Booking& b : bookings) b = {static_cast<int>(rnd() % 2001) - 1000, 0};
  int *dBegin, *dOpening;
  Booking* dBookings;
  cudaMalloc(&dBegin, begin.size() * sizeof(int));
  cudaMalloc(&dOpening, accounts * sizeof(int));
  cudaMalloc(&dBookings, bookings.size() * sizeof(Booking));
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dOpening, opening.data(), accounts * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dBookings, bookings.data(), bookings.size() * sizeof(Booking),
             cudaMemcpyHostToDevice);
  balances<<<(accounts + 127) / 128, 128>>>(dBegin, dBookings, dOpening, accounts);
  cudaMemcpy(bookings.data(), dBookings, bookings.size() * sizeof(Booking),
             cudaMemcpyDeviceToHost);
  long long sum = 0, overdrawn = 0;
  for (const Booking& b : bookings) {
    sum += b.balance;
    overdrawn += b.balance < 0;
  }
  std::printf("sum of balances %lld, overdrawn %lld\n", sum, overdrawn);
  cudaFree(dBegin);
  cudaFree(dOpening);
  cudaFree(dBookings);
  return 0;
}
