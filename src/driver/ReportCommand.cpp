// SPDX-License-Identifier: Apache-2.0
#include "driver/ReportCommand.h"

#include "driver/Advice.h"
#include "frontend/ProgramBuilder.h"
#include "machine/DeviceCatalog.h"
#include "page/PageReader.h"
#include "profile/ProfileDiff.h"
#include "profile/ProfileJson.h"
#include "report/Format.h"
#include "report/Json.h"
#include "report/ProfileRows.h"
#include "report/SourceText.h"
#include "support/Files.h"
#include "support/Printable.h"
#include "support/Subprocess.h"

#include <algorithm>
#include <filesystem>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using page::PageRun;

/// "profile" or "fix": the kind of document that "heddle.KIND/1" names; empty for anything else.
std::string kindOf(const std::string& text) {
  const report::Json json = report::Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string())
    return "";
  const std::string schema = json["schema"];
  const std::size_t end = schema.rfind('/');
  return schema.starts_with("heddle.") && end != std::string::npos ? schema.substr(7, end - 7) : "";
}

/// The program's CUDA files, as far as its profile names them.
std::vector<std::string> programFiles(const PageRun& run, const frontend::CompilerFlags& flags) {
  std::vector<std::string> files;
  std::error_code error;
  for (const page::PageSource& source : run.sources)
    if (frontend::isSource(source.file, flags) && fs::exists(source.file, error))
      files.push_back(source.file);
  return files;
}

Expected<PageRun> readRun(const std::string& file, const std::string& text,
                          const ReportOptions& options) {
  PageRun run;
  run.name = fs::path(file).stem().string();
  HEDDLE_TRY(run.profile, profile::readProfile(text, file));
  run.sources = page::sourcesOf(run.profile, file);
  const frontend::ProgramSpec program{.files = programFiles(run, options.flags),
                                      .flags = options.flags};
  run.command = fixCommandFor(program.files);
  const bool changed = std::ranges::any_of(run.sources, &page::PageSource::changed);
  const auto device = machine::findDevice(run.profile.device); // one of a file is not known here
  if (options.advice && !changed && !program.files.empty() && device)
    run.advice = adviceFor(run.profile, *device, program, options.useCache);
  return run;
}

/// A page of one run goes by the name of its file.
void addPage(const std::vector<PageRun>& found, const std::string& name,
             std::vector<PageRun>& runs) {
  for (const PageRun& run : found) {
    runs.push_back(run);
    if (found.size() == 1)
      runs.back().name = name;
  }
}

Expected<std::vector<PageRun>> readRuns(const ReportOptions& options) {
  std::vector<PageRun> runs;
  for (const std::string& file : options.files) {
    HEDDLE_TRY(const std::string text, readFile(file));
    if (page::isPage(text)) {
      HEDDLE_TRY(const std::vector<PageRun> found, page::readPage(text, file));
      addPage(found, fs::path(file).stem().string(), runs);
      continue;
    }
    const std::string kind = kindOf(text);
    if (kind == "fix") {
      if (runs.empty())
        return fail(ErrorKind::BadInput, "{}: name the profile of the program before it", file);
      runs.back().fix = text;
      continue;
    }
    if (kind != "profile")
      return fail(ErrorKind::BadInput,
                  "{} is neither a profile nor a page; 'heddle run app.cu --profile {}' writes one",
                  file, fs::path(file).replace_extension(".json").string());
    HEDDLE_TRY(PageRun run, readRun(file, text, options));
    runs.push_back(std::move(run));
  }
  return runs;
}

/// The worst line of the slowest kernel: "photon.cu:21 loses 53.8 % of the lanes of transport".
std::string worstText(const PageRun& run) {
  const auto cost = [](const profile::KernelProfile& kernel) {
    return kernel.timing ? kernel.timing->seconds : kernel.seconds;
  };
  const auto kernel = std::ranges::max_element(run.profile.kernels, {}, cost);
  if (kernel == run.profile.kernels.end())
    return "no kernel was launched";
  const std::vector<report::BranchRow> rows = report::worstBranches(*kernel);
  const std::string name = printableLine(kernel->kernel);
  if (rows.empty())
    return fmt::format("no branch of {} loses lanes", name);
  return fmt::format("{} loses {} of the lanes of {}", report::placeText(rows.front().where),
                     report::percent(double(rows.front().lostSlots) / double(kernel->slots())),
                     name);
}

double estimatedSeconds(const profile::ProgramProfile& profile) {
  double seconds = 0;
  for (const profile::KernelProfile& kernel : profile.kernels)
    seconds += kernel.timing ? kernel.timing->seconds : 0;
  return seconds;
}

/// What the page says of two runs: "after is 1.91x as fast as before".
std::string comparedText(const PageRun& before, const PageRun& after) {
  const std::vector<profile::KernelPair> pairs =
      profile::pairKernels(before.profile, after.profile);
  if (std::ranges::none_of(pairs, &profile::KernelPair::isInBoth))
    return fmt::format("{} and {} have no kernel in common", after.name, before.name);
  const double was = estimatedSeconds(before.profile), is = estimatedSeconds(after.profile);
  if (was <= 0 || is <= 0)
    return worstText(after);
  if (was / is >= 1.02)
    return fmt::format("{} is {:.2f}x as fast as {}", after.name, was / is, before.name);
  if (was / is <= 0.98)
    return fmt::format("{} takes {:.2f}x as long as {}", after.name, is / was, before.name);
  return fmt::format("{} is as fast as {}", after.name, before.name);
}

std::string pageSize(std::size_t bytes) {
  return bytes < 1000000 ? fmt::format("{} kB", (bytes + 999) / 1000)
                         : fmt::format("{:.1f} MB", double(bytes) / 1e6);
}

} // namespace

std::string fixCommandFor(const std::vector<std::string>& files) {
  return files.empty() ? "" : fmt::format("heddle fix {}", fmt::join(files, " "));
}

Expected<std::string> writePage(const std::string& file, const std::vector<PageRun>& runs) {
  HEDDLE_TRY(const std::string html, page::pageHtml(runs, HEDDLE_VERSION));
  HEDDLE_CHECK(writeFile(file, html));
  return fmt::format("wrote {} ({}): {}\n", file, pageSize(html.size()),
                     runs.size() > 1 ? comparedText(runs.front(), runs.back())
                                     : worstText(runs.back()));
}

Expected<void> openInBrowser(const std::string& address) {
  for (const char* program : {"xdg-open", "open", "wslview"}) {
    auto started = Subprocess::start({program, address}, {.outputFile = "/dev/null"});
    if (started && started->wait().exitCode == 0)
      return {};
  }
  return fail(ErrorKind::NotFound, "nothing here opens a browser (xdg-open); open {} yourself",
              address);
}

Expected<Answer> writeReport(const ReportOptions& options, const Output& output) {
  HEDDLE_TRY(const std::vector<PageRun> runs, readRuns(options));
  if (output.json)
    return Answer(page::pageData(runs, HEDDLE_VERSION) + "\n");
  HEDDLE_TRY(std::string text, writePage(options.reportFile, runs));
  if (options.open)
    HEDDLE_CHECK(openInBrowser(options.reportFile));
  return Answer(std::move(text));
}

} // namespace heddle::driver
