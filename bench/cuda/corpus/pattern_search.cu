// SPDX-License-Identifier: Apache-2.0
// Where a pattern with wildcards occurs in a text, and a compact list of the places.
#include "common.h"

__global__ void matchPattern(const char* text, int n, const char* pattern, int m, int* places,
                             int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool matches = i + m <= n;
  for (int k = 0; matches && k < m; ++k)
    matches = pattern[k] == '?' || pattern[k] == text[i + k];
  unsigned who = __ballot_sync(0xffffffff, matches);
  int lane = threadIdx.x % 32, base = 0;
  if (lane == 0 && who)
    base = atomicAdd(count, __popc(who));
  base = __shfl_sync(0xffffffff, base, 0);
  if (matches)
    places[base + __popc(who & ((1u << lane) - 1))] = i;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 20000);
  Random random(83);
  std::vector<char> text(n), pattern = {'a', 'b', '?', 'a', 'a', '?', 'b'};
  for (char& c : text)
    c = random.next() % 3 ? 'a' : 'b';
  char *t = upload(text), *p = upload(pattern);
  int *places = allocate<int>(n), *count = allocate<int>(1), m = (int)pattern.size();
  matchPattern<<<(n + 255) / 256, 256>>>(t, n, p, m, places, count);
  long long sum = 0, wantSum = 0;
  int found = download(count, 1)[0], want = 0;
  for (int place : download(places, found))
    sum += place;
  for (int i = 0; i + m <= n; ++i) {
    bool matches = true;
    for (int k = 0; k < m; ++k)
      matches &= pattern[k] == '?' || pattern[k] == text[i + k];
    want += matches;
    wantSum += matches ? i : 0;
  }
  printf("%d places\n", found);
  return verdict(found == want && sum == wantSum);
}
