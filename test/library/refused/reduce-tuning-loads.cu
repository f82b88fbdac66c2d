// expected: heddle: reduce_tuning takes 1 to 8 loads
#include <heddle/device_reduce.cuh>

int main() {
  return heddle::reduce_tuning<128, 0>::loads;
}
