// SPDX-License-Identifier: Apache-2.0
// Counts the comma separated fields of text lines, where commas inside quotes do not count.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void countFields(const char* text, const int* lineStart, int* fields, int lines) {
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l >= lines) return;
  bool quoted = false;
  int count = 1;
  for (int k = lineStart[l]; k < lineStart[l + 1]; ++k) {
    char c = text[k];
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      count++;
    }
  }
  fields[l] = count;
}

int main(int argc, char** argv) {
  int lines = argc > 1 ? std::atoi(argv[1]) : 200000;
  unsigned s = 3141;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 11; };
  std::vector<char> text;
  std::vector<int> lineStart(1, 0), fields(lines);
  for (int l = 0; l < lines; ++l) {
    int len = 20 + rnd() % 100;
    for (int k = 0; k < len; ++k) {
      unsigned r = rnd() % 32;
      text.push_back(r < 4 ? ',' : (r == 4 ? '"' : static_cast<char>('a' + r % 26)));
    }
    lineStart.push_back(static_cast<int>(text.size()));
  }
  char* dText;
  int *dStart, *dFields;
  cudaMalloc(&dText, text.size());
  cudaMalloc(&dStart, lineStart.size() * sizeof(int));
  cudaMalloc(&dFields, lines * sizeof(int));
  cudaMemcpy(dText, text.data(), text.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dStart, lineStart.data(), lineStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  countFields<<<(lines + 255) / 256, 256>>>(dText, dStart, dFields, lines);
  cudaMemcpy(fields.data(), dFields, lines * sizeof(int), cudaMemcpyDeviceToHost);
  long long total = 0;
  unsigned check = 0;
  for (int f : fields) {
    total += f;
    check = check * 31u + f;
  }
  std::printf("fields %lld check %u\n", total, check);
  cudaFree(dText);
  cudaFree(dStart);
  cudaFree(dFields);
  return 0;
}
