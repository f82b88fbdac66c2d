// SPDX-License-Identifier: Apache-2.0
//
// What rank 0 and the others say to each other:
//
//   worker                        rank 0
//   hello (version, host, slots)
//                                 welcome (which outputs to keep)
//                                 task (a point), up to one for each slot
//   result (of a point)           task ...
//   beat, every second            beat, every second
//                                 end
//   bye
//                                 leave (whether all are still there)
#pragma once

#include "sweep/PointTable.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::sweep {

struct WorkerMessage {
  std::string kind;                   ///< a word of the table above
  std::string version{}, host{};      ///< hello
  int slots = 0;                      ///< hello: points it runs at once
  std::vector<std::string> outputs{}; ///< welcome
  Task task{};
  PointResult result{};
  bool complete = false; ///< leave: no rank has died
};

std::string encode(const WorkerMessage& message);

/// Nothing where the text is none of ours.
std::optional<WorkerMessage> decode(const std::string& text);

} // namespace heddle::sweep
