// SPDX-License-Identifier: Apache-2.0
// Trap 11: whether char is signed and how wide a long double is differs between hosts; the device
// must follow the host in the first, and a long double of the host must not change what a kernel is
// given.
#include <cstddef>

#include "../check.h"

struct Host {
  long double precise; // stays on the host
  int count;
};
struct Message {
  char letter;
  signed char small;
  unsigned char large;
  long number;
  double value;
};

__global__ void run(int* out, Message message) {
  const char wrapped = char(200 + threadIdx.x % 2);
  out[0] = wrapped < 0;
  out[1] = message.letter;
  out[2] = message.small;
  out[3] = message.large;
  out[4] = message.letter >> 1;
  out[5] = int(sizeof(Message)) + int(offsetof(Message, value));
  out[6] = int(message.number % 1000) + int(message.value);
}

int main() {
  Host host{0.5L, 3};
  for (int i = 0; i < host.count; ++i)
    host.precise = host.precise * 3.0L + 0.25L;
  const Message message{char(0xe9), -7, 250, 123456789012l, double(host.precise)};
  DeviceArray<int> out(7);
  run<<<1, 1>>>(out, message);
  CHECK_LAUNCH();
  const char wrapped = char(200);
  const int want[7] = {wrapped < 0,
                       message.letter,
                       -7,
                       250,
                       message.letter >> 1,
                       int(sizeof(Message)) + int(offsetof(Message, value)),
                       12 + int(host.precise)};
  expectArray("out", out.read(), [&](size_t i) { return want[i]; });
  return finish();
}
