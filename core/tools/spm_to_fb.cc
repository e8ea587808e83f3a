// spm_to_fb --model=F --output=F: converts a .model file to a .spm.fb file.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "sentencepiece_model_converters.h"

namespace {

constexpr char kUsage[] =
    "usage: spm_to_fb --model=FILE --output=FILE\n"
    "Converts a sentencepiece model (.model) to the form that spmlite reads in "
    "place (.spm.fb).\n";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

struct Options {
  std::string model;
  std::string output;
  bool help = false;
};

int Fail(const std::string& reason) {
  std::fprintf(stderr, "spm_to_fb: %s\n", reason.c_str());
  return 1;
}

// What is wrong with the arguments, or nothing.
std::string ParseOptions(int argument_count, char** arguments, Options* options) {
  constexpr std::string_view kModel = "--model=";
  constexpr std::string_view kOutput = "--output=";
  for (int i = 1; i < argument_count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options->help = true;
    } else if (argument.starts_with(kModel)) {
      options->model = argument.substr(kModel.size());
    } else if (argument.starts_with(kOutput)) {
      options->output = argument.substr(kOutput.size());
    } else {
      return "unknown argument " + std::string(argument) + "; see --help";
    }
  }
  if (options->help) return {};
  if (options->model.empty()) return "--model=FILE is missing; see --help";
  if (options->output.empty()) return "--output=FILE is missing; see --help";
  return {};
}

std::optional<std::string> ReadFile(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
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

bool WriteFile(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return (std::fclose(file) == 0) && written;
}

// Nobody ever sees half a file at `path`: it is written beside it, then renamed.
bool ReplaceFile(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".part";
  std::error_code error;
  if (WriteFile(temporary, bytes)) {
    std::filesystem::rename(temporary, path, error);
    if (!error) return true;
  }
  std::filesystem::remove(temporary, error);
  return false;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Options options;
  const std::string mistake = ParseOptions(argument_count, arguments, &options);
  if (!mistake.empty()) return Fail(mistake);
  if (options.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  const std::optional<std::string> model = ReadFile(options.model);
  if (!model) return Fail("cannot read " + options.model);

  const auto start = std::chrono::steady_clock::now();
  const auto blob = sentencepiece::lite::ToFlatbuffer(*model);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  if (!blob.ok()) {
    return Fail(options.model + ": " + std::string(blob.message()));
  }
  if (!ReplaceFile(options.output, *blob)) {
    return Fail("cannot write " + options.output);
  }
  std::printf("%s: %zu bytes -> %s: %zu bytes, %.0f ms\n", options.model.c_str(), model->size(),
              options.output.c_str(), (*blob).size(), elapsed.count());
  return 0;
}
