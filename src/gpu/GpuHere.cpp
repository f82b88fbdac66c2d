// SPDX-License-Identifier: Apache-2.0
#include "gpu/GpuHere.h"

#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace heddle::gpu {
namespace {

constexpr const char* hint = "without --on gpu the modelled device is used";

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

/// The first of CUDA_VISIBLE_DEVICES; 0 where it is not set.
std::string firstVisible() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible == nullptr ? "0" : trimmed(splitText(visible, ',').front());
}

/// "NVIDIA H200, 9.0"
Expected<GpuHere> parseAnswer(const std::string& line, const std::string& id) {
  const std::size_t comma = line.rfind(',');
  const std::string capability = comma == std::string::npos ? "" : trimmed(line.substr(comma + 1));
  std::string digits = capability;
  std::erase(digits, '.');
  const bool number = !digits.empty() && std::ranges::all_of(digits, [](unsigned char letter) {
    return std::isdigit(letter) != 0;
  });
  if (!number || capability == digits)
    return fail(ErrorKind::Unsupported,
                "nvidia-smi answered '{}', expected a name and a compute capability such as "
                "'NVIDIA H200, 9.0'",
                line);
  return GpuHere{trimmed(line.substr(0, comma)), "sm_" + digits, id};
}

} // namespace

std::vector<std::pair<std::string, std::string>> GpuHere::environment() const {
  return {{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}, {"CUDA_VISIBLE_DEVICES", id}};
}

Expected<GpuHere> findGpu() {
  const std::string id = firstVisible();
  if (id.empty())
    return fail(ErrorKind::NotFound, "no GPU: CUDA_VISIBLE_DEVICES is empty; {}", hint);
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string answer = (folder.path() / "answer").string();
  auto asked = Subprocess::start(
      {"nvidia-smi", "-i", id, "--query-gpu=name,compute_cap", "--format=csv,noheader"},
      {.outputFile = answer});
  if (!asked)
    return fail(ErrorKind::NotFound, "no GPU: there is no nvidia-smi on the PATH; {}", hint);
  const SubprocessEnd end = asked->wait();
  HEDDLE_TRY(const std::string text, readFile(answer));
  const std::string line(splitText(text, '\n').front());
  if (end.exitCode != 0)
    return fail(ErrorKind::NotFound, "no GPU: nvidia-smi says '{}'; {}", trimmed(line), hint);
  return parseAnswer(trimmed(line), id);
}

} // namespace heddle::gpu
