// SPDX-License-Identifier: Apache-2.0
//
// NVTX's C++ names, accepted: see nvToolsExt.h.
#ifndef HEDDLE_COMPAT_NVTX3_HPP
#define HEDDLE_COMPAT_NVTX3_HPP

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
};
template <class Domain = domain::global> struct scoped_range_in {
  template <class... Attributes> explicit scoped_range_in(const Attributes&...) {}
  scoped_range_in(const scoped_range_in&) = delete;
  ~scoped_range_in() {}
};
template <class Domain = domain::global> struct unique_range_in {
  template <class... Attributes> explicit unique_range_in(const Attributes&...) {}
};
typedef scoped_range_in<> scoped_range;
typedef unique_range_in<> unique_range;
template <class Domain = domain::global, class... Attributes> void mark(const Attributes&...) {}
template <class Domain = domain::global, class... Attributes> void mark_in(const Attributes&...) {}

struct rgb {
  unsigned char red, green, blue;
};
struct color {
  unsigned value;
  explicit color(unsigned value) : value(value) {}
};
struct payload {
  template <class T> explicit payload(T) {}
};

} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)

#endif
