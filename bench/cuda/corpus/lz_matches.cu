// SPDX-License-Identifier: Apache-2.0
// The longest match of each place of a text in the window before it, as a compressor looks for it.
#include "common.h"

const int WINDOW = 64, LONGEST = 18;

__host__ __device__ int longestMatch(const unsigned char* text, int n, int at) {
  int best = 0, where = 0;
  for (int from = at > WINDOW ? at - WINDOW : 0; from < at; ++from) {
    int length = 0;
    while (length < LONGEST && at + length < n && text[from + length] == text[at + length])
      ++length;
    if (length > best) {
      best = length;
      where = at - from;
      if (best == LONGEST)
        break;
    }
  }
  return best << 16 | where;
}

__global__ void findMatches(const unsigned char* text, int n, int* matches) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n)
    matches[at] = longestMatch(text, n, at);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2048);
  Random random(109);
  std::vector<unsigned char> text(n);
  for (int i = 0; i < n; ++i)
    text[i] = i > 40 && random.next() % 12 ? text[i - 1 - random.next() % 3 * 13]
                                           : (unsigned char)(random.next() % 20);
  unsigned char* t = upload(text);
  int* matches = allocate<int>(n);
  findMatches<<<(n + 127) / 128, 128>>>(t, n, matches);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i)
    want[i] = longestMatch(text.data(), n, i);
  return verdict(download(matches, n) == want);
}
