# SPDX-License-Identifier: Apache-2.0
# heddle_embed_files(OUTPUT file.cpp SYMBOL function FILES ...): writes a source file that defines
#   std::span<const EmbeddedFile> heddle::machine::<function>()
# with the name and text of each file, so that the program needs nothing beside itself at run time.

function(heddle_embed_files)
  cmake_parse_arguments(ARG "" "OUTPUT;SYMBOL" "FILES" ${ARGN})
  string(JOIN "|" files ${ARG_FILES})
  add_custom_command(
    OUTPUT ${ARG_OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${ARG_OUTPUT} -DSYMBOL=${ARG_SYMBOL} "-DFILES=${files}" -P
            ${CMAKE_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    DEPENDS ${ARG_FILES} ${CMAKE_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    COMMENT "Embedding ${ARG_SYMBOL}"
    VERBATIM)
endfunction()
