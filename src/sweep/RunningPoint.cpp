// SPDX-License-Identifier: Apache-2.0
#include "sweep/RunningPoint.h"

#include "support/Files.h"
#include "support/Parse.h"
#include "support/Printable.h"
#include "sweep/Outputs.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <system_error>

#include <unistd.h>

namespace heddle::sweep {
namespace {

constexpr std::size_t longestLog = 4096;
constexpr int findingsStatus = 1; ///< a command ran well and has something to say

std::string utcNow() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// The words with --json among heddle's own, which end at "--".
std::vector<std::string> withJson(const std::vector<std::string>& command) {
  std::vector<std::string> words = {"heddle"};
  words.insert(words.end(), command.begin(), command.end());
  const auto end = std::ranges::find(words, "--");
  if (std::find(words.begin(), end, "--json") == end)
    words.insert(end, "--json");
  return words;
}

/// Its last characters, from the beginning of a line on.
std::string tailOf(const std::string& text) {
  if (text.size() <= longestLog)
    return printable(text);
  const std::size_t cut = text.size() - longestLog;
  const std::size_t line = text.find('\n', cut);
  return printable(text.substr(line == std::string::npos ? cut : line + 1));
}

/// What a compiler complained of first, and what heddle said at last.
std::string messageOf(const std::string& errors) {
  constexpr std::string_view ours = "heddle: error: ", compilers = " error: ";
  std::string first, last;
  for (const std::string_view line : splitText(errors, '\n')) {
    if (line.starts_with(ours))
      last = line.substr(ours.size());
    else if (first.empty() && line.find(compilers) != std::string_view::npos)
      first = line;
  }
  if (first.empty() || last.empty())
    return printableLine(first.empty() ? last : first);
  return printableLine(fmt::format("{}: {}", last, first));
}

std::string endText(const SubprocessEnd& end) {
  return end.signal != 0 ? fmt::format("ended by signal {} ({})", end.signal, strsignal(end.signal))
                         : fmt::format("ended with status {}", end.exitCode);
}

std::string takeText(const std::filesystem::path& file) {
  std::string text = readFile(file).value_or("");
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return text;
}

bool isDone(const Task& task, const SubprocessEnd& end, bool hasOutputs) {
  const std::string& command = task.command.front();
  const bool judges = command == "study" || command == "fix" || command == "tune";
  return hasOutputs && (end.exitCode == 0 || (judges && end.exitCode == findingsStatus));
}

} // namespace

std::string hostName() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return printableLine(name);
}

Expected<RunningPoint> RunningPoint::start(const Task& task, const PointSettings& settings,
                                           int number) {
  const auto file = [&](const char* kind) {
    return (settings.folder / fmt::format("{}.{}", number, kind)).string();
  };
  const Clock::time_point begin = Clock::now();
  HEDDLE_TRY(Subprocess process,
             Subprocess::start(withJson(task.command),
                               {.program = "/proc/self/exe",
                                .inputFile = "/dev/null",
                                .outputFile = file("out"),
                                .errorFile = file("err"),
                                .environment = {{"HEDDLE_ENDS_WITH", std::to_string(getpid())}}}));
  return RunningPoint(task, std::move(process), settings, number, begin);
}

RunningPoint::RunningPoint(Task task, Subprocess process, const PointSettings& settings, int number,
                           Clock::time_point begin)
    : task_(std::move(task)), process_(std::move(process)), settings_(&settings),
      output_(settings.folder / fmt::format("{}.out", number)),
      errors_(settings.folder / fmt::format("{}.err", number)), begin_(begin), started_(utcNow()) {}

std::chrono::microseconds RunningPoint::patience() const {
  if (!task_.limit || tooLong_)
    return std::chrono::microseconds(-1);
  const std::chrono::duration<double> limit(*task_.limit);
  const auto left =
      std::chrono::duration_cast<std::chrono::microseconds>(limit - (Clock::now() - begin_));
  return std::max(left, std::chrono::microseconds(0));
}

bool RunningPoint::isOver() {
  if (!tooLong_ && patience().count() == 0) {
    tooLong_ = true;
    process_.kill();
  }
  if (!end_ && process_.hasEnded()) {
    end_ = process_.wait();
    seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  return end_.has_value();
}

PointResult RunningPoint::result() {
  const std::string output = takeText(output_), errors = takeText(errors_);
  PointResult result{.id = task_.id,
                     .outputs = outputsOf(output, settings_->outputs),
                     .seconds = seconds_,
                     .started = started_,
                     .version = settings_->version,
                     .host = hostName()};
  const bool printed = !output.empty() && output.front() == '{';
  result.done = !tooLong_ && isDone(task_, *end_, printed);
  if (result.done)
    return result;
  result.log = tailOf(errors);
  result.message =
      tooLong_ ? fmt::format("took longer than {} s", *task_.limit) : messageOf(errors);
  if (result.message.empty())
    result.message = end_->exitCode == 0 ? "it printed no JSON" : endText(*end_);
  return result;
}

PointResult failedToStart(const Task& task, const PointSettings& settings, std::string message) {
  return {.id = task.id,
          .message = std::move(message),
          .started = utcNow(),
          .version = settings.version,
          .host = hostName()};
}

} // namespace heddle::sweep
