// SPDX-License-Identifier: Apache-2.0
#include "cudart/Settings.h"

#include "cudart/RawMemory.h"
#include "machine/DeviceCatalog.h"
#include "profile/ProgramSettings.h"
#include "support/Parse.h"

#include <string_view>

namespace heddle::cudart {
namespace {

using profile::Setting;
using profile::variableOf;

std::string_view valueOr(const Environment& environment, Setting setting,
                         std::string_view fallback) {
  const char* value = environment(variableOf(setting));
  return value == nullptr || *value == '\0' ? fallback : std::string_view(value);
}

Expected<bool> readSwitch(const Environment& environment, Setting setting, bool fallback) {
  const std::string_view text = valueOr(environment, setting, fallback ? "1" : "0");
  if (text != "0" && text != "1")
    return fail(ErrorKind::BadInput, "{}: found '{}', expected 0 or 1", variableOf(setting), text);
  return text == "1";
}

/// A whole number from 1 on; `fallback` where the variable is not set.
Expected<std::int64_t> readCount(const Environment& environment, Setting setting,
                                 std::int64_t fallback, std::int64_t most) {
  const std::string_view text = valueOr(environment, setting, "");
  if (text.empty())
    return fallback;
  const auto number = parseInteger(text);
  if (!number || *number < 1 || *number > most)
    return fail(ErrorKind::BadInput, "{}: found '{}', expected a whole number from 1 to {}",
                variableOf(setting), text, most);
  return *number;
}

Expected<engine::Reconvergence> readReconvergence(const Environment& environment,
                                                  const machine::Device& device) {
  const std::string_view text =
      valueOr(environment, Setting::Reconvergence,
              launch::reconvergenceName(launch::usualReconvergence(device)));
  if (text == "volta")
    return engine::Reconvergence::Volta;
  if (text == "stack")
    return engine::Reconvergence::Stack;
  return fail(ErrorKind::BadInput, "HEDDLE_RECONVERGENCE: found '{}', expected volta or stack",
              text);
}

Expected<timing::ModelFault> readModelFault(const Environment& environment) {
  const std::string_view text = valueOr(environment, Setting::ModelFault, "");
  if (text.empty())
    return timing::ModelFault::None;
  if (text == "occupancy")
    return timing::ModelFault::IgnoreOccupancy;
  if (text == "free-path")
    return timing::ModelFault::FreePath;
  return fail(ErrorKind::BadInput,
              "HEDDLE_MODEL_FAULT: found '{}', expected occupancy or free-path", text);
}

Expected<bool> readFixedClock(const Environment& environment) {
  const std::string_view text = valueOr(environment, Setting::Clock, "modelled");
  if (text != "modelled" && text != "fixed")
    return fail(ErrorKind::BadInput, "HEDDLE_CLOCK: found '{}', expected modelled or fixed", text);
  return text == "fixed";
}

Expected<engine::CodeForm> readCodeForm(const Environment& environment) {
  const std::string_view text = valueOr(environment, Setting::Code, "full");
  if (text != "full" && text != "lanes")
    return fail(ErrorKind::BadInput, "HEDDLE_CODE: found '{}', expected full or lanes", text);
  return text == "full" ? engine::CodeForm::Full : engine::CodeForm::LaneByLane;
}

Expected<std::optional<WatchedByte>> readWatch(const Environment& environment) {
  const std::string_view text = valueOr(environment, Setting::Watch, "");
  if (text.empty())
    return std::nullopt;
  const std::size_t colon = text.rfind(':');
  const auto offset =
      parseInteger(colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  if (!offset || *offset < 0)
    return fail(
        ErrorKind::BadInput,
        "HEDDLE_WATCH: found '{}', expected a region and an offset such as 'cudaMalloc #3:128'",
        text);
  return WatchedByte{std::string(text.substr(0, colon)), std::uint64_t(*offset)};
}

} // namespace

Expected<Settings> readSettings(const Environment& environment) {
  Settings settings;
  auto device = machine::resolveDevice(valueOr(environment, Setting::Device, "h200"));
  if (!device)
    return tl::unexpected(within(variableOf(Setting::Device), std::move(device).error()));
  settings.device = *std::move(device);
  HEDDLE_TRY(settings.run.reconvergence, readReconvergence(environment, settings.device));
  HEDDLE_TRY(const std::int64_t instructions, readCount(environment, Setting::MaxInstructions, 0,
                                                        std::numeric_limits<std::int64_t>::max()));
  if (instructions > 0)
    settings.run.mostInstructions = static_cast<std::uint64_t>(instructions);
  HEDDLE_TRY(settings.poison, readSwitch(environment, Setting::Poison, true));
  settings.run.fresh = settings.poison ? poisonByte : 0;
  HEDDLE_TRY(settings.keepGoing, readSwitch(environment, Setting::KeepGoing, false));
  HEDDLE_TRY(settings.run.letsStraysPass, readSwitch(environment, Setting::Strays, false));
  HEDDLE_TRY(settings.run.backwards, readSwitch(environment, Setting::Backwards, false));
  HEDDLE_TRY(settings.progress, readSwitch(environment, Setting::Progress, false));
  HEDDLE_TRY(const std::int64_t workers, readCount(environment, Setting::Workers, 0, 4096));
  settings.run.workers = static_cast<int>(workers);
  auto registers = profile::parseGivenRegisters(valueOr(environment, Setting::Registers, ""));
  if (!registers)
    return tl::unexpected(within(variableOf(Setting::Registers), std::move(registers).error()));
  settings.registers.given = *std::move(registers);
  HEDDLE_TRY(settings.registers.askPtxas, readSwitch(environment, Setting::Ptxas, true));
  HEDDLE_TRY(settings.registers.useCache, readSwitch(environment, Setting::Cache, true));
  auto blocks = profile::parseGivenBlocks(valueOr(environment, Setting::Blocks, ""));
  if (!blocks)
    return tl::unexpected(within(variableOf(Setting::Blocks), std::move(blocks).error()));
  settings.blocks = *std::move(blocks);
  HEDDLE_TRY(settings.codeForm, readCodeForm(environment));
  HEDDLE_TRY(settings.modelFault, readModelFault(environment));
  HEDDLE_TRY(settings.timeline, readSwitch(environment, Setting::Timeline, false));
  HEDDLE_TRY(const std::int64_t recorded,
             readCount(environment, Setting::RecordWarps, 0, engine::WarpRecorder::mostWarps));
  settings.recordedWarps = static_cast<int>(recorded);
  settings.record = valueOr(environment, Setting::Record, "");
  settings.touches = valueOr(environment, Setting::Touches, "");
  HEDDLE_TRY(settings.watch, readWatch(environment));
  HEDDLE_TRY(settings.run.fixedClock, readFixedClock(environment));
  return settings;
}

} // namespace heddle::cudart
