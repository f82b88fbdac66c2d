// SPDX-License-Identifier: Apache-2.0
// Decodes blocks of a Huffman code, each thread its own block, by walking the tree bit by bit.
#include "common.h"
#include <queue>
#include <string>

const int SYMBOLS = 64; // in each block

struct Node {
  short left, right, symbol;
};

__global__ void decodeBlocks(const Node* tree, int root, const unsigned* bits, const int* start,
                             unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = start[i];
  for (int k = 0; k < SYMBOLS; ++k) {
    int node = root;
    while (tree[node].left >= 0) {
      bool bit = bits[at / 32] >> at % 32 & 1;
      node = bit ? tree[node].right : tree[node].left;
      ++at;
    }
    out[i * SYMBOLS + k] = (unsigned char)tree[node].symbol;
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 256);
  Random random(107);
  std::vector<unsigned char> text(n * SYMBOLS);
  int counts[32] = {};
  for (auto& c : text) {
    c = (unsigned char)(random.next() % 32 & random.next() % 32 & random.next() % 32);
    ++counts[c];
  }
  std::vector<Node> tree;
  std::priority_queue<std::pair<int, int>> open;
  for (short s = 0; s < 32; ++s) {
    tree.push_back({-1, -1, s});
    open.push({-counts[s] - 1, s});
  }
  while (open.size() > 1) {
    auto a = open.top();
    open.pop();
    auto b = open.top();
    open.pop();
    tree.push_back({(short)a.second, (short)b.second, -1});
    open.push({a.first + b.first, (int)tree.size() - 1});
  }
  int root = (int)tree.size() - 1;
  std::vector<std::string> codes(tree.size());
  for (int node = root; node >= 0; --node)
    if (tree[node].left >= 0) {
      codes[tree[node].left] = codes[node] + '0';
      codes[tree[node].right] = codes[node] + '1';
    }
  std::vector<unsigned> bits;
  std::vector<int> start;
  int at = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i % SYMBOLS == 0)
      start.push_back(at);
    for (char bit : codes[text[i]]) {
      if (at % 32 == 0)
        bits.push_back(0);
      bits[at / 32] |= (unsigned)(bit - '0') << at % 32;
      ++at;
    }
  }
  unsigned char* out = allocate<unsigned char>(text.size());
  decodeBlocks<<<(n + 63) / 64, 64>>>(upload(tree), root, upload(bits), upload(start), out, n);
  return verdict(download(out, text.size()) == text);
}
