// The module for tokenizer.json: a C interface over TokenizerJsonToModel.
//
// It is used as the converter is (convert_abi.cc). The Outcome's text is a `.model`, for
// the converter, or a sentence that says what is wrong; the notes on what the model lacks
// are beside it, a line each.
//
//   spmlite_read_tokenizer_json(file, size) -> reading   takes the block over; never 0
//   spmlite_status(reading)                              0 where there is a model
//   spmlite_notes(reading) -> Outcome                    its text is the notes
//   spmlite_destroy(reading)                             and all of that

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "exports.h"
#include "tokenizer_json.h"

namespace spmlite {

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

SPMLITE_EXPORT(spmlite_read_tokenizer_json)
Reading* spmlite_read_tokenizer_json(char* file, size_t size) {
  auto* reading = new Reading(TokenizerJsonToModel({file, size}));
  std::free(file);
  return reading;
}

SPMLITE_EXPORT(spmlite_status)
StatusCode spmlite_status(const Reading* reading) { return reading->model.code(); }

SPMLITE_EXPORT(spmlite_notes)
const Outcome* spmlite_notes(const Reading* reading) { return &reading->notes; }

SPMLITE_EXPORT(spmlite_destroy) void spmlite_destroy(Reading* reading) { delete reading; }

}  // namespace spmlite
