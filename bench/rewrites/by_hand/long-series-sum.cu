// SPDX-License-Identifier: Apache-2.0
// Sums the transactions of a small number of accounts with very long histories.
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned long long u64;

__global__ void accountSums(const u64* start, const int* cents, const unsigned char* kind,
                            long long* deposits, long long* fees, int accounts) {
  int a = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (a >= accounts) return;
  u64 end = start[a + 1];
  long long in = 0, fee = 0;
  for (u64 t = start[a] + lane; t < end; t += 32) {
    if (kind[t] == 0) {
      in += cents[t];
    } else {
      fee += cents[t];
    }
  }
  for (int d = 16; d > 0; d /= 2) {
    in += __shfl_down_sync(~0u, in, d);
    fee += __shfl_down_sync(~0u, fee, d);
  }
  if (lane == 0) {
    deposits[a] = in;
    fees[a] = fee;
  }
}

int main(int argc, char** argv) {
  u64 total = argc > 1 ? std::atoi(argv[1]) : 4000000;
  int accounts = total / 1500 + 1;
  std::vector<u64> start(accounts + 1);
  for (int a = 0; a <= accounts; ++a) start[a] = total * a / accounts;
  std::vector<int> cents(total);
  std::vector<unsigned char> kind(total);
  u64 s = 0x1234567;
  for (u64 t = 0; t < total; ++t) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    cents[t] = static_cast<int>((s >> 40) % 100000) - 20000;
    kind[t] = (s >> 33) % 5 == 0;
  }
  u64* dStart;
  int* dCents;
  unsigned char* dKind;
  long long *dIn, *dFee;
  cudaMalloc(&dStart, start.size() * sizeof(u64));
  cudaMalloc(&dCents, total * sizeof(int));
  cudaMalloc(&dKind, total);
  cudaMalloc(&dIn, accounts * sizeof(long long));
  cudaMalloc(&dFee, accounts * sizeof(long long));
  cudaMemcpy(dStart, start.data(), start.size() * sizeof(u64), cudaMemcpyHostToDevice);
  cudaMemcpy(dCents, cents.data(), total * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dKind, kind.data(), total, cudaMemcpyHostToDevice);
  accountSums<<<(accounts + 3) / 4, 128>>>(dStart, dCents, dKind, dIn, dFee, accounts);
  std::vector<long long> in(accounts), fee(accounts);
  cudaMemcpy(in.data(), dIn, accounts * sizeof(long long), cudaMemcpyDeviceToHost);
  cudaMemcpy(fee.data(), dFee, accounts * sizeof(long long), cudaMemcpyDeviceToHost);
  long long a = 0, b = 0;
  for (int i = 0; i < accounts; ++i) {
    a += in[i] * (i % 7 + 1);
    b += fee[i] * (i % 5 + 1);
  }
  std::printf("deposits %lld fees %lld\n", a, b);
  cudaFree(dStart);
  cudaFree(dCents);
  cudaFree(dKind);
  cudaFree(dIn);
  cudaFree(dFee);
  return 0;
}
