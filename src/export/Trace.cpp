// SPDX-License-Identifier: Apache-2.0
//
// The timing model's run as Chrome's trace events, which Perfetto reads: the launches one after the
// other, and for each kernel with a timeline the blocks and warps of one multiprocessor, where its
// longest launch begins. Times are in microseconds of the modelled GPU.
#include "export/Formats.h"
#include "report/Json.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::exporting {
namespace {

using profile::ProgramProfile;
using profile::Timeline;
using report::Json;

constexpr int launchesProcess = 1;

class TraceWriter {
public:
  explicit TraceWriter(const ProgramProfile& profile) : profile_(profile) {}

  std::string write() {
    addLaunches();
    int process = launchesProcess;
    for (const profile::KernelTimeline& timeline : profile_.timelines)
      addTimeline(++process, timeline);
    const Json document{{"displayTimeUnit", "ns"},
                        {"otherData", {{"device", profile_.device}, {"times", "estimated"}}},
                        {"traceEvents", std::move(events_)}};
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

private:
  void name(const char* kind, int process, int thread, const std::string& text) {
    events_.push_back({{"ph", "M"},
                       {"name", kind},
                       {"pid", process},
                       {"tid", thread},
                       {"args", {{"name", text}}}});
  }
  /// Tracks are shown in this order.
  void sort(int process, int thread) {
    events_.push_back({{"ph", "M"},
                       {"name", "thread_sort_index"},
                       {"pid", process},
                       {"tid", thread},
                       {"args", {{"sort_index", thread}}}});
  }
  void slice(int process, int thread, const std::string& text, double begin, double duration,
             Json arguments) {
    events_.push_back({{"ph", "X"},
                       {"name", text},
                       {"cat", "heddle"},
                       {"pid", process},
                       {"tid", thread},
                       {"ts", begin},
                       {"dur", duration},
                       {"args", std::move(arguments)}});
  }

  void addLaunches() {
    name("process_name", launchesProcess, 0, "launches on " + profile_.device);
    name("thread_name", launchesProcess, 1, "kernels");
    double time = 0;
    longestBegins_.assign(profile_.kernels.size(), 0);
    std::vector<double> longest(profile_.kernels.size(), -1);
    for (const profile::LaunchRecord& launch : profile_.launches) {
      const double microseconds = launch.estimatedSeconds * 1e6;
      if (launch.estimatedSeconds > longest[launch.kernel]) {
        longest[launch.kernel] = launch.estimatedSeconds;
        longestBegins_[launch.kernel] = time;
      }
      slice(launchesProcess, 1, profile_.kernels[launch.kernel].kernel, time, microseconds,
            {{"grid", launch.grid},
             {"block", launch.block},
             {"warpInstructions", launch.warpInstructions},
             {"threadInstructions", launch.threadInstructions}});
      time += microseconds;
    }
  }

  /// A track for each place of a block, and below it one for each of its warps.
  void addTimeline(int process, const profile::KernelTimeline& timeline) {
    const double started = longestBegins_[timeline.kernel];
    name("process_name", process, 0,
         fmt::format("{}: one of {} multiprocessors", profile_.kernels[timeline.kernel].kernel,
                     timeline.multiprocessors));
    std::size_t warps = 0;
    for (const Timeline::Block& block : timeline.blocks)
      warps = std::max(warps, block.warps.size());
    const auto track = [&](const Timeline::Block& block, std::size_t below) {
      return int(block.slot * (warps + 1) + below + 1);
    };
    std::vector<bool> named;
    for (const Timeline::Block& block : timeline.blocks) {
      if (block.slot >= named.size())
        named.resize(std::size_t(block.slot) + 1);
      if (!named[block.slot]) {
        named[block.slot] = true;
        for (std::size_t below = 0; below <= block.warps.size(); ++below) {
          name("thread_name", process, track(block, below),
               below == 0 ? fmt::format("block place {}", block.slot)
                          : fmt::format("place {} warp {}", block.slot, below - 1));
          sort(process, track(block, below));
        }
      }
      const auto show = [&](std::size_t below, const std::string& text, std::uint32_t begin,
                            std::uint32_t end) {
        const double cycle = timeline.megahertz > 0 ? 1 / timeline.megahertz : 0;
        slice(process, track(block, below), text, started + begin * cycle,
              (end - std::min(begin, end)) * cycle, {{"cycles", end - std::min(begin, end)}});
      };
      show(0, fmt::format("block {}", block.number), block.begin, block.end);
      for (std::size_t i = 0; i < block.warps.size(); ++i)
        show(i + 1, fmt::format("warp {}", i), block.warps[i].begin, block.warps[i].end);
    }
  }

  const ProgramProfile& profile_;
  std::vector<double> longestBegins_; ///< microseconds, of each kernel
  Json events_ = Json::array();
};

} // namespace

std::string traceOf(const ProgramProfile& profile) {
  return TraceWriter(profile).write();
}

} // namespace heddle::exporting
