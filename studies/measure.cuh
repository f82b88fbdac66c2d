// SPDX-License-Identifier: Apache-2.0
//
// What every study program needs: `--name value` arguments, rows as JSON lines, times by events.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

/// Ends the program where a CUDA call fails.
#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status_ = (call);                                                            \
    if (status_ != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(status_), \
              cudaGetErrorString(status_));                                                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

namespace measure {

/// The program's `--name value` pairs. Ask for each with argument("name", default), then done().
class Arguments {
public:
  Arguments(int count, char** words) : words_(words + 1, words + count), used_(words_.size()) {}

  long long operator()(const char* name, long long fallback) {
    const std::string flag = std::string("--") + name;
    for (size_t place = 0; place + 1 < words_.size(); ++place) {
      if (words_[place] != flag)
        continue;
      used_[place] = used_[place + 1] = true;
      char* end = nullptr;
      fallback = strtoll(words_[place + 1].c_str(), &end, 10);
      if (*end != '\0' || fallback < 0) {
        fprintf(stderr, "%s %s: expected a number\n", flag.c_str(), words_[place + 1].c_str());
        exit(1);
      }
    }
    return fallback;
  }

  /// Ends the program if a word was asked for by nobody.
  void done() const {
    for (size_t place = 0; place < words_.size(); ++place) {
      if (!used_[place]) {
        fprintf(stderr, "unknown argument '%s'\n", words_[place].c_str());
        exit(1);
      }
    }
  }

private:
  std::vector<std::string> words_;
  std::vector<bool> used_;
};

template <class Value> void printValue(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>)
    fputs(value ? "true" : "false", stdout);
  else if constexpr (std::is_integral_v<Value>)
    printf("%lld", static_cast<long long>(value));
  else if constexpr (std::is_floating_point_v<Value>)
    printf("%.9g", static_cast<double>(value));
  else
    printf("\"%s\"", std::string(value).c_str()); // our own words: nothing to escape
}

inline void printFields(const char*) {}

template <class Value, class... Rest>
void printFields(const char* comma, const char* name, const Value& value, const Rest&... rest) {
  printf("%s\"%s\": ", comma, name);
  printValue(value);
  printFields(", ", rest...);
}

/// Prints one JSON line: row("series", "native", "p", 0.1, ...).
template <class... Fields> void row(const Fields&... fields) {
  putchar('{');
  printFields("", fields...);
  puts("}");
}

/// The time of what `launch` puts on the default stream; with repeats, the best after a warm-up.
template <class Launch> double milliseconds(Launch launch, int repeats = 1) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  if (repeats > 1)
    launch();
  float best = 0;
  for (int round = 0; round < std::max(repeats, 1); ++round) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    float time = 0;
    CHECK(cudaEventElapsedTime(&time, begin, end));
    best = round == 0 ? time : std::min(best, time);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return best;
}

/// Device memory for `count` values, poisoned, so that no kernel's result is there by accident.
template <class Value> Value* allocate(size_t count) {
  Value* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(Value)));
  CHECK(cudaMemset(memory, 0xa5, count * sizeof(Value)));
  return memory;
}

template <class Value> Value* upload(const std::vector<Value>& values) {
  Value* memory = allocate<Value>(values.size());
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(Value), cudaMemcpyHostToDevice));
  return memory;
}

template <class Value> std::vector<Value> download(const Value* memory, size_t count) {
  std::vector<Value> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(Value), cudaMemcpyDeviceToHost));
  return values;
}

} // namespace measure
