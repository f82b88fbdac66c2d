// SPDX-License-Identifier: Apache-2.0
// Edit distances of short words to one, a thread a word: a row of the table in local memory.
#include "../corpus/common.h"

const int LONGEST = 16;

__host__ __device__ int distanceTo(const unsigned char* word, int length,
                                   const unsigned char* other) {
  int row[LONGEST + 1];
#pragma unroll
  for (int j = 0; j <= LONGEST; ++j)
    row[j] = j;
  for (int i = 0; i < length; ++i) {
    int diagonal = row[0];
    row[0] = i + 1;
#pragma unroll
    for (int j = 0; j < LONGEST; ++j) {
      int change = diagonal + (word[i] != other[j]);
      diagonal = row[j + 1];
      row[j + 1] = min(change, min(diagonal, row[j]) + 1);
    }
  }
  return row[LONGEST];
}

__global__ void wordDistances(const unsigned char* words, const int* lengths,
                              const unsigned char* other, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = distanceTo(words + LONGEST * i, lengths[i], other);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 500000);
  Random random(23);
  std::vector<unsigned char> words(LONGEST * n), other(LONGEST);
  std::vector<int> lengths(n);
  for (unsigned char& letter : words)
    letter = 'a' + random.next() % 6;
  for (unsigned char& letter : other)
    letter = 'a' + random.next() % 6;
  for (int& length : lengths)
    length = 3 + random.next() % (LONGEST - 2);
  unsigned char *w = upload(words), *o = upload(other);
  int *l = upload(lengths), *out = allocate<int>(n);
  wordDistances<<<(n + 255) / 256, 256>>>(w, l, o, out, n);
  std::vector<int> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= got[i] == distanceTo(&words[LONGEST * i], lengths[i], other.data());
  return verdict(passed);
}
