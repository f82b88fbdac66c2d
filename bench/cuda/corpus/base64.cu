// SPDX-License-Identifier: Apache-2.0
// Base64: encodes three bytes to four characters, and decodes them again.
#include "common.h"

__device__ const char letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void encode64(const unsigned char* in, char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (3 * i >= n)
    return;
  int left = min(3, n - 3 * i);
  unsigned word = in[3 * i] << 16;
  if (left > 1)
    word |= in[3 * i + 1] << 8;
  if (left > 2)
    word |= in[3 * i + 2];
  for (int k = 0; k < 4; ++k)
    out[4 * i + k] = k <= left ? letters[word >> (18 - 6 * k) & 63] : '=';
}

__device__ unsigned valueOf(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : 0;
}

__global__ void decode64(const char* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (3 * i >= n)
    return;
  unsigned word = 0;
  for (int k = 0; k < 4; ++k)
    word = word << 6 | valueOf(in[4 * i + k]);
  for (int k = 0; k < 3 && 3 * i + k < n; ++k)
    out[3 * i + k] = (unsigned char)(word >> (16 - 8 * k));
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 10000), groups = (n + 2) / 3;
  Random random(113);
  std::vector<unsigned char> bytes(n);
  for (auto& byte : bytes)
    byte = (unsigned char)(random.next() >> 11);
  bytes[0] = 'M', bytes[1] = 'a', bytes[2] = 'n';
  unsigned char *in = upload(bytes), *back = allocate<unsigned char>(n);
  char* text = allocate<char>(4 * groups);
  encode64<<<(groups + 255) / 256, 256>>>(in, text, n);
  decode64<<<(groups + 255) / 256, 256>>>(text, back, n);
  std::vector<char> code = download(text, 4 * groups);
  return verdict(code[0] == 'T' && code[1] == 'W' && code[2] == 'F' && code[3] == 'u' &&
                 download(back, n) == bytes);
}
