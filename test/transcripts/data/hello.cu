#include <cstdio>

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i)
    printf("%s\n", arguments[i]);
  return count - 1;
}
