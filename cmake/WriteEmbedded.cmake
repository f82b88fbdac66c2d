# SPDX-License-Identifier: Apache-2.0
# Run by heddle_embed_files with OUTPUT, SYMBOL and FILES (separated by '|').
string(REPLACE "|" ";" FILES "${FILES}")
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"heddle(${text})heddle\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new"
     "// Written by cmake/WriteEmbedded.cmake; do not edit.\n"
     "#include \"machine/EmbeddedFile.h\"\n\n"
     "namespace heddle::machine {\n\n"
     "std::span<const EmbeddedFile> ${SYMBOL}() {\n"
     "  static constexpr EmbeddedFile files[] = {\n${entries}  };\n"
     "  return files;\n}\n\n"
     "} // namespace heddle::machine\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
