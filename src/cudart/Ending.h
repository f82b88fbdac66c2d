// SPDX-License-Identifier: Apache-2.0
//
// How a run ends, and what it leaves. `heddle run` names a file in HEDDLE_PROFILE; the profile is
// written there when the program exits, when a check stops it, and when a signal ends it. The
// parent prints the message; a program started by hand prints it itself.
#pragma once

#include "profile/ProgramProfile.h"

#include <atomic>
#include <string>

namespace heddle::cudart {

/// Exit status of a run that a check stopped.
inline constexpr int faultStatus = 2;

/// Absolute, as the program may change its folder; empty where HEDDLE_PROFILE is not set.
const std::string& profilePath();

/// Whether this is the process that was started, and not one that it forked.
bool isFirstProcess();

/// Writes the profile if there is a path. False, after a message, if that failed.
bool leaveProfile(profile::Ending ending, const std::string& fault);

/// Whether that was done, as nothing of an ended run is to be written over it.
bool hasLeftProfile();

/// Ends the memory record and writes what threads touch, where the settings ask for it. False,
/// after a message, if that failed.
bool leaveRecords(const std::string& fault);

/// Ends the process at once: what it printed is kept, its destructors do not run.
[[noreturn]] void endRun(profile::Ending ending, const std::string& message, int status);

/// A fault of the program, or something Heddle cannot run.
[[noreturn]] void endWithFault(const std::string& message);

/// Set by the first Ctrl-C, SIGTERM or SIGHUP.
const std::atomic<bool>& stopRequest();

/// The end of a program whose launch was stopped by one.
[[noreturn]] void endInterrupted();

/// Whether a bad address in the program's own code comes to our handler first.
bool catchesSegfaults();

/// While one lives, such a signal asks the launch to stop and does not end the program itself.
class LaunchInProgress {
public:
  LaunchInProgress();
  ~LaunchInProgress();
  LaunchInProgress(const LaunchInProgress&) = delete;
  LaunchInProgress& operator=(const LaunchInProgress&) = delete;
};

/// Catches the signals that end programs, where the program has not done so. Once, before main.
void catchSignals();

} // namespace heddle::cudart
