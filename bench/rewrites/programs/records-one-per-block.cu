// SPDX-License-Identifier: Apache-2.0
// Parses fixed width text records into numbers, one block of one thread for each record.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define WIDTH 32

__device__ int parseNumber(const char* text, int length) {
  int value = 0;
  bool negative = false;
  for (int k = 0; k < length; ++k) {
    char c = text[k];
    if (c == '-') negative = true;
    if (c >= '0' && c <= '9') value = 10 * value + (c - '0');
  }
  return negative ? -value : value;
}

__global__ void parseRecords(const char* text, int* id, int* amount, int* date) {
  int r = blockIdx.x;
  const char* record = text + static_cast<size_t>(r) * WIDTH;
  id[r] = parseNumber(record, 10);
  amount[r] = parseNumber(record + 11, 10);
  date[r] = parseNumber(record + 22, 10);
}

int main(int argc, char** argv) {
  int records = argc > 1 ? std::atoi(argv[1]) : 300000;
  std::vector<char> text(size_t(records) * WIDTH, ' ');
  unsigned s = 12;
  char line[64];
  for (int r = 0; r < records; ++r) {
    s = s * 1664525u + 1013904223u;
    int amount = static_cast<int>((s >> 8) % 2000000) - 1000000;
    std::snprintf(line, sizeof(line), "%10d,%10d,  20%02d%02d%02d", r, amount, r % 25,
                  1 + r % 12, 1 + r % 28);
    std::memcpy(&text[size_t(r) * WIDTH], line, WIDTH);
  }
  char* dText;
  int *dId, *dAmount, *dDate;
  cudaMalloc(&dText, text.size());
  cudaMalloc(&dId, records * sizeof(int));
  cudaMalloc(&dAmount, records * sizeof(int));
  cudaMalloc(&dDate, records * sizeof(int));
  cudaMemcpy(dText, text.data(), text.size(), cudaMemcpyHostToDevice);
  parseRecords<<<records, 1>>>(dText, dId, dAmount, dDate);
  std::vector<int> id(records), amount(records), date(records);
  cudaMemcpy(id.data(), dId, records * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(amount.data(), dAmount, records * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(date.data(), dDate, records * sizeof(int), cudaMemcpyDeviceToHost);
  long long a = 0, b = 0, c = 0;
  for (int r = 0; r < records; ++r) {
    a += id[r];
    b += amount[r];
    c += date[r];
  }
  std::printf("ids %lld amounts %lld dates %lld\n", a, b, c);
  cudaFree(dText);
  cudaFree(dId);
  cudaFree(dAmount);
  cudaFree(dDate);
  return 0;
}
