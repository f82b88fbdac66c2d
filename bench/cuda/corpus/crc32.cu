// SPDX-License-Identifier: Apache-2.0
// CRC-32 of many packets of unequal length, with the table in constant memory.
#include "common.h"

__constant__ unsigned table[256];

__global__ void checkPackets(const unsigned char* bytes, const int* start, unsigned* crcs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned crc = 0xffffffff;
  for (int k = start[i]; k < start[i + 1]; ++k)
    crc = table[(crc ^ bytes[k]) & 255] ^ crc >> 8;
  crcs[i] = ~crc;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 512);
  unsigned host[256];
  for (unsigned i = 0; i < 256; ++i) {
    host[i] = i;
    for (int bit = 0; bit < 8; ++bit)
      host[i] = host[i] >> 1 ^ (host[i] & 1 ? 0xedb88320u : 0);
  }
  CHECK(cudaMemcpyToSymbol(table, host, sizeof(host)));
  Random random(101);
  std::vector<int> start(1, 0);
  std::vector<unsigned char> bytes;
  for (int i = 0; i < n; ++i) {
    int length = random.next() % 4 ? 64 : 32 + random.next() % 200;
    for (int k = 0; k < length; ++k)
      bytes.push_back((unsigned char)random.next());
    start.push_back((int)bytes.size());
  }
  unsigned* crcs = allocate<unsigned>(n);
  checkPackets<<<(n + 127) / 128, 128>>>(upload(bytes), upload(start), crcs, n);
  std::vector<unsigned> want(n);
  for (int i = 0; i < n; ++i) {
    unsigned crc = 0xffffffff;
    for (int k = start[i]; k < start[i + 1]; ++k)
      crc = host[(crc ^ bytes[k]) & 255] ^ crc >> 8;
    want[i] = ~crc;
  }
  return verdict(download(crcs, n) == want);
}
