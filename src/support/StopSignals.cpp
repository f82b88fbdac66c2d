// SPDX-License-Identifier: Apache-2.0
#include "support/StopSignals.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int stopping[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
constexpr std::chrono::milliseconds patience{12'000};    ///< with a command that ends by itself
constexpr std::chrono::milliseconds childPatience{2000}; ///< between SIGTERM and SIGKILL
constexpr std::chrono::milliseconds pollInterval{2};

struct State {
  std::mutex mutex;
  bool ends = false;
  std::map<pid_t, bool> children; ///< and whether they lead a group
  std::set<std::filesystem::path> temporary;
  std::function<void(const StopRequest&)> ask;
  ChildrenOnStop childrenOnStop = ChildrenOnStop::GoOn; ///< when it is asked
  std::atomic<int> signal = 0;
  bool caught = false;
  sigset_t before = {}; ///< what was blocked when we were started
  sigset_t waited = {};
};

/// Never destroyed: our thread may outlive main.
State& state() {
  static State* const made = new State;
  return *made;
}

void sendTo(const std::map<pid_t, bool>& children, int signal) {
  for (const auto& [child, leadsGroup] : children)
    kill(leadsGroup ? -child : child, signal);
}

bool hasEnded(pid_t child) {
  siginfo_t info = {};
  return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

void waitForEnd(const std::map<pid_t, bool>& children) {
  const auto deadline = Clock::now() + childPatience;
  for (const auto& [child, leadsGroup] : children)
    while (!hasEnded(child) && Clock::now() < deadline)
      std::this_thread::sleep_for(pollInterval);
}

void endChildren(const std::map<pid_t, bool>& children) {
  sendTo(children, SIGCONT);
  sendTo(children, SIGTERM);
  waitForEnd(children);
  sendTo(children, SIGKILL); // also whom a child of ours has started
  waitForEnd(children);      // or it writes into a folder that is being removed
}

[[noreturn]] void endNow(int signal) {
  std::map<pid_t, bool> children;
  std::set<std::filesystem::path> temporary;
  {
    const std::lock_guard lock(state().mutex);
    state().ends = true;
    children = state().children;
    temporary = state().temporary;
  }
  endChildren(children);
  std::error_code ignored;
  for (const std::filesystem::path& path : temporary)
    std::filesystem::remove_all(path, ignored);
  const std::string word =
      signal == SIGINT ? "interrupted"
                       : fmt::format("stopped by signal {} ({})", signal, strsignal(signal));
  const std::string text =
      fmt::format("{}heddle: error: {}\n", isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "", word);
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) {
  } // nobody listens
  _exit(128 + signal);
}

/// Ctrl-Z stops what runs for us, too.
void pauseAll() {
  std::map<pid_t, bool> children;
  {
    const std::lock_guard lock(state().mutex);
    children = state().children;
  }
  sendTo(children, SIGSTOP);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGTSTP);
  raise(SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr); // here we stop, all threads
  pthread_sigmask(SIG_BLOCK, &one, nullptr);
  sendTo(children, SIGCONT);
}

/// Whether the command was asked to end by itself.
bool askPolitely(const siginfo_t& info) {
  const std::lock_guard lock(state().mutex);
  if (!state().ask)
    return false;
  state().ask({info.si_signo, info.si_code == SI_KERNEL});
  if (state().childrenOnStop == ChildrenOnStop::End)
    sendTo(state().children, SIGKILL);
  return true;
}

void waitForSignals() {
  for (;;) {
    siginfo_t info = {};
    if (sigwaitinfo(&state().waited, &info) < 0)
      continue;
    if (info.si_signo == SIGTSTP) {
      pauseAll();
      continue;
    }
    state().signal = info.si_signo;
    if (askPolitely(info)) {
      const timespec limit = {patience.count() / 1000, 0};
      siginfo_t next = {};
      while (sigtimedwait(&state().waited, &next, &limit) < 0 && errno == EINTR) {
      }
    }
    endNow(info.si_signo);
  }
}

bool isIgnored(int signal) {
  struct sigaction current = {};
  sigaction(signal, nullptr, &current);
  return current.sa_handler == SIG_IGN;
}

} // namespace

void catchStopSignals() {
  State& all = state();
  sigemptyset(&all.waited);
  for (const int signal : stopping)
    if (!isIgnored(signal))
      sigaddset(&all.waited, signal);
  if (!isIgnored(SIGTSTP))
    sigaddset(&all.waited, SIGTSTP);
  pthread_sigmask(SIG_BLOCK, &all.waited, &all.before);
  all.caught = true;
  std::thread(waitForSignals).detach();
}

const sigset_t* signalsOfChildren() {
  return state().caught ? &state().before : nullptr;
}

int stopSignal() {
  return state().signal;
}

Uninterrupted::Uninterrupted() : lock_(state().mutex) {
  while (state().ends) {
    lock_.unlock();
    pause(); // until the other thread ends the process
    lock_.lock();
  }
}

void noteChild(pid_t child, bool leadsGroup) {
  state().children[child] = leadsGroup;
}

void forgetChild(pid_t child) {
  state().children.erase(child);
}

RemovedOnStop::RemovedOnStop(std::filesystem::path path) : path_(std::move(path)) {
  const Uninterrupted goesOn;
  state().temporary.insert(path_);
}

RemovedOnStop::RemovedOnStop(RemovedOnStop&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

RemovedOnStop::~RemovedOnStop() {
  if (path_.empty())
    return;
  const Uninterrupted goesOn;
  state().temporary.erase(path_);
}

PoliteStop::PoliteStop(std::function<void(const StopRequest&)> ask, ChildrenOnStop children) {
  const Uninterrupted goesOn;
  state().childrenOnStop = children;
  state().ask = std::move(ask);
}

PoliteStop::~PoliteStop() {
  const Uninterrupted goesOn;
  state().ask = nullptr;
}

} // namespace heddle
