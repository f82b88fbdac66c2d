// SPDX-License-Identifier: Apache-2.0
// Unions, bit fields, packed and aligned structs, 8- and 16-bit values: the same bytes on the
// device and on the host.
#include <cstring>

#include "../check.h"

union Word {
  unsigned bits;
  float number;
  unsigned char bytes[4];
  struct {
    unsigned short low, high;
  } halves;
};
struct Flags {
  unsigned kind : 3;
  int delta : 7;
  unsigned long long key : 40;
  bool ready : 1;
};
struct __attribute__((packed)) Record {
  char tag;
  unsigned value;
  short rest;
};
struct alignas(16) Quad {
  float values[3];
};

__host__ __device__ unsigned work(unsigned i) {
  Word word;
  word.number = float(i) * 1.25f;
  word.bytes[1] ^= (unsigned char)i;
  word.halves.high += 3;
  Flags flags{};
  flags.kind = i; // keeps three bits
  flags.delta = int(i % 128) - 64;
  flags.key = 0x123456789aull * i;
  flags.ready = i & 4;
  signed char small = (signed char)(i * 3);
  unsigned short medium = (unsigned short)(i * 4001);
  return word.bits ^ flags.kind ^ unsigned(flags.delta * 256) ^ unsigned(flags.key >> 9) ^
         (flags.ready ? 1u << 31 : 0) ^ unsigned(small / 2) ^ unsigned(medium * 5);
}

__global__ void run(unsigned* out, Record* records, Quad* quads) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(i);
  quads[i].values[2] = float(i);
  // A packed struct is not aligned; its bytes are copied one by one.
  const Record record{char(i), i * 77777, short(-int(i))};
  memcpy(&records[i], &record, sizeof record);
}

int main() {
  DeviceArray<unsigned> out(256);
  DeviceArray<Record> records(256);
  DeviceArray<Quad> quads(256);
  run<<<2, 128>>>(out, records, quads);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return work(unsigned(i)); });
  const std::vector<Record> gotRecords = records.read();
  const std::vector<Quad> gotQuads = quads.read();
  for (int i = 0; i < 256; ++i) {
    const Record& got = gotRecords[i];
    expectTrue("record", got.tag == char(i) && got.value == unsigned(i) * 77777 && got.rest == -i);
    expectEqual("quad", gotQuads[i].values[2], float(i));
  }
  expectEqual("size of the packed struct", sizeof(Record), size_t(7));
  return finish();
}
