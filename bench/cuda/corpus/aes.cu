// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode, by bytes, with the box in shared memory.
#include "common.h"

struct Key {
  unsigned char rounds[176];
};

__host__ __device__ unsigned char twice(unsigned char x) {
  return (unsigned char)(x << 1 ^ (x >> 7) * 0x1b);
}

__host__ __device__ void encrypt(unsigned char* s, const Key& key, const unsigned char* box) {
  for (int i = 0; i < 16; ++i)
    s[i] ^= key.rounds[i];
  for (int round = 1; round <= 10; ++round) {
    unsigned char t[16];
    for (int i = 0; i < 16; ++i)
      t[i] = box[s[(i + 4 * (i % 4)) % 16]];
    for (int c = 0; c < 16; c += 4) {
      unsigned char all = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3];
      for (int i = 0; i < 4; ++i) {
        unsigned char mixed =
            round == 10 ? t[c + i] : t[c + i] ^ all ^ twice(t[c + i] ^ t[c + (i + 1) % 4]);
        s[c + i] = mixed ^ key.rounds[16 * round + c + i];
      }
    }
  }
}

__host__ __device__ void encryptBlock(unsigned char* data, int number, const Key& key,
                                      const unsigned char* box) {
  unsigned char counter[16] = {};
  for (int i = 0; i < 4; ++i)
    counter[15 - i] = (unsigned char)(number >> 8 * i);
  encrypt(counter, key, box);
  for (int i = 0; i < 16; ++i)
    data[16 * number + i] ^= counter[i];
}

__global__ void counterMode(unsigned char* data, int blocks, Key key, const unsigned char* box) {
  __shared__ unsigned char local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = box[i];
  __syncthreads();
  int number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number < blocks)
    encryptBlock(data, number, key, local);
}

int main(int argc, char** argv) {
  int blocks = argument(argc, argv, 512);
  std::vector<unsigned char> box(256), data(16 * blocks);
  unsigned char p = 1, q = 1;
  do {
    p = p ^ twice(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q ^= q & 0x80 ? 0x09 : 0;
    box[p] = q ^ (unsigned char)(q << 1 | q >> 7) ^ (unsigned char)(q << 2 | q >> 6) ^
             (unsigned char)(q << 3 | q >> 5) ^ (unsigned char)(q << 4 | q >> 4) ^ 0x63;
  } while (p != 1);
  box[0] = 0x63;
  Key key;
  for (int i = 0; i < 16; ++i)
    key.rounds[i] = (unsigned char)i;
  for (int i = 16, rcon = 1; i < 176; i += 4)
    for (int k = 0; k < 4; ++k) {
      unsigned char last = key.rounds[i - 4 + k];
      if (i % 16 == 0) {
        last = box[key.rounds[i - 4 + (k + 1) % 4]] ^ (k == 0 ? rcon : 0);
        rcon = k == 3 ? twice((unsigned char)rcon) : rcon;
      }
      key.rounds[i + k] = key.rounds[i - 16 + k] ^ last;
    }
  unsigned char known[16];
  for (int i = 0; i < 16; ++i)
    known[i] = (unsigned char)(i * 0x11);
  encrypt(known, key, box.data());
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = (unsigned char)(i * 13);
  unsigned char *d = upload(data), *b = upload(box);
  counterMode<<<(blocks + 127) / 128, 128>>>(d, blocks, key, b);
  for (int i = 0; i < blocks; ++i)
    encryptBlock(data.data(), i, key, box.data());
  return verdict(known[0] == 0x69 && known[15] == 0x5a && download(d, data.size()) == data);
}
