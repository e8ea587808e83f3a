// spm_to_fb --model=F --output=F [--recipe=NAME]: converts a model file to a .spm.fb file.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "command_line.h"
#include "sentencepiece_model_converters.h"
#include "spm_text.h"
#include "tokenizer_json.h"

namespace {

constexpr char kUsage[] =
    "usage: spm_to_fb --model=FILE --output=FILE [--recipe=NAME]\n"
    "Converts a sentencepiece model (.model, .spm or a tokenizer.json) to the form that "
    "spmlite reads in place (.spm.fb). A .spm without a header needs a recipe: gemma or llama2.\n";

constexpr char kTool[] = "spm_to_fb";
constexpr char kNoRecipe[] = "none";

bool WriteFile(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return (std::fclose(file) == 0) && written;
}

// Nobody ever sees half a file at `path`: it is written beside it, then renamed.
// What is no file, such as a pipe or /dev/null, is written to and stays.
bool ReplaceFile(const std::string& path, std::string_view bytes) {
  std::error_code error;
  if (std::filesystem::is_other(path, error)) return WriteFile(path, bytes);
  const std::string temporary = path + ".part";
  if (WriteFile(temporary, bytes)) {
    std::filesystem::rename(temporary, path, error);
    if (!error) return true;
  }
  std::filesystem::remove(temporary, error);
  return false;
}

// The file as a .model, where it is a tokenizer.json, with the notes on stderr, or a .spm that
// needs a recipe; else as it is.
sentencepiece::lite::StatusOr<std::string> Read(std::string file, const std::string& recipe) {
  if (recipe != kNoRecipe) {
    return sentencepiece::lite::SpmTextToModel(file, {.recipe = recipe});
  }
  const size_t first = file.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first == file.npos || file[first] != '{') return file;
  auto read = sentencepiece::lite::TokenizerJsonToModel(file);
  if (!read.ok()) return {read.code(), std::string(read.message())};
  for (const std::string& note : (*read).notes) {
    std::fprintf(stderr, "%s: tokenizer.json: %s\n", kTool, note.c_str());
  }
  return std::move((*read).model);
}

}  // namespace

int main(int argument_count, char** arguments) {
  using namespace spmlite_tools;
  std::string input;
  std::string output;
  std::string recipe = kNoRecipe;
  const Flag flags[] = {{"model", &input}, {"output", &output}, {"recipe", &recipe}};
  const std::string mistake = ParseFlags(argument_count, arguments, flags, kUsage);
  if (!mistake.empty()) return Fail(kTool, mistake, 2);
  const std::optional<std::string> model = ReadFile(input);
  if (!model) return Fail(kTool, "cannot read " + input);

  const auto start = std::chrono::steady_clock::now();
  const auto serialized = Read(*model, recipe);
  if (!serialized.ok()) return Fail(kTool, input + ": " + std::string(serialized.message()));
  const auto blob = sentencepiece::lite::ToFlatbuffer(*serialized);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  if (!blob.ok()) return Fail(kTool, input + ": " + std::string(blob.message()));
  if (!ReplaceFile(output, *blob)) return Fail(kTool, "cannot write " + output);
  std::printf("%s: %zu bytes -> %s: %zu bytes, %.0f ms\n", input.c_str(), model->size(),
              output.c_str(), (*blob).size(), elapsed.count());
  return 0;
}
