// SPDX-License-Identifier: Apache-2.0
#include "report/SplitReport.h"

#include "report/Format.h"
#include "report/Json.h"
#include "report/Table.h"

namespace heddle::report {
namespace {

std::string boundText(const SplitFindings& f, const TextStyle& style) {
  Table table("lrr");
  table.addRow({"path", "time", "occupancy alone"});
  for (std::size_t path = 0; path < f.paths.size(); ++path)
    table.addRow({std::string(1, static_cast<char>('A' + path)),
                  fmt::format("{:.4g}", f.paths[path].time), percent(f.paths[path].occupancy)});
  std::string text = style.bold("splitting the branch into one kernel per path") + "\n";
  text += table.print();
  text += fmt::format("  branched {:.4g}, split {:.4g} with an overhead of {:.4g}\n",
                      f.bound->branchedTime, f.bound->splitTime, f.overhead);
  const std::string speedup = factor(f.bound->speedup);
  text += fmt::format("  bound: {} where every warp is mixed\n",
                      f.bound->speedup > 1 ? style.good(speedup) : style.bad(speedup));
  text += "  an upper bound: it takes time to go with 1/occupancy, which few modern kernels do\n";
  return text;
}

} // namespace

std::string splitText(const SplitFindings& f, const TextStyle& style) {
  std::string text;
  if (f.bound)
    text += boundText(f, style);
  if (f.mixedShare)
    text += fmt::format("{}{} of the warps run both paths when a thread takes the else path with "
                        "probability {:.4g}\n",
                        text.empty() ? "" : "\n", style.bold(percent(*f.mixedShare)), *f.elseShare);
  return text;
}

std::string splitJson(const SplitFindings& f) {
  Json json = startJson("split");
  json["paths"] = Json::array();
  for (const model::SplitPath& path : f.paths)
    json["paths"].push_back({{"time", path.time}, {"occupancy", path.occupancy}});
  json["overhead"] = f.overhead;
  json["branchedTime"] = f.bound ? Json(f.bound->branchedTime) : Json(nullptr);
  json["splitTime"] = f.bound ? Json(f.bound->splitTime) : Json(nullptr);
  json["speedupBound"] = f.bound ? Json(f.bound->speedup) : Json(nullptr);
  json["p"] = orNull(f.elseShare);
  json["mixedWarpShare"] = orNull(f.mixedShare);
  return printJson(json);
}

} // namespace heddle::report
