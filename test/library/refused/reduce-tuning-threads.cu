// expected: heddle: reduce_tuning takes blocks of 1 to 32 whole warps
#include <heddle/device_reduce.cuh>

int main() {
  return heddle::reduce_tuning<100, 4>::threads;
}
