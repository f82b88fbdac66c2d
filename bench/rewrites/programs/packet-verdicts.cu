// SPDX-License-Identifier: Apache-2.0
// Counts how many packets a small rule set accepts, drops, logs or rejects.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Packet {
  uint32_t source;
  uint16_t port;
  uint16_t length;
};

struct Tally {
  int accepted, dropped, logged, rejected;
};

__global__ void filter(const Packet* packets, Tally* tally, int n) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    Packet p = packets[i];
    if ((p.source >> 24) == 10) {
      atomicAdd(&tally->accepted, 1);
    } else if (p.port < 1024 && p.port != 443) {
      atomicAdd(&tally->dropped, 1);
    } else if (p.length > 1200) {
      atomicAdd(&tally->logged, 1);
    } else {
      atomicAdd(&tally->rejected, 1);
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<Packet> packets(n);
  uint32_t s = 443;
  for (Packet& p : packets) {
    s = s * 1664525u + 1013904223u;
    p.source = (s & 0x30000) ? (s >> 4) : (10u << 24 | s >> 12);
    s = s * 1664525u + 1013904223u;
    p.port = static_cast<uint16_t>((s >> 8) % 3000);
    p.length = static_cast<uint16_t>((s >> 14) % 1500);
  }
  Packet* dPackets;
  Tally* dTally;
  cudaMalloc(&dPackets, n * sizeof(Packet));
  cudaMalloc(&dTally, sizeof(Tally));
  cudaMemcpy(dPackets, packets.data(), n * sizeof(Packet), cudaMemcpyHostToDevice);
  cudaMemset(dTally, 0, sizeof(Tally));
  filter<<<2112, 256>>>(dPackets, dTally, n);
  Tally t;
  cudaMemcpy(&t, dTally, sizeof(Tally), cudaMemcpyDeviceToHost);
  std::printf("accepted %d dropped %d logged %d rejected %d\n", t.accepted, t.dropped, t.logged,
              t.rejected);
  cudaFree(dPackets);
  cudaFree(dTally);
  return 0;
}
