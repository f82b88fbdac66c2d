// SPDX-License-Identifier: Apache-2.0
#include "frontend/MissingHeader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heddle::frontend {
namespace {

struct Known {
  std::string_view begin; ///< of the header's name
  std::string_view what;
};

constexpr Known known[] = {
    {"cuda_fp", "its numbers of 4 and 6 bits run with nvcc's device code; half and e4m3 do here"},
    {"curand", "of cuRAND it has curand.h and curand_kernel.h"},
    {"thrust/", "it is Thrust's (Debian: apt install libthrust-dev)"},
    {"cub/", "it is CUB's (Debian: apt install libcub-dev)"},
    {"cuda/", "it is libcu++'s, of which Debian's libcu++-dev (1.8) has a part; the headers of a "
              "CUDA toolkit have all of it, and are used where nvcc is found"},
    {"cublas", "of cuBLAS it has cublas_v2.h"},
    {"cufft", "cuFFT is a library of the toolkit; kernels of your own run"},
    {"cusparse", "cuSPARSE is a library of the toolkit; kernels of your own run"},
    {"cusolver", "cuSOLVER is a library of the toolkit; kernels of your own run"},
    {"cudnn", "cuDNN is a library of its own; kernels of your own run"},
    {"nccl", "NCCL joins several GPUs; there is one here"},
    {"npp", "NPP is a library of the toolkit; kernels of your own run"},
    {"windows.h", "it is Microsoft's; -I and a folder of yours with a windows.h that declares what "
                  "the program uses of it let it compile"},
    {"Windows.h", "it is Microsoft's; -I and a folder of yours with a Windows.h that declares what "
                  "the program uses of it let it compile"},
    {"nvrtc.h", "code that is compiled while a program runs is not run"},
};

/// Of its compiler and libraries, as programs for CUDA use them.
constexpr std::string_view namesOfMicrosoft[] = {"_countof",
                                                 "fopen_s",
                                                 "freopen_s",
                                                 "fscanf_s",
                                                 "sscanf_s",
                                                 "scanf_s",
                                                 "fprintf_s",
                                                 "printf_s",
                                                 "sprintf_s",
                                                 "strcpy_s",
                                                 "strcat_s",
                                                 "strncpy_s",
                                                 "strtok_s",
                                                 "localtime_s",
                                                 "_itoa",
                                                 "_getch",
                                                 "_stricmp",
                                                 "__int8",
                                                 "__int16",
                                                 "__int32",
                                                 "__int64",
                                                 "errno_t",
                                                 "QueryPerformanceCounter",
                                                 "LARGE_INTEGER",
                                                 "DWORD",
                                                 "HANDLE",
                                                 "Sleep",
                                                 "_aligned_malloc",
                                                 "GetTickCount"};

/// What stands in its line before a place.
std::string_view beginOfLine(std::string_view text, std::size_t place) {
  const std::size_t begin = text.rfind('\n', place) + 1; // 0 in the first line
  return text.substr(begin, place - begin);
}

/// `file:line: ` of `file:line:column: fatal error: `; empty for what is no such place.
std::string placeOf(std::string_view begin) {
  const std::size_t kind = begin.find(": fatal error: ");
  const std::size_t column = kind == std::string_view::npos ? kind : begin.rfind(':', kind - 1);
  return column == std::string_view::npos ? "" : fmt::format("{}: ", begin.substr(0, column));
}

} // namespace

std::string missingHeader(std::string_view messages) {
  constexpr std::string_view after = "' file not found";
  for (std::size_t end = messages.find(after); end != std::string_view::npos;
       end = messages.find(after, end + 1)) {
    const std::size_t quote = messages.rfind('\'', end - 1);
    if (quote == std::string_view::npos)
      continue;
    const std::string_view header = messages.substr(quote + 1, end - quote - 1);
    for (const Known& each : known)
      if (header.starts_with(each.begin))
        return fmt::format("{}Heddle has no {}: {}", placeOf(beginOfLine(messages, quote)), header,
                           each.what);
  }
  return "";
}

std::string microsoftName(std::string_view messages) {
  // file:line:column: error: use of undeclared identifier '_countof'; did you mean ...
  for (const std::string_view told :
       {": error: use of undeclared identifier '", ": error: unknown type name '"})
    for (std::size_t at = messages.find(told); at != std::string_view::npos;
         at = messages.find(told, at + 1)) {
      const std::size_t begin = at + told.size();
      const std::string_view name = messages.substr(begin, messages.find('\'', begin) - begin);
      if (std::ranges::find(namesOfMicrosoft, name) == std::end(namesOfMicrosoft))
        continue;
      return fmt::format(
          "'{}' is of Microsoft's compiler and library; a header of yours may say what "
          "it is (#define __int64 long long): give it with -include",
          name);
    }
  return "";
}

std::string launchOnDevice(std::string_view messages) {
  // file:line:column: error: reference to __global__ function 'k' in __global__ function
  constexpr std::string_view told = ": error: reference to __global__ function '";
  const std::size_t at = messages.find(told);
  if (at == std::string_view::npos)
    return "";
  const std::string_view place = beginOfLine(messages, at);
  return fmt::format("{}: device code can launch a kernel by its name, but not take its address",
                     place.substr(0, place.rfind(':')));
}

std::string sharedInitialValue(std::string_view messages) {
  // file:line:column: error: initialization is not supported for __shared__ variables
  constexpr std::string_view sign = "error: ",
                             told = "initialization is not supported for __shared";
  std::string first;
  for (std::size_t at = messages.find(sign); at != std::string_view::npos;
       at = messages.find(sign, at + 1)) {
    if (!messages.substr(at + sign.size()).starts_with(told))
      return "";
    const std::string_view place = beginOfLine(messages, at); // file:line:column: and a blank
    const std::size_t column = place.rfind(':', place.rfind(':') - 1);
    if (first.empty())
      first = fmt::format("{}: a __shared__ variable has no initial value, with nvcc neither; "
                          "declare it in the kernel without one, and let a thread set it",
                          place.substr(0, column));
  }
  return first;
}

std::string textureReference(std::string_view messages) {
  // file(line): error: texture is not a template
  constexpr std::string_view told = "): error: texture is not a template";
  const std::size_t at = messages.find(told);
  if (at == std::string_view::npos)
    return "";
  const std::string_view place = beginOfLine(messages, at);
  const std::size_t open = place.rfind('(');
  return fmt::format("{}:{}: CUDA 12 and nvcc have no texture references (texture<...>) any more; "
                     "--device-code clang runs them, a texture object (cudaCreateTextureObject) "
                     "runs with both",
                     place.substr(0, open), place.substr(open + 1));
}

} // namespace heddle::frontend
