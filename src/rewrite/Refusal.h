// SPDX-License-Identifier: Apache-2.0
//
// A rewrite that is refused is not an error: it is a verdict with a stable id, which docs/fix.md
// lists, and a reason that a person can act on.
//
//   return refuse("barrier-inside", "line {} calls __syncthreads", line);
#pragma once

#include <fmt/format.h>
#include <tl/expected.hpp>

#include <string>

namespace heddle::rewrite {

struct Refusal {
  std::string id;
  std::string reason;
};

template <class T> using Legal = tl::expected<T, Refusal>;

template <class... Args>
tl::unexpected<Refusal> refuse(std::string id, fmt::format_string<Args...> reason, Args&&... args) {
  return tl::unexpected(Refusal{std::move(id), fmt::format(reason, std::forward<Args>(args)...)});
}

} // namespace heddle::rewrite
