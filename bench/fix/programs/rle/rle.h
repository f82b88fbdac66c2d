// SPDX-License-Identifier: Apache-2.0
#ifndef RLE_H
#define RLE_H
#include <vector>

typedef unsigned char byte;

// A stream is a list of chunks; chunk c holds pairs (count, value) in [offset[c], offset[c + 1]).
struct Packed {
  int original;
  std::vector<byte> data;
  std::vector<int> offset;
};

const int CHUNK_BYTES = 256;

Packed rle_compress(const std::vector<byte>& input);
std::vector<byte> rle_expand(const Packed& p);

#endif
