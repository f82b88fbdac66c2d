// expected: heddle: the ladder takes blocks of 64 to 1024 threads, a power of two
#include <heddle/ladder.cuh>

int main() {
  int* sums[2] = {};
  int* where = nullptr;
  return heddle::ladder::add<5, 96>(sums[0], 1u, sums, &where);
}
