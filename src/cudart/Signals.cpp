// SPDX-License-Identifier: Apache-2.0
//
// The profile of a program that a signal ends. A signal handler may do almost nothing, so a thread
// of ours does the work:
//
//   1. Before main we start the thread and install handlers where the program has the default.
//   2. The handler sends the signal's number through a pipe and waits for the answer, three seconds
//      at most: the thread hangs if the program crashed while it held the heap.
//   3. The thread writes the profile and answers.
//   4. The handler gives the signal its default action and raises it again.
//
// Ctrl-C differs: a running launch is asked to stop and ends the program itself; else the thread
// does, with status 130.
#include "cudart/Ending.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace heddle::cudart {
namespace {

constexpr std::array caughtSignals = {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr int answerMilliseconds = 3000;
constexpr std::size_t handlerStackBytes = std::size_t{64} << 10;

std::atomic<bool> stopRequested{false};
std::atomic<int> launchesRunning{0};
int requests[2] = {-1, -1}; ///< pipes: read end, write end
int answers[2] = {-1, -1};

void answerSignals() {
  unsigned char number = 0;
  while (read(requests[0], &number, 1) == 1) {
    if (number == SIGINT) {
      leaveProfile(profile::Ending::Interrupted, "interrupted");
      _exit(interruptedStatus); // without a flush: the program may hold the lock of stdout
    }
    leaveProfile(profile::Ending::Interrupted,
                 fmt::format("the program ended with signal {} ({})", number, strsignal(number)));
    if (write(answers[1], &number, 1) != 1)
      return;
  }
}

void askForProfile(int signal) {
  const auto number = static_cast<unsigned char>(signal);
  if (write(requests[1], &number, 1) != 1)
    return;
  pollfd answer = {.fd = answers[0], .events = POLLIN, .revents = 0};
  while (poll(&answer, 1, answerMilliseconds) < 0 && errno == EINTR) {
  }
}

void onSignal(int signal) {
  const int savedErrno = errno;
  if (isFirstProcess()) {
    const bool firstInterrupt = signal == SIGINT && !stopRequested.exchange(true);
    if (firstInterrupt && launchesRunning > 0) {
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
  ours.sa_handler = onSignal;
  ours.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(signal, &ours, nullptr);
}

} // namespace

const std::atomic<bool>& stopRequest() {
  return stopRequested;
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
}

} // namespace heddle::cudart
