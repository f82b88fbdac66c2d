# SPDX-License-Identifier: Apache-2.0
# The CUDA programs of the tree, built with nvcc for the GPU of this machine (preset `device`): benchmarks of the device
# library, studies, library tests. Needs a CUDA toolkit and nothing else. scripts/measure programs builds and runs them.
if(NOT CMAKE_CUDA_COMPILER)
  find_program(CMAKE_CUDA_COMPILER nvcc PATHS /usr/local/cuda/bin ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin
               DOC "nvcc, of a CUDA toolkit" REQUIRED)
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES native)
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# heddle_add_device_programs(kind GLOB...): each file becomes bin/<kind>/<name>.
function(heddle_add_device_programs kind)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${kind}_${name} ${source})
    target_include_directories(${kind}_${name} PRIVATE ${CMAKE_SOURCE_DIR}/cuda/include)
    target_compile_options(${kind}_${name} PRIVATE --extended-lambda -lineinfo)
    set_target_properties(${kind}_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
                                                                         ${CMAKE_BINARY_DIR}/bin/${kind})
  endforeach()
endfunction()

heddle_add_device_programs(bench ${CMAKE_SOURCE_DIR}/bench/cuda/*.cu)
heddle_add_device_programs(study ${CMAKE_SOURCE_DIR}/studies/*/*.cu)
heddle_add_device_programs(library ${CMAKE_SOURCE_DIR}/test/library/*.cu)
