// SPDX-License-Identifier: Apache-2.0
#include "cudart/Ending.h"

#include "cudart/FileCopies.h"
#include "cudart/ProfileLog.h"
#include "cudart/Runtime.h"
#include "profile/ProgramSettings.h"
#include "support/Files.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <unistd.h>

namespace heddle::cudart {
namespace {

constexpr std::chrono::milliseconds patience{4000};

pid_t firstProcess = 0; ///< that loaded this library
std::atomic<bool> profileLeft{false};

void printError(const std::string& message) {
  fmt::print(stderr, "heddle: error: {}\n", message);
  std::fflush(stderr);
}

bool isSet(profile::Setting setting) {
  const char* const value = profile::told(setting);
  return value != nullptr && *value != '\0';
}

/// "%p" in it is the process, so that programs that run side by side leave one each.
std::string profileName(std::string name) {
  const std::string process = std::to_string(getpid());
  for (std::size_t at = 0; (at = name.find("%p", at)) != std::string::npos; at += process.size())
    name.replace(at, 2, process);
  return name;
}

void leaveEverything() {
  if (!isFirstProcess())
    return;
  Runtime::instance(); // a bad setting ends even a program that called nothing
  const bool recorded = leaveRecords("");
  if (!leaveProfile(profile::Ending::Complete, "") || !recorded)
    _exit(faultStatus);
}

/// This library is initialised before the program that uses it, so the handler runs after the
/// program's own destructors and exit handlers.
__attribute__((constructor)) void prepareEnding() {
  firstProcess = getpid();
  if (!profilePath().empty())
    catchSignals();
  if (!profilePath().empty() || isSet(profile::Setting::Record) || isSet(profile::Setting::Touches))
    std::atexit(leaveEverything);
}

} // namespace

const std::string& profilePath() {
  static const std::string* const path = [] {
    const char* const value = profile::told(profile::Setting::Profile);
    std::error_code ignored;
    return value == nullptr || *value == '\0'
               ? new std::string
               : new std::string(std::filesystem::absolute(profileName(value), ignored));
  }();
  return *path;
}

bool isFirstProcess() {
  return getpid() == firstProcess;
}

bool leaveProfile(profile::Ending ending, const std::string& fault) {
  profileLeft = true;
  if (profilePath().empty())
    return true;
  const auto text = ProfileLog::instance().write(ending, fault, patience);
  if (!text)
    return false;
  const OwnFiles own;
  const auto written = writeFile(profilePath(), *text);
  if (!written)
    printError(written.error().message);
  return written.has_value();
}

bool hasLeftProfile() {
  return profileLeft;
}

bool leaveRecords(const std::string& fault) {
  Runtime* const runtime = Runtime::ifStarted();
  if (runtime == nullptr || !isFirstProcess())
    return true;
  const OpenMemory open;
  const OwnFiles own;
  Expected<void> written;
  if (runtime->recorder) {
    runtime->recordWriter();
    written = runtime->recorder->end(runtime->memory, fault);
  }
  if (written && !runtime->settings.touches.empty())
    written =
        writeFile(runtime->settings.touches, profile::writeTouches(runtime->touches->kernels()));
  if (!written)
    printError(written.error().message);
  return written.has_value();
}

void endRun(profile::Ending ending, const std::string& message, int status) {
  leaveRecords(message);
  const bool parentPrints =
      !profilePath().empty() && isFirstProcess() && leaveProfile(ending, message);
  std::cout.flush();
  std::fflush(stdout);
  if (!parentPrints)
    printError(message);
  _exit(status);
}

void endWithFault(const std::string& message) {
  endRun(profile::Ending::Fault, message, faultStatus);
}

} // namespace heddle::cudart
