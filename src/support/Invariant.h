// SPDX-License-Identifier: Apache-2.0
//
// Checks that stay in release builds: cheap ones that guard an account we report, so that a bug of
// ours ends the program with its place instead of printing a wrong number.
#pragma once

#include <cstdio>
#include <cstdlib>

#define HEDDLE_INVARIANT(condition, why)                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "heddle: internal error: %s:%d: %s (%s)\n", __FILE__, __LINE__, why,    \
                   #condition);                                                                    \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)
