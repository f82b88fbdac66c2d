// SPDX-License-Identifier: Apache-2.0
//
// Command lines, stop watches and comparisons of results in the manner of NVIDIA's samples. For
// programs that include helper_functions.h and do not bring their own.
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_

#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <sstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

#include "helper_string.h"
#include "helper_timer.h"

// Whether the length of the difference is a small part of that of the reference.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int count,
                           const float epsilon) {
  float difference = 0, length = 0;
  for (unsigned int i = 0; i < count; ++i) {
    difference += (reference[i] - data[i]) * (reference[i] - data[i]);
    length += reference[i] * reference[i];
  }
  if (fabsf(length) < 1e-7f) {
    fprintf(stderr, "sdkCompareL2fe: the reference is 0\n");
    return false;
  }
  return sqrtf(difference) / sqrtf(length) < epsilon;
}

// Whether no more than a share of the elements differs by more than epsilon.
template <class T, class S>
bool compareData(const T* reference, const T* data, const unsigned int count, const S epsilon,
                 const float threshold) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = (double)reference[i] - (double)data[i];
    wrong += !(difference <= epsilon && difference >= -epsilon);
  }
  return threshold == 0.0f ? wrong == 0 : wrong <= threshold * count;
}

// Numbers that are separated by white space; the memory is for free().
template <class T> bool sdkReadFile(const char* name, T** data, unsigned int* count, bool verbose) {
  std::ifstream file(name);
  if (!file.good()) {
    if (verbose)
      fprintf(stderr, "sdkReadFile: %s cannot be opened\n", name);
    return false;
  }
  std::vector<T> read;
  for (T value; file >> value;)
    read.push_back(value);
  if (*data == NULL)
    *data = (T*)malloc(sizeof(T) * read.size());
  std::copy(read.begin(), read.end(), *data);
  *count = (unsigned int)read.size();
  return true;
}
template <class T, class S>
bool sdkWriteFile(const char* name, const T* data, unsigned int count, const S, bool,
                  bool append = false) {
  std::ofstream file(name, append ? std::ios::app : std::ios::out);
  for (unsigned int i = 0; i < count; ++i)
    file << data[i] << ' ';
  file << '\n';
  return file.good();
}

#endif
