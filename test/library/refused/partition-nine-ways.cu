// expected: heddle: a decision has 2 to 8 ways
#include <heddle/partition.cuh>

int main() {
  return heddle::partition_bytes<9>(1) == 0;
}
