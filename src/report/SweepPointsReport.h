// SPDX-License-Identifier: Apache-2.0
//
// The points of 'heddle sweep', as a text, JSON, CSV and pictures.
#pragma once

#include "study/StudyFile.h"
#include "support/Error.h"
#include "support/Terminal.h"
#include "sweep/PointTable.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct SweepPoints {
  std::string title;
  std::string database; ///< the file
  std::vector<sweep::PointRow> rows;
  std::vector<std::string> problems{}; ///< of the spec and of ranks
};

/// What a run of the sweep adds: how many points ended in it, and in how many seconds.
struct SweepSession {
  std::size_t ended = 0;
  double seconds = 0;
};

std::string pointsSummary(const SweepPoints& points, const std::optional<SweepSession>& run,
                          const TextStyle& style);

/// Names of outputs, in the order they came first; `onlyVarying`: those that differ from point to
/// point.
std::vector<std::string> pointsOutputs(const SweepPoints& points, bool onlyVarying);

/// A line for each point, with these outputs.
std::string pointsTable(const SweepPoints& points, const std::vector<std::string>& outputs,
                        const TextStyle& style);

std::string pointsJson(const SweepPoints& points);

/// All inputs and outputs, as RFC 4180 has it.
std::string pointsCsv(const SweepPoints& points);

/// Points that are done as one row of inputs and outputs each, for figures.
std::vector<sweep::Row> pointsRows(const SweepPoints& points);

/// The figures as one picture. An error names one that no point belongs to.
Expected<std::string> pointsPicture(const SweepPoints& points,
                                    const std::vector<study::Figure>& figures);

} // namespace heddle::report
