// SPDX-License-Identifier: Apache-2.0
//
// What a document claims, as a question to the rows that were measured: does it hold?
//
//   linear           R^2 of the least-squares line through (x, y)
//   flat             (max - min) / mean of y
//   value            mean, min, max, first, last, sum or count of y
//   place            x of the largest or smallest y
//   ratio            y of one set of rows over y of another, paired by x
//   share            share of those pairs whose ratio is below, or above, a limit
//   rising, falling  the largest relative step of y in the other direction, over ascending x
//
// A check without rows fails: it cannot be said to hold.
#pragma once

#include "study/Rows.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::study {

enum class CheckKind { Linear, Flat, Value, Place, Ratio, Share, Rising, Falling };
enum class Take { Mean, Min, Max, First, Last, Sum, Count };

struct Check {
  std::string id;
  std::string says; ///< what the document claims, one sentence
  CheckKind kind = CheckKind::Value;
  Filter where = Filter::object(); ///< rows the check is about
  Filter of = Filter::object();    ///< ratio, share: numerator
  Filter to = Filter::object();    ///< ratio, share: denominator
  std::string x{};
  std::string y{};
  Take take = Take::Mean;
  std::optional<double> atLeast{};
  std::optional<double> atMost{}; ///< rising, falling: the slack
  std::optional<double> below{};  ///< share
  std::optional<double> above{};
  std::optional<std::pair<double, double>> xRange{}; ///< rows outside are left out
  std::string on{};                                  ///< "engine", "gpu" or empty for both
  std::vector<std::string> devices{};                ///< empty: all
};

struct CheckResult {
  bool holds = false;
  std::optional<double> found; ///< nothing when it could not be computed
  std::size_t rows = 0;        ///< that the answer rests on; pairs for ratio and share
  std::string reason{};        ///< why nothing was found; else empty
};

CheckResult evaluate(const Check& check, const std::vector<Row>& rows);

/// "linear", ...: how a declaration writes a kind, and all of them.
std::string_view kindName(CheckKind kind);
const std::vector<std::string>& kindNames();

/// "at least 0.999", "0.66 to 0.67", "at most 0.02"
std::string boundText(const Check& check);

} // namespace heddle::study
