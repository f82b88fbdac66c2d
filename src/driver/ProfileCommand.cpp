// SPDX-License-Identifier: Apache-2.0
#include "driver/ProfileCommand.h"

#include "engine/Launch.h"
#include "frontend/DeviceCompiler.h"
#include "report/ProfileReport.h"
#include "support/Files.h"

#include <cstring>

namespace heddle::driver {
namespace {

Expected<frontend::DeviceModule> loadModule(const ProfileOptions& options) {
  if (!options.file.ends_with(".cu")) {
    HEDDLE_TRY(const std::string text, readFile(options.file));
    return frontend::parseDeviceModule(text, options.file);
  }
  HEDDLE_TRY(const std::string bitcode,
             frontend::compileDevice(options.file, {options.clangFlags}));
  return frontend::parseDeviceModule(bitcode, options.file);
}

/// Puts the arguments where the kernel expects them: buffers as pointers to their content.
Expected<std::vector<std::byte>> packArguments(const engine::CompiledKernel& kernel,
                                               std::vector<KernelArgument>& arguments) {
  const std::vector<unsigned>& sizes = kernel.argumentSizes();
  if (arguments.size() != sizes.size())
    return fail(ErrorKind::BadInput,
                "{} arguments for kernel '{}', which takes {}; give each with --arg",
                arguments.size(), kernel.name(), sizes.size());
  std::vector<std::byte> packed(kernel.argumentSize());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::byte* address = arguments[i].bytes.data();
    const void* value = arguments[i].isBuffer ? static_cast<const void*>(&address) : address;
    const std::size_t size = arguments[i].isBuffer ? sizeof address : arguments[i].bytes.size();
    if (size != sizes[i])
      return fail(ErrorKind::BadInput, "argument {} ('{}') has {} bytes, kernel '{}' expects {}", i,
                  arguments[i].text, size, kernel.name(), sizes[i]);
    std::memcpy(packed.data() + kernel.argumentOffsets()[i], value, size);
  }
  return packed;
}

Expected<void> validateDumps(const ProfileOptions& options) {
  for (const auto& [number, file] : options.dumps)
    if (number < 0 || number >= int(options.arguments.size()) ||
        !options.arguments[std::size_t(number)].isBuffer)
      return fail(ErrorKind::BadInput, "--dump {}={}: argument {} is no buffer", number, file,
                  number);
  return {};
}

} // namespace

Expected<std::string> runProfile(const ProfileOptions& options, const Output& output) {
  HEDDLE_CHECK(validateDumps(options));
  if (options.dynamicShared < 0 || options.dynamicShared > 227 * 1024)
    return fail(ErrorKind::BadInput, "{} bytes of dynamic shared memory: expected 0 to {}",
                options.dynamicShared, 227 * 1024);
  HEDDLE_TRY(frontend::DeviceModule module, loadModule(options));
  HEDDLE_TRY(const engine::CompiledKernel kernel,
             engine::CompiledKernel::compile(std::move(module), options.kernel));
  std::vector<KernelArgument> arguments = options.arguments;
  engine::LaunchRequest request{
      options.grid, options.block, std::size_t(options.dynamicShared), {}};
  HEDDLE_TRY(request.arguments, packArguments(kernel, arguments));
  engine::AddressMap memory;
  for (const KernelArgument& argument : arguments)
    if (argument.isBuffer)
      memory.add(argument.bytes.data(), argument.bytes.size());
  HEDDLE_TRY(const profile::LaunchProfile profile, engine::launch(kernel, request, memory));
  for (const auto& [number, file] : options.dumps) {
    const std::vector<std::byte>& bytes = arguments[std::size_t(number)].bytes;
    HEDDLE_CHECK(writeFile(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  const report::ProfiledLaunch launch{profile, options.grid, options.block};
  return output.json ? report::profileJson(launch) : report::profileText(launch, output.style);
}

} // namespace heddle::driver
