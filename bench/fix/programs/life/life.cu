// SPDX-License-Identifier: Apache-2.0
// Life-like cellular automaton on a board with dead borders.
//   life FILE [RULE [GENERATIONS]]      RULE as in B3/S23
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <cuda_runtime.h>

const int W = 120, Hh = 90;

struct Rule {
  unsigned born, survives;  // bit n: with n neighbours
};

bool parse_rule(const std::string& text, Rule& r) {
  r.born = r.survives = 0;
  unsigned* now = nullptr;
  for (char c : text) {
    if (c == 'B' || c == 'b') now = &r.born;
    else if (c == 'S' || c == 's') now = &r.survives;
    else if (c >= '0' && c <= '8' && now) *now |= 1u << (c - '0');
    else if (c != '/') return false;
  }
  return now != nullptr;
}

__device__ int neighbours(const unsigned char* board, int x, int y) {
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      int xx = x + dx, yy = y + dy;
      if (xx < 0 || xx >= W || yy < 0 || yy >= Hh) continue;
      if (board[yy * W + xx]) ++n;
    }
  }
  return n;
}

__global__ void generation(const unsigned char* board, unsigned char* next, Rule r) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= Hh) return;
  const int n = neighbours(board, x, y);
  unsigned char alive;
  if (board[y * W + x]) {
    alive = (r.survives >> n) & 1;
  } else {
    alive = (r.born >> n) & 1;
  }
  next[y * W + x] = alive;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: life FILE [RULE [GENERATIONS]]\n";
    return 2;
  }
  Rule rule;
  if (!parse_rule(argc > 2 ? argv[2] : "B3/S23", rule)) {
    std::cerr << "bad rule\n";
    return 2;
  }
  const int generations = argc > 3 ? std::atoi(argv[3]) : 12;

  std::ifstream in(argv[1]);
  if (!in) {
    std::cerr << "cannot read " << argv[1] << "\n";
    return 2;
  }
  std::vector<unsigned char> board(W * Hh, 0);
  std::string line;
  for (int y = 20; std::getline(in, line) && y < Hh;) {
    if (!line.empty() && line[0] == '!') continue;
    for (size_t x = 0; x < line.size() && x + 20 < (size_t)W; ++x) board[y * W + x + 20] = line[x] == 'O';
    ++y;
  }

  unsigned char *a, *b;
  if (cudaMalloc(&a, W * Hh) != cudaSuccess || cudaMalloc(&b, W * Hh) != cudaSuccess) return 1;
  cudaMemcpy(a, board.data(), W * Hh, cudaMemcpyHostToDevice);
  dim3 block(4, 4), grid((W + 3) / 4, (Hh + 3) / 4);
  for (int g = 0; g < generations; ++g) {
    generation<<<grid, block>>>(a, b, rule);
    std::swap(a, b);
  }
  std::vector<unsigned char> result(W * Hh);
  if (cudaMemcpy(result.data(), a, W * Hh, cudaMemcpyDeviceToHost) != cudaSuccess) {
    std::cerr << cudaGetErrorString(cudaGetLastError()) << "\n";
    return 1;
  }

  std::vector<unsigned char> next(W * Hh);
  for (int g = 0; g < generations; ++g) {
    for (int y = 0; y < Hh; ++y)
      for (int x = 0; x < W; ++x) {
        int n = 0;
        for (int yy = std::max(0, y - 1); yy <= std::min(Hh - 1, y + 1); ++yy)
          for (int xx = std::max(0, x - 1); xx <= std::min(W - 1, x + 1); ++xx) n += board[yy * W + xx];
        n -= board[y * W + x];
        next[y * W + x] = ((board[y * W + x] ? rule.survives : rule.born) >> n) & 1;
      }
    board.swap(next);
  }
  int population = 0;
  unsigned hash = 2166136261u;
  for (unsigned char c : result) {
    population += c;
    hash = (hash ^ c) * 16777619u;
  }
  std::cout << "generation " << generations << ": " << population << " cells, hash " << std::hex << hash << std::dec << "\n";
  const bool same = result == board;
  std::cout << (same ? "same as on the CPU" : "NOT the same as on the CPU") << std::endl;
  cudaFree(a);
  cudaFree(b);
  return same ? 0 : 1;
}
