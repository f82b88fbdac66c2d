// SPDX-License-Identifier: Apache-2.0
#include "driver/FixChoice.h"

#include "report/FixReport.h"

#include <fmt/format.h>

#include <array>

namespace heddle::driver {
namespace {

constexpr const char* help = "y - apply this one\n"
                             "n - leave it\n"
                             "s - show what it changes\n"
                             "a - apply this one and all others that pay\n"
                             "q - leave this one and all others\n";

} // namespace

char FixChoice::answer(const advise::Candidate& candidate) const {
  fmt::print(questions_, "{} [y,n,s,a,q,?] ",
             style_.bold(fmt::format("{}:{} {}{} gains {:.2f}x of {} ({:.2f} to {:.2f}). Apply it?",
                                     candidate.file, candidate.line, candidate.rewrite,
                                     candidate.form.empty() ? "" : " (" + candidate.form + ")",
                                     candidate.predictedSpeedup, candidate.kernel, candidate.low,
                                     candidate.high)));
  std::fflush(questions_);
  std::array<char, 256> line{};
  if (std::fgets(line.data(), int(line.size()), answers_) == nullptr) {
    fmt::print(questions_, "\n");
    return 'q';
  }
  return line[0];
}

bool FixChoice::operator()(const advise::Candidate& candidate, const std::string& diff) {
  while (rest_ == Rest::Ask)
    switch (answer(candidate)) {
    case 'y':
      return true;
    case 'n':
      return false;
    case 's':
      fmt::print(questions_, "{}", report::coloredDiff(diff, style_));
      break;
    case 'a':
      rest_ = Rest::Take;
      break;
    case 'q':
      rest_ = Rest::Leave;
      break;
    default:
      fmt::print(questions_, "{}", help);
    }
  return rest_ == Rest::Take;
}

} // namespace heddle::driver
