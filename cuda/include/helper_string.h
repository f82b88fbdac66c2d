// SPDX-License-Identifier: Apache-2.0
//
// Command lines in the manner of NVIDIA's samples: -name, --name, -name=value. For programs that
// include helper_string.h and do not bring their own.
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include <fstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) ((result) == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline int stringRemoveDelimiter(char delimiter, const char* text) {
  int start = 0;
  while (text[start] == delimiter)
    ++start;
  return start >= (int)strlen(text) - 1 ? 0 : start;
}

inline int getFileExtension(char* name, char** extension) {
  char* point = strrchr(name, '.');
  *extension = point == NULL ? NULL : point + 1;
  return point == NULL ? 0 : (int)(point - name);
}

// What follows the name: "", "=value" or "value"; NULL where the argument is another one. The first
// argument is the program.
inline const char* heddleArgument(int count, const char** arguments, const char* name) {
  const size_t length = strlen(name);
  for (int i = 1; i < count; ++i) {
    const char* text = arguments[i] + stringRemoveDelimiter('-', arguments[i]);
    if (strncasecmp(text, name, length) == 0 && (text[length] == 0 || text[length] == '='))
      return text + length;
  }
  return NULL;
}

inline bool checkCmdLineFlag(const int count, const char** arguments, const char* name) {
  return heddleArgument(count, arguments, name) != NULL;
}
inline int getCmdLineArgumentInt(const int count, const char** arguments, const char* name) {
  const char* rest = heddleArgument(count, arguments, name);
  return rest == NULL ? 0 : atoi(rest + (*rest == '='));
}
inline float getCmdLineArgumentFloat(const int count, const char** arguments, const char* name) {
  const char* rest = heddleArgument(count, arguments, name);
  return rest == NULL ? 0.0f : (float)atof(rest + (*rest == '='));
}
inline bool getCmdLineArgumentString(const int count, const char** arguments, const char* name,
                                     char** value) {
  const char* rest = heddleArgument(count, arguments, name);
  *value = rest == NULL ? NULL : const_cast<char*>(rest + (*rest == '='));
  return rest != NULL;
}
template <class T>
bool getCmdLineArgumentValue(const int count, const char** arguments, const char* name, T* value) {
  const char* rest = heddleArgument(count, arguments, name);
  if (rest != NULL)
    *value = (T)atoi(rest + (*rest == '='));
  return rest != NULL;
}

// A file beside the program or where the samples have theirs; to be freed. NULL where there is
// none.
inline char* sdkFindFilePath(const char* file, const char* program) {
  std::string beside = program == NULL ? "" : program;
  const size_t slash = beside.rfind('/');
  beside = slash == std::string::npos ? "" : beside.substr(0, slash + 1);
  const std::string folders[] = {"./",
                                 "./data/",
                                 "../data/",
                                 "../../data/",
                                 "../Common/",
                                 "../../Common/",
                                 "../Common/data/",
                                 beside,
                                 beside + "data/",
                                 beside + "../data/"};
  for (const std::string& folder : folders)
    if (std::ifstream(folder + file).good())
      return strdup((folder + file).c_str());
  return NULL;
}

#endif
