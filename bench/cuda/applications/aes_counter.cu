// SPDX-License-Identifier: Apache-2.0
// Encrypts a buffer with AES-128 in counter mode, with the round tables in constant and in shared
// memory, and sums it up.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef uint32_t u32;
typedef uint8_t u8;

static u8 sbox[256];
static u32 te0_host[256];

__constant__ u32 c_te0[256];
__constant__ u8 c_sbox[256];
__constant__ u32 c_rk[44];

#define CK(c)                                                                                      \
  do {                                                                                             \
    if ((c) != cudaSuccess) {                                                                      \
      printf("FAIL: cuda call in line %d\n", __LINE__);                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static u8 gmul(u8 a, u8 b) {
  u8 r = 0;
  while (b) {
    if (b & 1)
      r ^= a;
    a = (a << 1) ^ (a & 0x80 ? 0x1b : 0);
    b >>= 1;
  }
  return r;
}

static void make_tables() {
  u8 p = 1, q = 1;
  do { // p runs over all field elements, q over their inverses
    p = p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    if (q & 0x80)
      q ^= 0x09;
    u8 x = q ^ (u8)(q << 1 | q >> 7) ^ (u8)(q << 2 | q >> 6) ^ (u8)(q << 3 | q >> 5) ^
           (u8)(q << 4 | q >> 4);
    sbox[p] = x ^ 0x63;
  } while (p != 1);
  sbox[0] = 0x63;
  for (int i = 0; i < 256; i++) {
    u8 s = sbox[i];
    te0_host[i] = (u32)gmul(s, 2) << 24 | (u32)s << 16 | (u32)s << 8 | gmul(s, 3);
  }
}

static void expand_key(const u8* key, u32* rk) {
  for (int i = 0; i < 4; i++)
    rk[i] = (u32)key[4 * i] << 24 | key[4 * i + 1] << 16 | key[4 * i + 2] << 8 | key[4 * i + 3];
  u8 rcon = 1;
  for (int i = 4; i < 44; i++) {
    u32 t = rk[i - 1];
    if (i % 4 == 0) {
      t = t << 8 | t >> 24;
      t = (u32)sbox[t >> 24] << 24 | sbox[t >> 16 & 255] << 16 | sbox[t >> 8 & 255] << 8 |
          sbox[t & 255];
      t ^= (u32)rcon << 24;
      rcon = gmul(rcon, 2);
    }
    rk[i] = rk[i - 4] ^ t;
  }
}

__device__ __forceinline__ u32 ror(u32 v, int n) {
  return __funnelshift_r(v, v, n);
}

__device__ uint4 aes_block(uint4 in, const u32* te, const u8* sb) {
  u32 a = in.x ^ c_rk[0], b = in.y ^ c_rk[1], c = in.z ^ c_rk[2], d = in.w ^ c_rk[3];
  for (int r = 1; r < 10; r++) {
    u32 e = te[a >> 24] ^ ror(te[b >> 16 & 255], 8) ^ ror(te[c >> 8 & 255], 16) ^
            ror(te[d & 255], 24) ^ c_rk[4 * r];
    u32 f = te[b >> 24] ^ ror(te[c >> 16 & 255], 8) ^ ror(te[d >> 8 & 255], 16) ^
            ror(te[a & 255], 24) ^ c_rk[4 * r + 1];
    u32 g = te[c >> 24] ^ ror(te[d >> 16 & 255], 8) ^ ror(te[a >> 8 & 255], 16) ^
            ror(te[b & 255], 24) ^ c_rk[4 * r + 2];
    u32 h = te[d >> 24] ^ ror(te[a >> 16 & 255], 8) ^ ror(te[b >> 8 & 255], 16) ^
            ror(te[c & 255], 24) ^ c_rk[4 * r + 3];
    a = e, b = f, c = g, d = h;
  }
#define LAST(p, q, r, s, k)                                                                        \
  (((u32)sb[p >> 24] << 24 | (u32)sb[q >> 16 & 255] << 16 | (u32)sb[r >> 8 & 255] << 8 |           \
    sb[s & 255]) ^                                                                                 \
   c_rk[40 + k])
  return make_uint4(LAST(a, b, c, d, 0), LAST(b, c, d, a, 1), LAST(c, d, a, b, 2),
                    LAST(d, a, b, c, 3));
}

// tables in constant memory: lanes with different bytes wait for each other
__global__ void ctr_constant(uint4* data, int blocks, u32 nonce) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks)
    return;
  uint4 k = aes_block(make_uint4(nonce, ~nonce, 0, i), c_te0, c_sbox);
  uint4 v = data[i];
  v.x ^= k.x, v.y ^= k.y, v.z ^= k.z, v.w ^= k.w;
  data[i] = v;
}

// tables copied into shared memory by each block, several blocks of data to a thread
__global__ void ctr_shared(uint4* data, int blocks, u32 nonce) {
  __shared__ u32 te[256];
  __shared__ u8 sb[256];
  for (int t = threadIdx.x; t < 256; t += blockDim.x) {
    te[t] = c_te0[t];
    sb[t] = c_sbox[t];
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < blocks; i += gridDim.x * blockDim.x) {
    uint4 k = aes_block(make_uint4(nonce, ~nonce, 0, i), te, sb);
    data[i].x ^= k.x;
    data[i].y ^= k.y;
    data[i].z ^= k.z;
    data[i].w ^= k.w;
  }
}

__global__ void fold(const uint4* data, int blocks, u32* digest) {
  u32 h = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < blocks; i += gridDim.x * blockDim.x) {
    uint4 v = data[i];
    h += (v.x ^ v.y * 3u) + (v.z ^ v.w * 5u) * (u32)(i | 1);
  }
  atomicAdd(digest, h);
}

// the standard's own way, byte by byte, for the check
static void reference_block(const u32* rk, u32* io) {
  u8 s[16], t[16];
  for (int i = 0; i < 16; i++)
    s[i] = io[i / 4] >> (24 - 8 * (i % 4));
  for (int r = 0; r <= 10; r++) {
    if (r > 0) {
      for (int i = 0; i < 16; i++)
        t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];
      for (int c = 0; c < 4; c++)
        for (int k = 0; k < 4; k++) {
          const u8* q = t + 4 * c;
          s[4 * c + k] =
              r == 10 ? q[k]
                      : gmul(q[k], 2) ^ gmul(q[(k + 1) % 4], 3) ^ q[(k + 2) % 4] ^ q[(k + 3) % 4];
        }
    }
    for (int i = 0; i < 16; i++)
      s[i] ^= (u8)(rk[4 * r + i / 4] >> (24 - 8 * (i % 4)));
  }
  for (int k = 0; k < 4; k++)
    io[k] = (u32)s[4 * k] << 24 | s[4 * k + 1] << 16 | s[4 * k + 2] << 8 | s[4 * k + 3];
}

int main(int argc, char** argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 8192;
  if (blocks < 64)
    blocks = 64;
  make_tables();
  u8 key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  u32 rk[44];
  expand_key(key, rk);
  if (rk[43] != 0xb6630ca6u) {
    printf("FAIL key schedule\n");
    return 1;
  }
  std::vector<uint4> plain(blocks), once(blocks), back(blocks);
  u32 s = 1;
  for (auto& p : plain) {
    s = s * 1664525u + 1013904223u;
    p = make_uint4(s, s >> 3, s * 17, s ^ 0xdeadbeef);
  }
  CK(cudaMemcpyToSymbol(c_te0, te0_host, sizeof(te0_host)));
  CK(cudaMemcpyToSymbol(c_sbox, sbox, sizeof(sbox)));
  CK(cudaMemcpyToSymbol(c_rk, rk, sizeof(rk)));
  uint4* d;
  u32* d_digest;
  CK(cudaMalloc(&d, blocks * sizeof(uint4)));
  CK(cudaMalloc(&d_digest, 4));
  CK(cudaMemset(d_digest, 0, 4));
  CK(cudaMemcpy(d, plain.data(), blocks * sizeof(uint4), cudaMemcpyHostToDevice));
  const u32 nonce = 0x01234567;
  int grid = (blocks + 255) / 256;
  ctr_constant<<<grid, 256>>>(d, blocks, nonce);
  fold<<<16, 128>>>(d, blocks, d_digest);
  CK(cudaMemcpy(once.data(), d, blocks * sizeof(uint4), cudaMemcpyDeviceToHost));
  ctr_shared<<<(grid + 1) / 2, 256>>>(d, blocks, nonce ^ 99); // a second layer,
  ctr_shared<<<(grid + 3) / 4, 128>>>(d, blocks, nonce);      // the first one off again,
  ctr_constant<<<grid, 256>>>(d, blocks, nonce ^ 99);         // and the second
  u32 digest, want = 0;
  CK(cudaMemcpy(back.data(), d, blocks * sizeof(uint4), cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(&digest, d_digest, 4, cudaMemcpyDeviceToHost));
  int bad = memcmp(back.data(), plain.data(), blocks * sizeof(uint4)) != 0;
  for (int i = 0; i < blocks; i++) {
    uint4 v = once[i];
    want += (v.x ^ v.y * 3u) + (v.z ^ v.w * 5u) * (u32)(i | 1);
    if (i % 61 == 0) {
      u32 k[4] = {nonce, ~nonce, 0, (u32)i};
      reference_block(rk, k);
      bad += (plain[i].x ^ k[0]) != v.x || (plain[i].y ^ k[1]) != v.y ||
             (plain[i].z ^ k[2]) != v.z || (plain[i].w ^ k[3]) != v.w;
    }
  }
  bad += want != digest;
  printf("digest %08x\n", digest);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad != 0;
}
