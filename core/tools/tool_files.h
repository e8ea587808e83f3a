// What the command-line tools share: flags, files, one sentence on failure.

#ifndef SPMLITE_CORE_TOOLS_TOOL_FILES_H_
#define SPMLITE_CORE_TOOLS_TOOL_FILES_H_

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "sentencepiece_lite.h"
#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// --name=value
struct Flag {
  std::string_view name;
  std::string* value;
};

// What is wrong with the arguments, or nothing.
inline std::string ParseFlags(int argument_count, char** arguments,
                              Span<const Flag> flags) {
  for (int i = 1; i < argument_count; ++i) {
    std::string_view argument = arguments[i];
    const size_t equals = argument.find('=');
    bool known = false;
    for (const Flag& flag : flags) {
      if (equals == std::string_view::npos || !argument.starts_with("--") ||
          argument.substr(2, equals - 2) != flag.name) {
        continue;
      }
      *flag.value = argument.substr(equals + 1);
      known = true;
    }
    if (!known) return "unknown argument " + std::string(argument);
  }
  return {};
}

inline StatusOr<std::string> ReadFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) {
    return {StatusCode::kInvalidArgument, "cannot open " + path};
  }
  std::string bytes;
  char buffer[1 << 16];
  size_t size;
  while ((size = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
    bytes.append(buffer, size);
  }
  if (std::ferror(file.get()) != 0) {
    return {StatusCode::kInvalidArgument, "cannot read " + path};
  }
  return bytes;
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TOOLS_TOOL_FILES_H_
