// SPDX-License-Identifier: Apache-2.0
#include "export/Findings.h"

#include "advise/Prediction.h"
#include "report/Format.h"
#include "report/ProfileRows.h"

#include <algorithm>
#include <charconv>

namespace heddle::exporting {
namespace {

using profile::KernelProfile;
using profile::ProgramProfile;
using profile::SourceLocation;

Level levelFor(double share) {
  return share >= warningShare ? Level::Warning : Level::Note;
}

double shareOf(const KernelProfile& kernel, std::uint64_t slots) {
  return kernel.slots() == 0 ? 0 : double(slots) / double(kernel.slots());
}

/// "photon.cu:21: kernel ..." begins with the place.
SourceLocation placeIn(const std::string& fault) {
  const std::size_t end = fault.find(": ");
  const std::size_t colon = fault.rfind(':', end == std::string::npos ? end : end - 1);
  if (end == std::string::npos || colon == std::string::npos || colon + 1 >= end)
    return {};
  int line = 0;
  const auto [stop, error] = std::from_chars(fault.data() + colon + 1, fault.data() + end, line);
  if (error != std::errc() || stop != fault.data() + end || line < 1)
    return {};
  return {fault.substr(0, colon), line, 0};
}

/// Where the kernel is: the first place that is known of it.
SourceLocation placeOf(const KernelProfile& kernel) {
  for (const profile::BranchProfile& branch : kernel.branches)
    if (branch.site.inlinedAt.empty() && !branch.site.where.file.empty())
      return {branch.site.where.file, branch.site.where.line, 0};
  for (const profile::MemoryProfile& access : kernel.accesses)
    if (access.site.inlinedAt.empty() && !access.site.where.file.empty())
      return {access.site.where.file, access.site.where.line, 0};
  return {};
}

/// A note: the lane is at work for the GPU, and a jump around so little may cost more.
void addSwitchedOff(const KernelProfile& kernel, std::vector<ProfileFinding>& findings) {
  for (const report::OffRow& row : report::switchedOffLines(kernel))
    if (row.share >= leastShare)
      findings.push_back(
          {"heddle-switched-off", Level::Note,
           fmt::format(
               "In this line predicates switch off {}: {} of all lanes at work in kernel '{}'.",
               row.what, report::percent(row.share), kernel.kernel),
           row.where, kernel.kernel});
}

void addLanes(const KernelProfile& kernel, std::vector<ProfileFinding>& findings) {
  for (const report::BranchRow& row : report::worstBranches(kernel))
    if (const double share = shareOf(kernel, row.lostSlots); share >= leastShare)
      findings.push_back({"heddle-lost-lanes", levelFor(share),
                          fmt::format("Kernel '{}' loses {} of its lanes to this branch: {}.",
                                      kernel.kernel, report::percent(share), row.why),
                          row.where, kernel.kernel, share});
  addSwitchedOff(kernel, findings);
  if (const double share = shareOf(kernel, kernel.lostToPartial); share >= leastShare)
    findings.push_back({"heddle-partial-warps", levelFor(share),
                        fmt::format("Kernel '{}' loses {} of its lanes to warps that have less "
                                    "than 32 threads: blocks of {} threads.",
                                    kernel.kernel, report::percent(share),
                                    kernel.block[0] * kernel.block[1] * kernel.block[2]),
                        placeOf(kernel), kernel.kernel, share});
}

void addMemory(const KernelProfile& kernel, std::vector<ProfileFinding>& findings) {
  for (const report::MemoryRow& row : report::notableAccesses(kernel))
    findings.push_back({"heddle-memory-access", Level::Note,
                        fmt::format("Kernel '{}': {}.", kernel.kernel, row.what), row.where,
                        kernel.kernel});
}

std::string rewriteMessage(const advise::Candidate& candidate) {
  const std::string form = candidate.form.empty() ? "" : " (" + candidate.form + ")";
  const std::string speed =
      candidate.predictedSpeedup > 0
          ? fmt::format(", predicted {:.2f}x ({:.2f} to {:.2f})", candidate.predictedSpeedup,
                        candidate.low, candidate.high)
          : "";
  const bool isGood =
      candidate.predictedSpeedup > 0 && advise::judge(candidate) != advise::Pays::No;
  if (candidate.isAdvice)
    return fmt::format("Kernel '{}' may gain{}: {}.", candidate.kernel, speed, candidate.reason);
  if (candidate.applies || (candidate.id.empty() && isGood))
    return fmt::format("Rewrite {}{} of kernel '{}' may help{}. 'heddle fix' tries it and proves "
                       "it.",
                       candidate.rewrite, form, candidate.kernel, speed);
  return fmt::format("Rewrite {}{} of kernel '{}' is not advised{}{}{}.", candidate.rewrite, form,
                     candidate.kernel, speed, candidate.reason.empty() ? "" : ": ",
                     candidate.reason);
}

} // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"heddle-fault", "Fault", "A check stopped the program.",
       "A GPU would go wrong here silently, or end the program.", Level::Error},
      {"heddle-lost-lanes", "LostLanes", "A branch parts the lanes of warps.",
       "A warp runs every path that one of its lanes takes, with the other lanes empty. 'heddle "
       "fix' looks for a rewrite that pays.",
       Level::Warning},
      {"heddle-partial-warps", "PartialWarps", "Blocks end in warps that are not full.",
       "Choose a block size that is a multiple of 32.", Level::Warning},
      {"heddle-memory-access", "MemoryAccess",
       "A memory instruction moves more than its lanes need.",
       "Neighbouring lanes should use neighbouring addresses, and different banks of shared "
       "memory.",
       Level::Note},
      {"heddle-remark", "Remark", "The program did something that a GPU may not forgive.",
       "A call that failed without the program asking, memory that is never freed, or device "
       "memory "
       "that the host touches.",
       Level::Warning},
      {"heddle-rewrite", "Rewrite", "A rewrite that was considered.",
       "'heddle fix' applies what pays, and proves it.", Level::Note},
      {"heddle-switched-off", "SwitchedOff", "Predicates switch off lanes.",
       "The compiler made instructions with a predicate of a short branch: all lanes run them, and "
       "those it does not hold for do nothing.",
       Level::Note},
  };
  return all;
}

std::vector<ProfileFinding> findingsOf(const ProgramProfile& profile,
                                       const std::vector<advise::Candidate>& advice) {
  std::vector<ProfileFinding> findings;
  if (!profile.fault.empty())
    findings.push_back({"heddle-fault", Level::Error, profile.fault, placeIn(profile.fault)});
  for (const KernelProfile& kernel : profile.kernels) {
    addLanes(kernel, findings);
    addMemory(kernel, findings);
  }
  for (const profile::Remark& remark : profile.remarks)
    findings.push_back({"heddle-remark", Level::Warning, remark.text, remark.where});
  for (const advise::Candidate& candidate : advice)
    findings.push_back({"heddle-rewrite",
                        Level::Note,
                        rewriteMessage(candidate),
                        {candidate.file, candidate.line, candidate.column},
                        candidate.kernel});
  return findings;
}

} // namespace heddle::exporting
