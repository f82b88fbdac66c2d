# SPDX-License-Identifier: Apache-2.0
# Run by heddle_embed_files with OUTPUT, NAMESPACE, SYMBOL, FOLDER and FILES (separated by '|').
string(REPLACE "|" ";" FILES "${FILES}")
set(entries "")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH name "${FOLDER}" "${file}")
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"heddle(${text})heddle\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new"
     "// Written by cmake/WriteEmbedded.cmake; do not edit.\n"
     "#include \"support/EmbeddedFile.h\"\n\n#include <span>\n\n"
     "namespace heddle::${NAMESPACE} {\n\n"
     "std::span<const EmbeddedFile> ${SYMBOL}() {\n"
     "  static const EmbeddedFile files[] = {\n${entries}  };\n"
     "  return files;\n}\n\n"
     "} // namespace heddle::${NAMESPACE}\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
