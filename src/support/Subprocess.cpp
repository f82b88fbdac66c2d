// SPDX-License-Identifier: Apache-2.0
#include "support/Subprocess.h"

#include "support/StopSignals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace heddle {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts)
    result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Our environment with some variables set anew.
std::vector<std::string>
childEnvironment(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    bool changed = false;
    for (const auto& [changedName, value] : changes)
      changed |= name == changedName;
    if (!changed)
      result.emplace_back(text);
  }
  for (const auto& [name, value] : changes)
    result.push_back(name + "=" + value);
  return result;
}

/// What posix_spawn needs, freed afterwards.
struct SpawnSettings {
  explicit SpawnSettings(const SubprocessOptions& options) {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (!options.inputFile.empty())
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, options.inputFile.c_str(), O_RDONLY,
                                       0);
    if (!options.outputFile.empty()) {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.outputFile.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (options.errorFile.empty())
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    } else if (options.outputToError)
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (!options.errorFile.empty())
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, options.errorFile.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (options.input)
      posix_spawn_file_actions_adddup2(&actions, *options.input, Subprocess::inputDescriptor);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); // which we ignore
    sigaddset(&defaults, SIGXFSZ); // which a sweep ignores
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    int flags = POSIX_SPAWN_SETSIGDEF;
    if (const sigset_t* const blocked = signalsOfChildren()) {
      posix_spawnattr_setsigmask(&attributes, blocked);
      posix_spawnattr_setpgroup(&attributes, 0);
      flags |= POSIX_SPAWN_SETSIGMASK | (options.ownGroup ? POSIX_SPAWN_SETPGROUP : 0);
    }
    posix_spawnattr_setflags(&attributes, short(flags));
  }
  SpawnSettings(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// The system puts arguments and environment at the top of a child's stack: their bytes, and a
/// pointer each. What lies below is at the same place if they take as much in every run.
void padToPage(std::vector<std::string>& variables, const std::vector<std::string>& words,
               const std::string& program) {
  constexpr std::size_t unit = 4096;
  std::string padding = "HEDDLE_PADDING=";
  const auto bytesOf = [](const std::string& text) { return text.size() + 1 + sizeof(char*); };
  std::size_t bytes = program.size() + 1 + bytesOf(padding);
  for (const std::string& variable : variables)
    bytes += bytesOf(variable);
  for (const std::string& word : words)
    bytes += bytesOf(word);
  padding.append((unit - bytes % unit) % unit, '-');
  variables.push_back(std::move(padding));
}

/// While one lives, what this thread starts has its addresses not drawn by lot. A system that
/// refuses this, as some containers do, starts it as ever.
class SameAddresses {
public:
  explicit SameAddresses(bool wanted) : before_(wanted ? personality(askOnly) : -1) {
    if (before_ != -1 && personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE) == -1)
      before_ = -1;
  }
  SameAddresses(const SameAddresses&) = delete;
  ~SameAddresses() {
    if (before_ != -1)
      personality(static_cast<unsigned long>(before_));
  }

private:
  static constexpr unsigned long askOnly = 0xffffffff;
  int before_; ///< -1: nothing to put back
};

} // namespace

Expected<Subprocess> Subprocess::start(const std::vector<std::string>& arguments,
                                       const SubprocessOptions& options) {
  const SpawnSettings settings(options);
  std::vector<std::string> words = arguments;
  std::vector<std::string> variables = childEnvironment(options.environment);
  const std::string& program = options.program.empty() ? arguments.front() : options.program;
  if (options.sameAddresses)
    padToPage(variables, words, program);
  pid_t child = 0;
  const Uninterrupted goesOn; // or a stop would not know of this child
  const SameAddresses addresses(options.sameAddresses);
  const int status = posix_spawnp(&child, program.c_str(), &settings.actions, &settings.attributes,
                                  pointers(words).data(), pointers(variables).data());
  if (status != 0)
    return fail(ErrorKind::Io, "cannot run {}: {}", program, std::strerror(status));
  const bool leadsGroup = options.ownGroup && signalsOfChildren() != nullptr;
  noteChild(child, leadsGroup);
  return Subprocess(child, leadsGroup);
}

Subprocess::Subprocess(pid_t child, bool leadsGroup)
    : child_(child), watch_(int(syscall(SYS_pidfd_open, child, 0))), leadsGroup_(leadsGroup) {}

Subprocess::~Subprocess() {
  if (child_ != 0)
    wait();
  if (watch_ >= 0)
    close(watch_);
}

bool Subprocess::hasEnded() const {
  siginfo_t info = {};
  return waitid(P_PID, id_t(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

void Subprocess::kill() const {
  ::kill(leadsGroup_ ? -child_ : child_, SIGKILL);
}

void Subprocess::waitForAny(const std::vector<const Subprocess*>& children,
                            std::chrono::microseconds limit) {
  constexpr std::chrono::microseconds blind{2000}; // where the system has no such descriptors
  std::vector<pollfd> watched;
  for (const Subprocess* child : children) {
    if (child->watch_ >= 0)
      watched.push_back({child->watch_, POLLIN, 0});
    else
      limit = limit.count() < 0 ? blind : std::min(limit, blind);
  }
  const timespec time = {limit.count() / 1'000'000, limit.count() % 1'000'000 * 1000};
  ppoll(watched.data(), watched.size(), limit.count() < 0 ? nullptr : &time, nullptr);
}

SubprocessEnd Subprocess::wait() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  const Uninterrupted goesOn; // what a stop ended has no result
  forgetChild(std::exchange(child_, 0));
  if (WIFEXITED(status))
    return {WEXITSTATUS(status), 0};
  return {128 + WTERMSIG(status), WTERMSIG(status)};
}

Expected<Pipe> Pipe::make() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::Io, "cannot create a pipe: {}", std::strerror(errno));
  return Pipe(ends[0], ends[1]);
}

Pipe::~Pipe() {
  closeRead();
  if (write_ >= 0)
    close(write_);
}

void Pipe::closeRead() {
  if (read_ >= 0)
    close(std::exchange(read_, -1));
}

void Pipe::finish(std::string_view text) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  while (!text.empty()) {
    const ssize_t written = write(write_, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      break; // the reader has gone: its exit status says why
    text.remove_prefix(written < 0 ? 0 : std::size_t(written));
  }
  close(std::exchange(write_, -1));
  std::signal(SIGPIPE, before);
}

} // namespace heddle
