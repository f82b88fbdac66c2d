// SPDX-License-Identifier: Apache-2.0
#include "driver/FixBundle.h"

#include "advise/Prediction.h"
#include "driver/IncludedFiles.h"
#include "driver/NvccBuild.h"
#include "driver/SourceTexts.h"
#include "frontend/Toolchain.h"
#include "gpu/KernelClock.h"
#include "report/FixReport.h"
#include "report/Json.h"
#include "rewrite/code/UnifiedDiff.h"
#include "support/Files.h"
#include "support/Subprocess.h"

#include <algorithm>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using report::Json;

constexpr int nothingWon = 1;

/// The project's files as they lie to one another, some with another text.
Expected<void> writeForm(const std::set<fs::path>& files, const fs::path& root,
                         const ChangedFiles& changed, const fs::path& to) {
  std::map<fs::path, const std::string*> texts;
  std::error_code error;
  for (const auto& [name, text] : changed)
    texts[fs::weakly_canonical(name, error)] = &text;
  for (const fs::path& file : files) {
    const fs::path copy = to / file.lexically_relative(root);
    fs::create_directories(copy.parent_path(), error);
    if (const auto found = texts.find(file); found != texts.end()) {
      HEDDLE_CHECK(writeFile(copy, *found->second));
    } else {
      HEDDLE_TRY(const std::string text, readFile(file));
      HEDDLE_CHECK(writeFile(copy, text));
    }
  }
  return {};
}

/// With folders of the project as those of a form.
std::vector<std::string> movedFlags(std::vector<std::string> flags, const fs::path& root) {
  std::error_code error;
  for (std::string& flag : flags) {
    const std::size_t at = flag.starts_with("-I") ? 2 : 0;
    const fs::path path = fs::weakly_canonical(flag.substr(at), error);
    if (flag.size() > at && fs::is_directory(path, error) && isBelow(path, root))
      flag = flag.substr(0, at) + "{form}/" + path.lexically_relative(root).string();
  }
  return flags;
}

Json candidateJson(const ProvenForm& form, const Sources& sources) {
  const advise::Candidate& candidate = form.candidate;
  Json json = {{"rewrite", candidate.rewrite}, {"form", candidate.form},
               {"kernel", candidate.kernel},   {"file", candidate.file},
               {"line", candidate.line},       {"predictedSpeedup", candidate.predictedSpeedup},
               {"files", Json::array()}};
  for (const auto& [name, text] : form.files)
    json["files"].push_back(
        {{"name", name}, {"before", sources.at(name)->text()}, {"after", text}});
  return json;
}

/// Of a link of objects, which have no language.
std::vector<std::string> linkWords(frontend::CompilerFlags flags) {
  flags.language.clear();
  std::vector<std::string> words = nvccFlags(flags);
  for (std::string& word : nvccLinkFlags(flags))
    words.push_back(std::move(word));
  return words;
}

Expected<void> run(const std::vector<std::string>& command) {
  HEDDLE_TRY(Subprocess child, Subprocess::start(command, {}));
  if (const SubprocessEnd end = child.wait(); end.exitCode != 0)
    return fail(ErrorKind::Io, "{} ended with status {}", command.front(), end.exitCode);
  return {};
}

/// Where the bundle keeps what is linked as it is.
fs::path objectPlace(const fs::path& object, std::size_t number) {
  return fs::path("objects") / fmt::format("{}{}", number, object.filename().string());
}

Json bundleJson(const FixOptions& options, const std::vector<ProvenForm>& forms,
                const Sources& sources, const fs::path& root) {
  const frontend::ProgramSpec& program = options.run.program;
  Json document = report::startJson("bundle");
  std::error_code error;
  document["sources"] = Json::array();
  for (const std::string& file : program.files) {
    const fs::path path = fs::weakly_canonical(file, error).lexically_relative(root);
    std::vector<std::string> flags = movedFlags(nvccFlags(program.flagsOf(file)), root);
    flags.insert(flags.end(), {"-I", ("{form}" / path.parent_path()).string()});
    document["sources"].push_back({{"file", path.string()}, {"flags", std::move(flags)}});
  }
  document["objects"] = Json::array();
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    document["objects"].push_back(objectPlace(program.objects[i], i).string());
  document["link"] = linkWords(program.flags);
  document["arguments"] = options.run.arguments;
  document["candidates"] = Json::array();
  for (const ProvenForm& form : forms)
    document["candidates"].push_back(candidateJson(form, sources));
  return document;
}

/// A file of the table that is here as it was.
Expected<FileText> checkedFile(const Json& file, const std::string& table) {
  const std::string name = file.at("name").get<std::string>();
  HEDDLE_TRY(const std::string now, readFile(name));
  if (now != file.at("before").get<std::string>())
    return fail(ErrorKind::BadInput,
                "{}: {} is another file than the one that was measured; make "
                "the bundle again",
                table, name);
  return FileText{name, file.at("after").get_ref<const std::string&>()};
}

Expected<void> copyObjects(const frontend::ProgramSpec& program, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to / "objects", error);
  for (std::size_t i = 0; i < program.objects.size() && !error; ++i) {
    const fs::path object = program.objects[i];
    fs::copy_file(object, to / objectPlace(object, i), error);
    if (error)
      return fail(ErrorKind::Io, "cannot copy {}: {}", object.string(), error.message());
  }
  return {};
}

} // namespace

Expected<void> writeBundle(const FixOptions& options, const std::vector<ProvenForm>& forms,
                           const Sources& sources, const fs::path& folder) {
  const fs::path to = folder / "bundle";
  const frontend::ProgramSpec& program = options.run.program;
  const fs::path root = projectFolder(program);
  std::set<fs::path> files;
  for (const std::string& file : program.files)
    files.merge(includedFiles(program, file));
  HEDDLE_TRY(const frontend::Toolchain toolchain, frontend::Toolchain::open(options.run.useCache));
  std::error_code error;
  fs::create_directories(to, error);
  HEDDLE_CHECK(writeForm(files, root, {}, to / "forms" / "0"));
  for (std::size_t i = 0; i < forms.size(); ++i)
    HEDDLE_CHECK(writeForm(files, root, forms[i].files, to / "forms" / fmt::format("{}", i + 1)));
  HEDDLE_CHECK(copyObjects(program, to));
  HEDDLE_CHECK(gpu::writeKernelClock(to));
  HEDDLE_TRY(const fs::path script, gpu::writeMeasuringScript(to));
  fs::permissions(script, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  fs::create_directories(to / "include", error);
  fs::copy(toolchain.libraryFolder() / "heddle", to / "include" / "heddle",
           fs::copy_options::recursive, error);
  if (error)
    return fail(ErrorKind::Io, "cannot copy {}: {}", toolchain.libraryFolder().string(),
                error.message());
  HEDDLE_CHECK(
      writeFile(to / "bundle.json", report::printJson(bundleJson(options, forms, sources, root))));
  return run({"tar", "-cf", options.bundle, "-C", folder.string(), "bundle"});
}

Expected<Answer> applyMeasured(const FixOptions& options, const Output& output) {
  HEDDLE_TRY(const std::string text, readFile(options.measured));
  try {
    const Json table = Json::parse(text);
    if (table.at("schema") != "heddle.measured/1")
      return fail(ErrorKind::BadInput, "{}: found schema {}, expected heddle.measured/1",
                  options.measured, table.at("schema").dump());
    const Json* best = nullptr;
    for (const Json& row : table.at("rows"))
      if (row.at("same").get<bool>() && row.at("speedup").is_number() &&
          row.at("speedup").get<double>() >=
              (best != nullptr ? best->at("speedup").get<double>() : advise::leastGain))
        best = &row;
    if (best == nullptr)
      return Answer(fmt::format("nothing won on {}: no form is right and {:.0f} % faster\n",
                                table.at("gpu").get<std::string>(), 100 * (advise::leastGain - 1)),
                    "", nothingWon);
    const Json& won = table.at("candidates").at(best->at("candidate").get<std::size_t>());
    std::vector<FileText> files;
    std::string diff;
    for (const Json& file : won.at("files")) {
      HEDDLE_TRY(const FileText after, checkedFile(file, options.measured));
      diff += rewrite::unifiedDiff(diffName(after.path.string()),
                                   file.at("before").get_ref<const std::string&>(), after.text);
      files.push_back(after);
    }
    if (options.inPlace)
      HEDDLE_CHECK(writeFiles(files));
    Answer answer(report::coloredDiff(diff, output.style) +
                  fmt::format("\n  measured on {}: {:.2f}x, {} in line {} of {}\n",
                              table.at("gpu").get<std::string>(), best->at("speedup").get<double>(),
                              won.at("rewrite").get<std::string>(), won.at("line").get<int>(),
                              won.at("file").get<std::string>()));
    answer.exact = true;
    return answer;
  } catch (const nlohmann::json::exception& exception) {
    return fail(ErrorKind::BadInput, "{} is no table that a bundle's script wrote: {}",
                options.measured, exception.what());
  }
}

} // namespace heddle::driver
