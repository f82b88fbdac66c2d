// SPDX-License-Identifier: Apache-2.0
// Smith-Waterman scores of many pairs: a block for each pair goes along the diagonals.
#include "common.h"

const int LENGTH = 128;

__global__ void alignPairs(const char* first, const char* second, int* scores) {
  __shared__ int diagonals[3][LENGTH + 1];
  __shared__ int best[LENGTH];
  const char* b = second + blockIdx.x * LENGTH;
  int i = threadIdx.x;
  char mine = first[blockIdx.x * LENGTH + i];
  for (int k = 0; k < 3; ++k)
    diagonals[k][i] = diagonals[k][LENGTH] = 0;
  int top = 0;
  __syncthreads();
  for (int step = 0; step < 2 * LENGTH - 1; ++step) {
    int* now = diagonals[step % 3];
    int* last = diagonals[(step + 2) % 3];
    int* beforeLast = diagonals[(step + 1) % 3];
    int j = step - i;
    if (j >= 0 && j < LENGTH) {
      int corner = j == 0 ? 0 : beforeLast[i], left = j == 0 ? 0 : last[i + 1];
      int score = max(max(corner + (mine == b[j] ? 3 : -2), 0), max(left, last[i]) - 3);
      now[i + 1] = score;
      top = max(top, score);
    }
    __syncthreads();
  }
  best[i] = top;
  __syncthreads();
  for (int half = LENGTH / 2; half > 0; half /= 2) {
    if (i < half)
      best[i] = max(best[i], best[i + half]);
    __syncthreads();
  }
  if (i == 0)
    scores[blockIdx.x] = best[0];
}

int main(int argc, char** argv) {
  int pairs = argument(argc, argv, 4);
  Random random(79);
  std::vector<char> first(pairs * LENGTH), second(pairs * LENGTH);
  for (int i = 0; i < pairs * LENGTH; ++i) {
    first[i] = "ACGT"[random.next() % 4];
    second[i] = random.next() % 3 ? first[i] : "ACGT"[random.next() % 4];
  }
  char *f = upload(first), *s = upload(second);
  int* scores = allocate<int>(pairs);
  alignPairs<<<pairs, LENGTH>>>(f, s, scores);
  std::vector<int> want(pairs, 0);
  for (int p = 0; p < pairs; ++p) {
    std::vector<int> table((LENGTH + 1) * (LENGTH + 1), 0);
    for (int i = 1; i <= LENGTH; ++i)
      for (int j = 1; j <= LENGTH; ++j) {
        int* at = &table[i * (LENGTH + 1) + j];
        bool same = first[p * LENGTH + i - 1] == second[p * LENGTH + j - 1];
        *at = std::max(std::max(at[-LENGTH - 2] + (same ? 3 : -2), 0),
                       std::max(at[-1], at[-LENGTH - 1]) - 3);
        want[p] = std::max(want[p], *at);
      }
  }
  return verdict(download(scores, pairs) == want);
}
