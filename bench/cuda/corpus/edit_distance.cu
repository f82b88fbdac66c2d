// SPDX-License-Identifier: Apache-2.0
// Edit distances of one word to many, a thread for each: a row of the table in local memory.
#include "common.h"

const int LONGEST = 24;

__host__ __device__ int distanceOf(const char* a, int lengthA, const char* b, int lengthB) {
  int row[LONGEST + 1];
  for (int j = 0; j <= lengthB; ++j)
    row[j] = j;
  for (int i = 1; i <= lengthA; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= lengthB; ++j) {
      int above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
      if (above + 1 < best)
        best = above + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      diagonal = above;
      row[j] = best;
    }
  }
  return row[lengthB];
}

__global__ void editDistances(const char* word, int length, const char* words, const int* lengths,
                              int* distances, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    distances[i] = distanceOf(word, length, words + i * LONGEST, lengths[i]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 512);
  Random random(73);
  std::vector<char> words(n * LONGEST),
      word = {'r', 'e', 'c', 'o', 'n', 'v', 'e', 'r', 'g', 'e', 'n', 'c', 'e'};
  std::vector<int> lengths(n), want(n);
  for (char& c : words)
    c = 'a' + random.next() % 26;
  for (int& length : lengths)
    length = 3 + random.next() % (LONGEST - 3);
  char *w = upload(words), *one = upload(word);
  int *l = upload(lengths), *d = allocate<int>(n);
  editDistances<<<(n + 127) / 128, 128>>>(one, (int)word.size(), w, l, d, n);
  for (int i = 0; i < n; ++i)
    want[i] = distanceOf(word.data(), (int)word.size(), &words[i * LONGEST], lengths[i]);
  return verdict(download(d, n) == want);
}
