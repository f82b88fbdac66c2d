// SPDX-License-Identifier: Apache-2.0
#include "driver/DeviceCode.h"

#include "gpu/Nvcc.h"

#include <cstdlib>

namespace heddle::driver {

Expected<std::filesystem::path> nvccForDeviceCode(const std::string& wanted) {
  const char* setting = std::getenv("HEDDLE_DEVICE_CODE");
  const std::string choice = !wanted.empty() ? wanted : setting != nullptr ? setting : "";
  if (choice.empty() || choice == "clang")
    return std::filesystem::path();
  if (choice != "nvcc" && choice != "auto")
    return fail(ErrorKind::BadInput, "HEDDLE_DEVICE_CODE: '{}': expected nvcc, clang or auto",
                choice);
  if (choice == "auto" && !gpu::mayUseNvcc())
    return std::filesystem::path();
  auto found = gpu::findNvcc();
  if (found)
    return found;
  if (choice == "auto" && found.error().kind == ErrorKind::NotFound)
    return std::filesystem::path();
  return tl::unexpected(within("device code by nvcc", std::move(found).error()));
}

std::string deviceCodeLine(const std::filesystem::path& nvcc) {
  return nvcc.empty() ? "" : fmt::format("device code by nvcc ({})\n", nvcc.string());
}

} // namespace heddle::driver
