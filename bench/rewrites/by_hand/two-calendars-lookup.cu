// SPDX-License-Identifier: Apache-2.0
// Business day number of dates by binary search in the calendar of one of two exchanges.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int lowerBound(const int* days, int count, int day) {
  int lo = 0, hi = count;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (days[mid] < day) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo;
}

__global__ void businessDay(const int* dates, const char* exchange, const int* calendarA,
                            int countA, const int* calendarB, int countB, int* result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int day = dates[i];
    bool isA = exchange[i] == 'A';
    const int* calendar = isA ? calendarA : calendarB;
    result[i] = lowerBound(calendar, isA ? countA : countB, day);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<int> a, b, dates(n), result(n);
  std::vector<char> exchange(n);
  for (int d = 0; d < 40000; ++d) {
    if (d % 7 < 5) a.push_back(d);
    if (d % 7 < 6 && d % 31 != 4) b.push_back(d);
  }
  unsigned s = 19;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    dates[i] = (s >> 10) % 40000;
    exchange[i] = (s >> 4) & 0x1000 ? 'A' : 'B';
  }
  int *dDates, *dA, *dB, *dResult;
  char* dExchange;
  cudaMalloc(&dDates, n * sizeof(int));
  cudaMalloc(&dA, a.size() * sizeof(int));
  cudaMalloc(&dB, b.size() * sizeof(int));
  cudaMalloc(&dResult, n * sizeof(int));
  cudaMalloc(&dExchange, n);
  cudaMemcpy(dDates, dates.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dA, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dExchange, exchange.data(), n, cudaMemcpyHostToDevice);
  businessDay<<<(n + 255) / 256, 256>>>(dDates, dExchange, dA, static_cast<int>(a.size()), dB,
                                        static_cast<int>(b.size()), dResult, n);
  cudaMemcpy(result.data(), dResult, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += 1LL * result[i] * (i % 11 + 1);
  std::printf("check %lld\n", sum);
  cudaFree(dDates);
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dResult);
  cudaFree(dExchange);
  return 0;
}
