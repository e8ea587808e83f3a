// What the command-line tools share: flags, reading a file, one sentence on failure.

#ifndef SPMLITE_CORE_TOOLS_COMMAND_LINE_H_
#define SPMLITE_CORE_TOOLS_COMMAND_LINE_H_

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace spmlite_tools {

// --name VALUE or --name=VALUE; without a value of its own at first, it must be given.
struct Flag {
  std::string_view name;
  std::string* value;
};

// Prints one sentence on stderr; returns `code`, the exit status.
inline int Fail(std::string_view tool, const std::string& reason, int code = 1) {
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(tool.size()), tool.data(), reason.c_str());
  return code;
}

// What is wrong with the arguments, or nothing; --help prints `usage` and ends.
inline std::string ParseFlags(int argument_count, char** arguments, std::span<const Flag> flags,
                              const char* usage) {
  for (int i = 1; i < argument_count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    const size_t equals = std::min(argument.find('='), argument.size());
    bool known = false;
    for (const Flag& flag : flags) {
      if (argument.substr(0, equals) != "--" + std::string(flag.name)) continue;
      known = true;
      if (equals < argument.size()) {
        *flag.value = argument.substr(equals + 1);
      } else {
        *flag.value = i + 1 < argument_count ? arguments[++i] : "";
      }
    }
    if (!known) return "unknown argument " + std::string(argument) + "; see --help";
  }
  for (const Flag& flag : flags) {
    if (flag.value->empty()) return "--" + std::string(flag.name) + "=VALUE is missing; see --help";
  }
  return {};
}

inline std::optional<std::string> ReadFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) return std::nullopt;
  std::string bytes;
  char buffer[1 << 16];
  size_t size;
  while ((size = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
    bytes.append(buffer, size);
  }
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return bytes;
}

}  // namespace spmlite_tools

#endif  // SPMLITE_CORE_TOOLS_COMMAND_LINE_H_
