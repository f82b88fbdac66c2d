// SPDX-License-Identifier: Apache-2.0
//
// A rewrite that is refused is not an error: it is a verdict with a stable id, and a reason that a
// person can act on. Ids stand in tables with what they mean and what to do; docs/fix.md is made
// from them. An id that is in no table does not compile:
//
//   inline constexpr RefusalTable refusals{{{"barrier-inside", "There is a barrier.", "Move
//   it."}}}; return refuse(refusals["barrier-inside"], "line {} calls __syncthreads", line);
#pragma once

#include <fmt/format.h>
#include <tl/expected.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace heddle::rewrite {

/// The rewrite is not for code like that at all; other refusals say something of the code.
enum class Fit { Meant, NotMeant };

struct RefusalKind {
  std::string_view id;
  std::string_view meaning; ///< a sentence or two, in Markdown
  std::string_view action;  ///< what to do; empty: nothing
  Fit fit = Fit::Meant;
};

template <std::size_t N> struct RefusalTable {
  RefusalKind rows[N];

  // NOLINTNEXTLINE(google-explicit-constructor): a table is a list of its rows
  constexpr operator std::span<const RefusalKind>() const { return rows; }

  consteval const RefusalKind& operator[](std::string_view id) const {
    for (const RefusalKind& row : rows)
      if (row.id == id)
        return row;
    throw "this id is not in the table";
  }
};
template <std::size_t N> RefusalTable(const RefusalKind (&)[N]) -> RefusalTable<N>;

struct Refusal {
  Refusal(const RefusalKind& of, std::string why) : kind(&of), reason(std::move(why)) {}

  const RefusalKind* kind; ///< lives as long as the program
  std::string reason;

  bool is(const RefusalKind& other) const { return kind->id == other.id; }
};

template <class T> using Legal = tl::expected<T, Refusal>;

template <class... Args>
tl::unexpected<Refusal> refuse(const RefusalKind& kind, fmt::format_string<Args...> reason,
                               Args&&... args) {
  return tl::unexpected(Refusal(kind, fmt::format(reason, std::forward<Args>(args)...)));
}

} // namespace heddle::rewrite
