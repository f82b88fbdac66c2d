// SPDX-License-Identifier: Apache-2.0
#include "driver/LiveRun.h"

#include "driver/Advice.h"
#include "driver/ReportCommand.h"
#include "frontend/CompilerFlags.h"
#include "profile/ProfileJson.h"
#include "support/Files.h"
#include "support/Subprocess.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

namespace heddle::driver {

namespace fs = std::filesystem;

struct LiveRuns::State {
  std::mutex turn;  ///< who has it runs
  std::mutex child; ///< guards what is below
  pid_t pid = 0;
  std::uint64_t newest = 0;
  std::string lastFile;
  std::optional<page::PageRun> last; ///< of number `newest`, once it is there
};

namespace {

constexpr std::size_t mostFiles = 500;
constexpr std::size_t mostPrinted = 8000;

bool isSkipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with(".") || name == "build" || name == "node_modules";
}

/// Ends a child that runs for too long: politely, then less so. Destroyed when the child has ended.
class Watchdog {
public:
  Watchdog(pid_t child, int seconds)
      : thread_([this, child, seconds] { watch(child, std::chrono::seconds(seconds)); }) {}
  Watchdog(const Watchdog&) = delete;
  ~Watchdog() { finish(); }

  /// Whether it had to do something.
  bool finish() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
      thread_.join();
    return acted_;
  }

private:
  void watch(pid_t child, std::chrono::seconds patience) {
    std::unique_lock lock(mutex_);
    for (const int signal : {SIGTERM, SIGTERM, SIGKILL}) {
      if (changed_.wait_for(lock, patience, [this] { return done_; }))
        return;
      acted_ = true;
      kill(child, signal);
      patience = std::chrono::seconds(2);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  bool acted_ = false;
  std::thread thread_; ///< the last: it uses the others
};

std::string beginning(const fs::path& file) {
  auto text = readFile(file);
  if (!text)
    return "";
  if (text->size() > mostPrinted)
    text->replace(mostPrinted, std::string::npos, "\n...\n");
  return *std::move(text);
}

/// The text names files by where they lie for us: "photon.cu" is what the user knows.
std::string withoutFolder(std::string text, const fs::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
    text.erase(at, prefix.size());
  return text;
}

/// The signal that ended it says less.
std::string tookTooLong(int seconds) {
  return "it ran for more than " + std::to_string(seconds) +
         " s and was ended; 'heddle serve --limit " + std::to_string(6 * seconds) +
         "' would wait longer";
}

} // namespace

LiveRuns::LiveRuns(LiveSettings settings, TemporaryFolder folder)
    : settings_(std::move(settings)), place_(fs::absolute(settings_.folder).lexically_normal()),
      temporary_(std::move(folder)), state_(std::make_shared<State>()) {}

Expected<LiveRuns> LiveRuns::make(LiveSettings settings) {
  std::error_code error;
  if (!fs::is_directory(settings.folder, error))
    return fail(ErrorKind::BadInput, "there is no folder {}", settings.folder.string());
  HEDDLE_TRY(TemporaryFolder folder, TemporaryFolder::make());
  LiveRuns runs(std::move(settings), std::move(folder));
  if (runs.files().empty())
    return fail(ErrorKind::BadInput, "there is no .cu file in {}", runs.settings_.folder.string());
  return runs;
}

std::vector<std::string> LiveRuns::files() const {
  std::vector<std::string> names;
  std::error_code error;
  fs::recursive_directory_iterator each(place_, fs::directory_options::skip_permission_denied,
                                        error);
  for (const fs::recursive_directory_iterator end; each != end && names.size() < mostFiles;
       each.increment(error)) {
    if (error)
      break;
    if (each->is_directory(error) && isSkipped(each->path()))
      each.disable_recursion_pending();
    else if (each->path().extension() == ".cu" && each->is_regular_file(error))
      names.push_back(each->path().lexically_relative(place_).string());
  }
  std::ranges::sort(names);
  return names;
}

Expected<void> LiveRuns::check(const std::string& file) const {
  if (!std::ranges::binary_search(files(), file))
    return fail(ErrorKind::NotFound, "there is no file '{}' in the folder", file);
  return {};
}

Expected<std::string> LiveRuns::read(const std::string& file) const {
  HEDDLE_CHECK(check(file));
  return readFile(place_ / file);
}

fs::path LiveRuns::includes(const std::string& file) const {
  return (place_ / file).parent_path();
}

Expected<LiveOutcome> LiveRuns::run(const std::string& file, const std::string& text) {
  HEDDLE_CHECK(check(file));
  LiveOutcome overtaken{.overtaken = true};
  {
    const std::lock_guard lock(state_->child);
    overtaken.number = ++state_->newest;
    state_->last.reset();
    if (state_->pid != 0)
      kill(state_->pid, SIGTERM);
  }
  const std::lock_guard turn(state_->turn);
  {
    const std::lock_guard lock(state_->child);
    if (overtaken.number != state_->newest)
      return overtaken;
  }
  HEDDLE_CHECK(writeFile(temporary_.path() / fs::path(file).filename(), text));
  LiveOutcome outcome = runChild(file, overtaken.number);
  const std::lock_guard lock(state_->child);
  outcome.overtaken = outcome.number != state_->newest;
  if (!outcome.overtaken) {
    const auto saved = readFile(place_ / file);
    if (outcome.run && saved && *saved == text)
      outcome.run->command = fixCommandFor({(settings_.folder / file).lexically_normal().string()});
    state_->last = outcome.run;
    state_->lastFile = file;
  }
  return outcome;
}

LiveOutcome LiveRuns::runChild(const std::string& file, std::uint64_t number) {
  LiveOutcome outcome{.number = number};
  const fs::path& folder = temporary_.path();
  const fs::path source = folder / fs::path(file).filename();
  const fs::path profile = folder / "profile.json";
  const fs::path printed = folder / "printed.txt";
  std::error_code error;
  fs::remove(profile, error);
  const auto start = std::chrono::steady_clock::now();
  auto child = Subprocess::start(
      {"heddle", "run", source.string(), "-I", includes(file).string(), "--profile",
       profile.string(), "--device", settings_.device.asked, "--max-instructions",
       std::to_string(settings_.mostInstructions), "--quiet"},
      {.program = "/proc/self/exe",
       .inputFile = "/dev/null",
       .outputFile = printed.string(),
       .environment = profile::ProgramSettings{{profile::Setting::RecordWarps, "3"}}.variables()});
  if (!child) {
    outcome.status = 2;
    outcome.printed = child.error().message;
    return outcome;
  }
  {
    const std::lock_guard lock(state_->child);
    state_->pid = child->id();
  }
  Watchdog watchdog(child->id(), settings_.seconds);
  outcome.status = child->wait().exitCode;
  {
    const std::lock_guard lock(state_->child);
    state_->pid = 0;
  }
  outcome.ranTooLong = watchdog.finish();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.printed = withoutFolder(beginning(printed), folder);
  if (outcome.ranTooLong)
    outcome.printed += "heddle: " + tookTooLong(settings_.seconds) + "\n";
  const auto text = readFile(profile);
  if (auto read = text ? profile::readProfile(*text, "the profile")
                       : fail(ErrorKind::NotFound, "no profile")) {
    page::PageRun run{
        .name = fs::path(file).filename().string(), .profile = *std::move(read), .sources = {}};
    run.sources = page::sourcesOf(run.profile, {});
    if (outcome.ranTooLong)
      run.profile.fault = tookTooLong(settings_.seconds);
    outcome.run = std::move(run);
  }
  return outcome;
}

Expected<page::PageRun> LiveRuns::advise(std::uint64_t number) {
  const std::lock_guard turn(state_->turn);
  std::optional<page::PageRun> run;
  std::string file;
  {
    const std::lock_guard lock(state_->child);
    if (number != state_->newest || !state_->last)
      return fail(ErrorKind::NotFound, "a newer run has taken its place");
    run = state_->last;
    file = state_->lastFile;
  }
  frontend::CompilerFlags flags;
  const std::array<std::string, 2> include = {"-I", includes(file).string()};
  HEDDLE_CHECK(frontend::takeCompilerFlag(include, flags));
  run->advice = adviceFor(
      run->profile, settings_.device.gpu,
      {.files = {(temporary_.path() / fs::path(file).filename()).string()}, .flags = flags}, true);
  return *std::move(run);
}

} // namespace heddle::driver
