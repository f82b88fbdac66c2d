// SPDX-License-Identifier: Apache-2.0
//
// The profile of a program that a signal ends. A signal handler may do almost nothing, so a thread
// of ours does the work:
//
//   1. Before main we start the thread and install handlers where the program has the default.
//   2. The handler sends the signal's number through a pipe and waits for the answer, eight seconds
//      at most: the thread hangs if the program crashed while it held the heap.
//   3. The thread writes the profile and answers.
//   4. The handler gives the signal its default action and raises it again.
//
// A signal that asks to stop (SIGINT, SIGTERM, SIGHUP) differs: a running launch is asked to stop
// and ends the program itself; else the thread does. The status is 128 + signal.
#include "cudart/ClosedTables.h"
#include "cudart/CudaTypes.h"
#include "cudart/Ending.h"
#include "cudart/HostGuard.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace heddle::cudart {
namespace {

constexpr std::array caughtSignals = {SIGINT,  SIGTERM, SIGHUP, SIGSEGV,
                                      SIGABRT, SIGBUS,  SIGFPE, SIGILL};
constexpr int exitRequest = 0;           ///< no signal: the program calls _exit
constexpr int answerMilliseconds = 8000; ///< less than heddle waits for us
constexpr long sameSignalSeconds = 3;
constexpr std::size_t handlerStackBytes = std::size_t{64} << 10;

std::atomic<bool> stopRequested{false};
std::atomic<int> stoppedBy{0};
std::atomic<long> stopSeconds{0}; ///< when the first one came
std::atomic<int> launchesRunning{0};
std::atomic<const char*> closedTable{nullptr}; ///< what the program read of one
int requests[2] = {-1, -1};                    ///< pipes: read end, write end
int answers[2] = {-1, -1};

bool asksToStop(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}

std::string signalMessage(int signal) {
  return signal == SIGINT
             ? "interrupted"
             : fmt::format("the program ended with signal {} ({})", signal, strsignal(signal));
}

/// The terminal and heddle may both send us one and the same Ctrl-C, on a busy machine seconds
/// apart.
bool isRepeated() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  long first = 0;
  return !stopSeconds.compare_exchange_strong(first, now.tv_sec + sameSignalSeconds) &&
         now.tv_sec <= first;
}

void answerSignals() {
  unsigned char number = 0;
  while (read(requests[0], &number, 1) == 1) {
    if (closedTable != nullptr)
      endWithFault(closedTable.load());
    if (number == exitRequest) {
      leaveRecords("");
      leaveProfile(profile::Ending::Complete, "");
    } else
      leaveProfile(profile::Ending::Interrupted, signalMessage(number));
    if (asksToStop(number))
      _exit(128 + number); // without a flush: the program may hold the lock of stdout
    if (write(answers[1], &number, 1) != 1)
      return;
  }
}

void askForProfile(int signal) {
  if (requests[1] < 0)
    return;
  const auto number = static_cast<unsigned char>(signal);
  if (write(requests[1], &number, 1) != 1)
    return;
  pollfd answer = {.fd = answers[0], .events = POLLIN, .revents = 0};
  while (poll(&answer, 1, answerMilliseconds) < 0 && errno == EINTR) {
  }
}

const void* instructionOf(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(machine.pc);
#else
  return &machine;
#endif
}

void onSignal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && HostGuard::instance().answer(info->si_addr, instructionOf(context)))
    return;
  if (signal == SIGSEGV)
    closedTable = closedTableAt(info->si_addr);
  const int savedErrno = errno;
  if (isFirstProcess()) {
    const bool repeated = asksToStop(signal) && isRepeated();
    if (asksToStop(signal) && !stopRequested)
      stoppedBy = signal;
    const bool first = asksToStop(signal) && !stopRequested.exchange(true);
    if ((first || repeated) && launchesRunning > 0) {
      errno = savedErrno;
      return;
    }
    askForProfile(signal);
  }
  std::signal(signal, SIG_DFL);
  raise(signal); // arrives when this handler returns
}

/// A handler needs a stack of its own when the program has used up its stack.
void giveHandlersAStack() {
  static char memory[handlerStackBytes];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
}

/// With all signals blocked: they are the program's.
void startAnswering() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(answerSignals).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void installHandler(int signal) {
  struct sigaction current = {};
  sigaction(signal, nullptr, &current);
  if (current.sa_handler != SIG_DFL)
    return;
  struct sigaction ours = {};
  ours.sa_sigaction = onSignal;
  ours.sa_flags = SA_ONSTACK | SA_RESTART | SA_SIGINFO;
  sigaction(signal, &ours, nullptr);
}

} // namespace

const std::atomic<bool>& stopRequest() {
  return stopRequested;
}

void endInterrupted() {
  const int signal = stoppedBy != 0 ? stoppedBy.load() : SIGINT;
  endRun(profile::Ending::Interrupted, signalMessage(signal), 128 + signal);
}

bool catchesSegfaults() {
  struct sigaction current = {};
  sigaction(SIGSEGV, nullptr, &current);
  return (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == onSignal;
}

LaunchInProgress::LaunchInProgress() {
  ++launchesRunning;
}

LaunchInProgress::~LaunchInProgress() {
  --launchesRunning;
}

void catchSignals() {
  if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
    return;
  giveHandlersAStack();
  startAnswering();
  for (const int signal : caughtSignals)
    installHandler(signal);
  if (catchesSegfaults())
    HostGuard::instance().enable();
}

} // namespace heddle::cudart

#ifndef __SANITIZE_ADDRESS__
// A program that ends with _exit runs no exit handler of ours. It finds these two before libc's.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
HEDDLE_API void _exit(int status) {
  static std::atomic<bool> once{false};
  if (heddle::cudart::isFirstProcess() && !once.exchange(true) && !heddle::cudart::hasLeftProfile())
    heddle::cudart::askForProfile(heddle::cudart::exitRequest);
  for (;;)
    syscall(SYS_exit_group, status);
}

HEDDLE_API void _Exit(int status) noexcept {
  _exit(status);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
#endif
