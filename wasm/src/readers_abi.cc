// The module of readers: what is neither `.spm.fb` nor `.model` becomes a `.model`.
//
// It has the interface of the converter (convert_abi.cc), in front of which it is used. It takes
// a tokenizer.json or a `.spm`, told apart by content. The Outcome's text is a `.model`, or a
// sentence that says what is wrong; the notes on what the model lacks are beside it, a line each.
//
//   spmlite_convert(file, size) -> reading   takes the block over; never 0
//   spmlite_status(reading)                  0 where there is a model
//   spmlite_notes(reading) -> Outcome        its text is the notes
//   spmlite_destroy(reading)                 and all of that

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "exports.h"
#include "spm_text.h"
#include "tokenizer_json.h"

namespace spmlite {

using sentencepiece::lite::IsSpmText;
using sentencepiece::lite::SpmTextToModel;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::StatusOr;
using sentencepiece::lite::TokenizerJsonModel;
using sentencepiece::lite::TokenizerJsonToModel;

struct Reading {
  explicit Reading(StatusOr<TokenizerJsonModel> read) : model(std::move(read)) {
    outcome.GiveText(model.ok() ? std::string_view((*model).model) : model.message());
    for (const std::string& note : (*model).notes) lines.append(note).push_back('\n');
    notes.GiveText(lines);
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  Outcome outcome;  // first: hosts read it at the reading's address
  Outcome notes;
  StatusOr<TokenizerJsonModel> model;
  std::string lines;
};

// A `.spm` is all of a model: there is nothing to note.
static StatusOr<TokenizerJsonModel> Read(std::string_view file) {
  if (!IsSpmText(file)) return TokenizerJsonToModel(file);
  StatusOr<std::string> model = SpmTextToModel(file);
  if (!model.ok()) return {model.code(), std::string(model.message())};
  TokenizerJsonModel read;
  read.model = *std::move(model);
  return read;
}

SPMLITE_EXPORT(spmlite_convert)
Reading* spmlite_convert(char* file, size_t size) {
  auto* reading = new Reading(Read({file, size}));
  std::free(file);
  return reading;
}

SPMLITE_EXPORT(spmlite_status)
StatusCode spmlite_status(const Reading* reading) { return reading->model.code(); }

SPMLITE_EXPORT(spmlite_notes)
const Outcome* spmlite_notes(const Reading* reading) { return &reading->notes; }

SPMLITE_EXPORT(spmlite_destroy) void spmlite_destroy(Reading* reading) { delete reading; }

}  // namespace spmlite
