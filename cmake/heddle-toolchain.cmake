# SPDX-License-Identifier: Apache-2.0
# CUDA by `heddle cc`: cmake -DCMAKE_TOOLCHAIN_FILE=.../heddle-toolchain.cmake ...
#
# CMake asks nvcc about itself and its toolkit when it meets it. Here are the answers, so that no toolkit is needed.
get_filename_component(_heddle_prefix "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_heddle_source "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
find_program(HEDDLE_CC heddle-cc HINTS "${_heddle_prefix}/bin" "${_heddle_source}/build/release/bin" REQUIRED)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEDDLE_CC) # where the user gave it, trials need it too
get_filename_component(_heddle_lib "${HEDDLE_CC}/../../lib" ABSOLUTE)

set(CMAKE_CUDA_COMPILER "${HEDDLE_CC}")
set(CMAKE_CUDA_COMPILER_ID_RUN 1)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.5.0)
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 12.5.0)
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "${_heddle_prefix}")
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT ON)
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90) # one that every version knows; Heddle does not look at it
endif()
# What `nvcc -v` would print: CMake reads from it who links.
set(_heddle_libraries "-L${_heddle_lib} -lheddle_cudart")
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT
    "#$ LIBRARIES= ${_heddle_libraries}\n\n#$ \"${HEDDLE_CC}\" -o a.out ${_heddle_libraries}\n")
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,-rpath,${_heddle_lib}")
string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT " -Wl,-rpath,${_heddle_lib}")
# Where a target has C++ files, too, C++ links; only what calls the runtime library gets it.
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-Wl,--push-state,--as-needed ${_heddle_libraries} -Wl,--pop-state")
