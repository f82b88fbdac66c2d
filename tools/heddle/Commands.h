// SPDX-License-Identifier: Apache-2.0
//
// Every command of heddle, its flags bound to the options it runs with.
#pragma once

#include "Command.h"
#include "Flags.h"
#include "machine/ModelledDevice.h"

namespace heddle::tool {

/// The whole tree. `common` holds --json, --color and --jobs and must outlive it.
Command makeCommands(CommonOptions& common);

/// heddle schedule and what is below it.
Command scheduleCommand(CommonOptions& common);

/// heddle run, fix, tune, profile, check, include and cache: what compiles kernels.
Command runCommand(CommonOptions& common);
Command ccCommand(CommonOptions& common);
Command fixCommand(CommonOptions& common);
Command tuneCommand(CommonOptions& common);
Command profileCommand(CommonOptions& common);
Command checkCommand(CommonOptions& common);
Command includeCommand();
Command cacheCommand(CommonOptions& common);

/// heddle diff and export: what takes profiles.
Command diffCommand(CommonOptions& common);
Command exportCommand();

/// --format, with the names of driver::exportFormats.
Flag formatFlag(std::string help, std::string& target);
/// heddle report and serve: pages to look at.
Command reportCommand(CommonOptions& common);
Command serveCommand();

/// heddle study: published experiments, run again.
Command studyCommand(CommonOptions& common);

/// heddle sweep and what is below it.
Command sweepCommand(CommonOptions& common);

/// Names that --device understands.
std::vector<std::string> deviceNames();

/// --device of commands that model a whole GPU.
Flag modelledDeviceFlag(machine::ModelledDevice& target);

/// Flags of a command followed by the ones all commands share.
std::vector<Flag> withOutputFlags(std::vector<Flag> flags, CommonOptions& common);

} // namespace heddle::tool
