# SPDX-License-Identifier: Apache-2.0
# heddle_embed_files(OUTPUT file.cpp NAMESPACE machine SYMBOL function FOLDER dir FILES ...): writes a source
# file that defines
#   std::span<const EmbeddedFile> heddle::<namespace>::<function>()
# with the name (relative to FOLDER) and text of each file, so that the program needs nothing beside itself.

function(heddle_embed_files)
  cmake_parse_arguments(ARG "" "OUTPUT;NAMESPACE;SYMBOL;FOLDER" "FILES" ${ARGN})
  string(JOIN "|" files ${ARG_FILES})
  add_custom_command(
    OUTPUT ${ARG_OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${ARG_OUTPUT} -DNAMESPACE=${ARG_NAMESPACE} -DSYMBOL=${ARG_SYMBOL}
            -DFOLDER=${ARG_FOLDER} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    DEPENDS ${ARG_FILES} ${CMAKE_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    COMMENT "Embedding ${ARG_SYMBOL}"
    VERBATIM)
endfunction()
