// SPDX-License-Identifier: Apache-2.0
#include "profile/RecordedText.h"

#include "profile/Timeline.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace heddle::profile {
namespace {

/// Takes numbers from the front of a text.
class NumberText {
public:
  explicit NumberText(std::string_view text) : text_(text) {}

  bool isEmpty() const { return text_.empty(); }
  /// What is between the numbers.
  bool take(char separator) {
    if (text_.empty() || text_.front() != separator)
      return false;
    text_.remove_prefix(1);
    return true;
  }
  bool number(std::uint32_t& value, int base = 10) {
    const auto [end, error] =
        std::from_chars(text_.data(), text_.data() + text_.size(), value, base);
    if (error != std::errc())
      return false;
    text_.remove_prefix(std::size_t(end - text_.data()));
    return true;
  }
  bool lanes(LaneMask& value) {
    const std::size_t before = text_.size();
    return number(value, 16) && before - text_.size() == 8;
  }

private:
  std::string_view text_;
};

} // namespace

std::string lanesText(LaneMask lanes) {
  return fmt::format("{:08x}", lanes);
}

std::string stretchText(const Stretch& stretch) {
  std::string text;
  for (const LineRun& line : stretch)
    fmt::format_to(std::back_inserter(text), "{}{}:{}", text.empty() ? "" : " ", line.place,
                   line.instructions);
  return text;
}

std::string ownersText(const LaneOwners& owners) {
  std::string text = lanesText(owners.active) + " " + lanesText(owners.finished);
  for (const LaneOwners::Loss& loss : owners.lost)
    fmt::format_to(std::back_inserter(text), " {}:{:08x}", loss.branch, loss.lanes);
  return text;
}

std::string runsText(const std::vector<RecordedWarp::Run>& runs) {
  std::string text;
  text.reserve(runs.size() * 10);
  for (const RecordedWarp::Run& run : runs)
    fmt::format_to(std::back_inserter(text), "{}{} {} {}", text.empty() ? "" : " ", run.stretch,
                   run.owners, run.times);
  return text;
}

std::optional<Stretch> readStretch(std::string_view text) {
  NumberText rest(text);
  Stretch stretch;
  while (!rest.isEmpty()) {
    if (!stretch.empty() && !rest.take(' '))
      return std::nullopt;
    LineRun& line = stretch.emplace_back();
    if (!rest.number(line.place) || !rest.take(':') || !rest.number(line.instructions))
      return std::nullopt;
  }
  return stretch;
}

std::optional<LaneOwners> readOwners(std::string_view text) {
  NumberText rest(text);
  LaneOwners owners;
  if (!rest.lanes(owners.active) || !rest.take(' ') || !rest.lanes(owners.finished))
    return std::nullopt;
  while (!rest.isEmpty()) {
    LaneOwners::Loss& loss = owners.lost.emplace_back();
    if (!rest.take(' ') || !rest.number(loss.branch) || !rest.take(':') || !rest.lanes(loss.lanes))
      return std::nullopt;
  }
  return owners;
}

std::optional<std::vector<RecordedWarp::Run>> readRuns(std::string_view text) {
  NumberText rest(text);
  std::vector<RecordedWarp::Run> runs;
  while (!rest.isEmpty()) {
    if (!runs.empty() && !rest.take(' '))
      return std::nullopt;
    RecordedWarp::Run& run = runs.emplace_back();
    if (!rest.number(run.stretch) || !rest.take(' ') || !rest.number(run.owners) ||
        !rest.take(' ') || !rest.number(run.times))
      return std::nullopt;
  }
  return runs;
}

std::string timelineText(const Timeline::Block& block) {
  std::string text = fmt::format("{} {} {} {}", block.number, block.slot, block.begin, block.end);
  for (const Timeline::Warp& warp : block.warps)
    fmt::format_to(std::back_inserter(text), " {}:{}", warp.begin, warp.end);
  return text;
}

std::optional<Timeline::Block> readTimelineBlock(std::string_view text) {
  NumberText rest(text);
  Timeline::Block block;
  if (!rest.number(block.number) || !rest.take(' ') || !rest.number(block.slot) ||
      !rest.take(' ') || !rest.number(block.begin) || !rest.take(' ') || !rest.number(block.end))
    return std::nullopt;
  while (!rest.isEmpty()) {
    Timeline::Warp& warp = block.warps.emplace_back();
    if (!rest.take(' ') || !rest.number(warp.begin) || !rest.take(':') || !rest.number(warp.end))
      return std::nullopt;
  }
  return block;
}

std::optional<LaneMask> readLanes(std::string_view text) {
  NumberText rest(text);
  LaneMask lanes = 0;
  return rest.lanes(lanes) && rest.isEmpty() ? std::optional(lanes) : std::nullopt;
}

} // namespace heddle::profile
