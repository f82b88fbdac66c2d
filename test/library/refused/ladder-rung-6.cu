// expected: heddle: the ladder has rungs 1 to 5
#include <heddle/ladder.cuh>

int main() {
  int* sums[2] = {};
  int* where = nullptr;
  return heddle::ladder::add<6, 64>(sums[0], 1u, sums, &where);
}
