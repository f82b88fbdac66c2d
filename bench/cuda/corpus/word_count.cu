// SPDX-License-Identifier: Apache-2.0
// Counts words by their first letter and by length: each thread reads a stretch of the text.
#include "common.h"

__global__ void countWords(const char* text, int n, int each, unsigned* byLetter,
                           unsigned* byLength) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * each, end = min(begin + each, n);
  int at = begin;
  while (at < end) {
    bool isStart = text[at] != ' ' && (at == 0 || text[at - 1] == ' ');
    if (!isStart) {
      ++at;
      continue;
    }
    int length = 0;
    while (at + length < n && text[at + length] != ' ')
      ++length;
    atomicAdd(&byLetter[text[at] - 'a'], 1u);
    atomicAdd(&byLength[min(length, 15)], 1u);
    at += length;
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 20000), each = 32;
  Random random(71);
  std::vector<char> text(n);
  for (char& c : text)
    c = random.next() % 6 == 0 ? ' ' : 'a' + random.next() % 26 * (random.next() % 26) / 26;
  char* t = upload(text);
  unsigned *letters = allocate<unsigned>(26), *lengths = allocate<unsigned>(16);
  int threads = (n + each - 1) / each;
  countWords<<<(threads + 127) / 128, 128>>>(t, n, each, letters, lengths);
  std::vector<unsigned> wantLetters(26, 0), wantLengths(16, 0);
  for (int i = 0; i < n;) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    int length = 0;
    while (i + length < n && text[i + length] != ' ')
      ++length;
    ++wantLetters[text[i] - 'a'];
    ++wantLengths[std::min(length, 15)];
    i += length;
  }
  return verdict(download(letters, 26) == wantLetters && download(lengths, 16) == wantLengths);
}
