// SPDX-License-Identifier: Apache-2.0
//
// How a signal ends a command. main() calls catchStopSignals() before there is a second thread;
// from then on a thread of ours waits for SIGINT, SIGQUIT, SIGTERM and SIGHUP, and at the first one
//
//   1. nobody starts a child or renames a file any more: who tries is held for ever;
//   2. all children that run, with the groups they lead, get SIGTERM, and soon after SIGKILL;
//   3. our temporary files and folders are removed;
//   4. the process ends with status 128 + signal.
//
// A command that has something to say of half a run asks for a moment with PoliteStop. A signal
// that was ignored when we were started (nohup) stays so. Without catchStopSignals(), as in the
// runtime library that is linked to other people's programs, all of this does nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>

#include <sys/types.h>

#include <csignal>

namespace heddle {

void catchStopSignals();

/// The signals that children are to start with; nullptr where we caught none.
const sigset_t* signalsOfChildren();

/// The signal that asked us to stop; 0: none.
int stopSignal();

/// Who holds it knows that the process goes on: a stop waits for it, and who comes after a stop
/// never gets it. Keep it short.
class Uninterrupted {
public:
  Uninterrupted();

private:
  std::unique_lock<std::mutex> lock_;
};

/// A child that a stop has to end. Told while an Uninterrupted is held.
void noteChild(pid_t child, bool leadsGroup);
void forgetChild(pid_t child);

/// While one lives, a stop removes the file or folder.
class RemovedOnStop {
public:
  explicit RemovedOnStop(std::filesystem::path path);
  RemovedOnStop(RemovedOnStop&& other) noexcept;
  RemovedOnStop& operator=(RemovedOnStop&&) = delete;
  ~RemovedOnStop();

private:
  std::filesystem::path path_;
};

struct StopRequest {
  int signal = 0;
  bool fromTerminal = false; ///< then all of our group has got it
};

/// What becomes of children when a stop asks politely.
enum class ChildrenOnStop { GoOn, End };

/// While one lives, the first signal calls `ask` instead, in another thread. The command then has
/// twelve seconds to end by itself, with status 128 + signal; a second signal ends it at once.
class PoliteStop {
public:
  explicit PoliteStop(std::function<void(const StopRequest&)> ask,
                      ChildrenOnStop children = ChildrenOnStop::GoOn);
  PoliteStop(const PoliteStop&) = delete;
  ~PoliteStop();
};

} // namespace heddle
