// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileReader.h"

namespace heddle::profile {

const JsonWording ProfileReader::wording{
    .missing = "{place}field '{key}' is missing",
    .unlike = "{place}field '{key}': expected {expected}",
    .unknown = "{place}field '{key}' is unknown{hint}",
    .about = "{place}field '{key}': {what}",
    .list = "a list",
};

const ProfileReader::Json& ProfileReader::field(const char* name) {
  static const Json nothing;
  if (!json_.is_object()) {
    reader_.complain("expected an object");
    return nothing;
  }
  const Json* found = reader_.require(name, "");
  return found == nullptr ? nothing : *found;
}

void ProfileReader::count(const char* name, std::uint64_t& value) {
  const Json& found = field(name);
  if (!found.is_number_unsigned())
    return reader_.refuse(name, found, "a whole number of at least 0");
  value = found.get<std::uint64_t>();
}

void ProfileReader::number(const char* name, double& value) {
  const Json& found = field(name);
  if (!found.is_number())
    return reader_.refuse(name, found, "a number");
  value = found.get<double>();
}

void ProfileReader::text(const char* name, std::string& value) {
  const Json& found = field(name);
  if (!found.is_string())
    return reader_.refuse(name, found, "a text");
  value = found.get<std::string>();
}

void ProfileReader::textOrNull(const char* name, std::string& value) {
  if (!field(name).is_null())
    text(name, value);
}

void ProfileReader::registerSource(const char* name, RegisterSource& source) {
  std::string found;
  text(name, found);
  if (const auto known = RegisterSource::fromText(found))
    source = *known;
  else
    reader_.complainOf(name, fmt::format("'{}' is not one of estimate, ptxas, given", found));
}

std::size_t ProfileReader::wordNumber(const char* name, std::span<const char* const> words) {
  std::string found;
  text(name, found);
  const auto at = std::ranges::find(words, found);
  if (at == words.end()) {
    reader_.complainOf(name, fmt::format("'{}' is not one of {}", found, fmt::join(words, ", ")));
    return 0;
  }
  return std::size_t(at - words.begin());
}

void ProfileReader::version(const char* name, std::uint64_t known) {
  std::uint64_t found = 0;
  count(name, found);
  if (found != known)
    reader_.complainOf(name, fmt::format("{} is unknown; this heddle reads {}", found, known));
}

std::string ProfileReader::misspelled(std::string_view text) {
  constexpr std::size_t shown = 40;
  return fmt::format("'{}{}' is not spelled as docs/design/recording.md says",
                     text.substr(0, shown), text.size() > shown ? "..." : "");
}

void ProfileReader::lanes(const char* all, const char* taken,
                          std::array<std::uint64_t, 2>& values) {
  std::uint64_t sum = 0;
  count(all, sum);
  count(taken, values[0]);
  if (values[0] > sum)
    reader_.complainOf(taken, fmt::format("{} of {} lanes", values[0], sum));
  values[1] = sum - std::min(sum, values[0]);
}

/// The lost slots with no place of their own; those of branches are checked later.
void ProfileReader::lost(const char* name, KernelProfile& kernel) {
  static constexpr const char* kinds[] = {"branch", "finished", "partial", "sequences"};
  std::array<std::uint64_t, std::size(kinds)> sums{};
  forEach(name, [&](ProfileReader& owner) {
    const std::size_t kind = owner.wordNumber("kind", kinds);
    std::uint64_t slots = 0;
    owner.count("slots", slots);
    sums[kind] += slots;
  });
  lostToBranches_ = sums[0];
  kernel.lostToFinished = sums[1];
  kernel.lostToPartial = sums[2];
  kernel.lostToSequences = sums[3];
}

void ProfileReader::check(const KernelProfile& kernel) {
  if (lostToBranches_ != kernel.lostToBranches())
    reader_.complain(fmt::format("'lost' charges {} slots to branches, 'branches' {}",
                                 lostToBranches_, kernel.lostToBranches()));
  if (!kernel.lanesAddUp())
    reader_.complain(
        fmt::format("kernel '{}' does not add up: {} used and {} lost of {} lane slots",
                    kernel.kernel, kernel.threadInstructions, kernel.lost(), kernel.slots()));
  if (!kernel.switchedOffAddsUp())
    reader_.complain(fmt::format("kernel '{}' does not add up: its lanes that are switched off "
                                 "are not those of its lines and branches",
                                 kernel.kernel));
  if (kernel.recorded && !error_)
    if (const std::string fault = faultOf(*kernel.recorded, kernel.branches.size()); !fault.empty())
      reader_.complain(fmt::format("kernel '{}': {}", kernel.kernel, fault));
}

void ProfileReader::check(const ProgramProfile& profile) {
  for (std::size_t i = 0; i < profile.launches.size(); ++i)
    if (const std::size_t kernel = profile.launches[i].kernel; kernel >= profile.kernels.size())
      reader_.complain(
          fmt::format("launches[{}]: kernel {} of {}", i, kernel, profile.kernels.size()));
  for (const KernelTimeline& timeline : profile.timelines)
    if (timeline.kernel >= profile.kernels.size())
      reader_.complain(
          fmt::format("timelines: kernel {} of {}", timeline.kernel, profile.kernels.size()));
}

} // namespace heddle::profile
