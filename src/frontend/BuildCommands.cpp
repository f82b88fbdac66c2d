// SPDX-License-Identifier: Apache-2.0
#include "frontend/BuildCommands.h"

#include "support/Files.h"
#include "support/Parse.h"

#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace heddle::frontend {
namespace {

using Json = nlohmann::json;

// A line of JSON for each command; nobody loads them.
constexpr const char* compiledSection = ".heddle.compiled";
constexpr const char* linkedSection = ".heddle.linked";

Json toJson(const BuildCommand& command) {
  return {{"directory", command.folder.string()},
          {"file", command.file},
          {"output", command.output},
          {"arguments", command.arguments}};
}

BuildCommand fromJson(const Json& json) {
  return {.folder = json.at("directory").get<std::string>(),
          .file = json.at("file"),
          .output = json.value("output", ""),
          .arguments = json.at("arguments")};
}

/// Of a compile_commands.json, whose commands begin with the compiler.
Expected<BuildCommand> readEntry(const Json& json) {
  BuildCommand command{.folder = json.at("directory").get<std::string>(),
                       .file = json.at("file"),
                       .output = json.value("output", ""),
                       .arguments = {}};
  if (json.contains("arguments")) {
    command.arguments = json["arguments"].get<std::vector<std::string>>();
  } else {
    HEDDLE_TRY(command.arguments, splitWords(json.at("command").get_ref<const std::string&>()));
  }
  if (!command.arguments.empty())
    command.arguments.erase(command.arguments.begin());
  return command;
}

/// What does not read as a command is none of ours.
std::vector<BuildCommand> commandsOf(llvm::StringRef lines) {
  std::vector<BuildCommand> commands;
  for (const std::string_view line : splitText({lines.data(), lines.size()}, '\n')) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("directory") && json.contains("arguments"))
      commands.push_back(fromJson(json));
  }
  return commands;
}

} // namespace

Expected<std::vector<std::string>> splitWords(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (quote == 0 && (letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r')) {
      if (word)
        words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word)
      word.emplace();
    if (quote == 0 && (letter == '"' || letter == '\''))
      quote = letter;
    else if (letter == quote)
      quote = 0;
    else if (letter == '\\' && quote != '\'' && at + 1 < text.size())
      *word += text[++at];
    else
      *word += letter;
  }
  if (quote != 0)
    return fail(ErrorKind::BadInput, "a quote {} is never closed", quote);
  if (word)
    words.push_back(*std::move(word));
  return words;
}

Expected<std::vector<BuildCommand>> readCompileCommands(const std::filesystem::path& file) {
  HEDDLE_TRY(const std::string text, readFile(file));
  std::vector<BuildCommand> commands;
  try {
    for (const Json& entry : Json::parse(text)) {
      auto command = readEntry(entry);
      if (!command)
        return tl::unexpected(within(file.string(), std::move(command).error()));
      commands.push_back(*std::move(command));
    }
  } catch (const Json::exception& exception) {
    return fail(ErrorKind::BadInput,
                "{} is no list of compile commands ('directory', 'file', and 'command' or "
                "'arguments' each): {}",
                file.string(), exception.what());
  }
  return commands;
}

KeptCommands keptCommands(const std::string& binary) {
  KeptCommands kept;
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(binary, "binary"));
  if (!object) {
    llvm::consumeError(object.takeError());
    return kept;
  }
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents) {
      llvm::consumeError(name ? contents.takeError() : name.takeError());
      continue;
    }
    if (*name == compiledSection)
      kept.compiled = commandsOf(*contents);
    else if (*name == linkedSection)
      kept.linked = commandsOf(*contents);
  }
  return kept;
}

Expected<std::string> withCommand(const std::string& binary, const BuildCommand& command) {
  const auto refuse = [](llvm::Error error) {
    return fail(ErrorKind::Io, "cannot keep the command in what it made: {}",
                llvm::toString(std::move(error)));
  };
  auto file = llvm::object::createBinary(llvm::MemoryBufferRef(binary, "binary"));
  if (!file)
    return refuse(file.takeError());
  llvm::objcopy::ConfigManager config;
  const std::string line =
      toJson(command).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  config.Common.AddSection.emplace_back(command.file.empty() ? linkedSection : compiledSection,
                                        llvm::MemoryBuffer::getMemBufferCopy(line));
  llvm::SmallVector<char, 0> changed;
  llvm::raw_svector_ostream out(changed);
  if (auto error = llvm::objcopy::executeObjcopyOnBinary(config, **file, out))
    return refuse(std::move(error));
  return std::string(changed.data(), changed.size());
}

} // namespace heddle::frontend
