// SPDX-License-Identifier: Apache-2.0
#include "frontend/MissingHeader.h"

#include <fmt/format.h>

namespace heddle::frontend {
namespace {

struct Known {
  std::string_view begin; ///< of the header's name
  std::string_view what;
};

constexpr Known known[] = {
    {"cuda_fp16", "numbers of half precision are not run yet; use float"},
    {"cuda_bf16", "bfloat16 numbers are not run yet; use float"},
    {"cuda_fp8", "numbers of 8 bits are not run yet; use float"},
    {"cooperative_groups",
     "cooperative groups are not run yet; __syncwarp, __syncthreads, __shfl_sync and "
     "cudaLaunchCooperativeKernel are"},
    {"curand",
     "cuRAND is a library of the toolkit; a generator of your own, such as xorshift, runs"},
    {"thrust/", "Thrust is a library of the toolkit; kernels of your own run"},
    {"cub/",
     "CUB is a library of the toolkit; <heddle/reduce.cuh> and <heddle/regroup.cuh> are here"},
    {"cuda/std/", "libcu++ is a library of the toolkit; the host's <cstdint> and the like run"},
    {"cuda/", "libcu++ is a library of the toolkit; atomicAdd and its kin run"},
    {"nvtx", "NVTX marks ranges for profilers and changes no result; take it out with a macro"},
    {"nvToolsExt",
     "NVTX marks ranges for profilers and changes no result; take it out with a macro"},
    {"cublas", "cuBLAS is a library of the toolkit; kernels of your own run"},
    {"cufft", "cuFFT is a library of the toolkit; kernels of your own run"},
    {"cusparse", "cuSPARSE is a library of the toolkit; kernels of your own run"},
    {"mma.h", "tensor cores are not run"},
    {"nvrtc.h", "code that is compiled while a program runs is not run"},
};

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
        return fmt::format("Heddle has no {}: {}", header, each.what);
  }
  return "";
}

} // namespace heddle::frontend
