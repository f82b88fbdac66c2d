// SPDX-License-Identifier: Apache-2.0
// Adds up ledgers; a ledger with an invalid entry stops there and reports the sum so far.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void audit(const int* begin, const int* entries, long long* total, int* faultAt,
                      int ledgers) {
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l >= ledgers) return;
  long long sum = 0;
  for (int k = begin[l]; k < begin[l + 1]; ++k) {
    int e = entries[k];
    if (e < 0) {
      faultAt[l] = k;
      total[l] = -sum;
      return;
    }
    sum += e;
  }
  faultAt[l] = -1;
  total[l] = sum;
}

int main(int argc, char** argv) {
  int ledgers = argc > 1 ? std::atoi(argv[1]) : 200000;
  std::mt19937 gen(1494);
  std::vector<int> begin(ledgers + 1, 0), fault(ledgers);
  for (int l = 0; l < ledgers; ++l) begin[l + 1] = begin[l] + 10 + gen() % 70;
  std::vector<int> entries(begin[ledgers]);
  for (int& e : entries) e = gen() % 200 == 0 ? -1 : static_cast<int>(gen() % 10000);
  int *dBegin, *dEntries, *dFault;
  long long* dTotal;
  cudaMalloc(&dBegin, begin.size() * sizeof(int));
  cudaMalloc(&dEntries, entries.size() * sizeof(int));
  cudaMalloc(&dFault, ledgers * sizeof(int));
  cudaMalloc(&dTotal, ledgers * sizeof(long long));
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dEntries, entries.data(), entries.size() * sizeof(int), cudaMemcpyHostToDevice);
  audit<<<(ledgers + 255) / 256, 256>>>(dBegin, dEntries, dTotal, dFault, ledgers);
  std::vector<long long> total(ledgers);
  cudaMemcpy(total.data(), dTotal, ledgers * sizeof(long long), cudaMemcpyDeviceToHost);
  cudaMemcpy(fault.data(), dFault, ledgers * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0, where = 0;
  for (int l = 0; l < ledgers; ++l) {
    sum += total[l];
    where += fault[l];
  }
  std::printf("sum %lld faults %lld\n", sum, where);
  cudaFree(dBegin);
  cudaFree(dEntries);
  cudaFree(dFault);
  cudaFree(dTotal);
  return 0;
}
