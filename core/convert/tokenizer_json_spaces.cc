#include "tokenizer_json_spaces.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>
#include <utility>

#include "base64.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

constexpr std::string_view kByteLevel =
    " has the step ByteLevel: this is byte-level BPE, as GPT-2, Llama 3 and Qwen have it, and no "
    "SentencePiece model";

// Whether a step, or one inside it, makes bytes of a text.
bool IsByteLevel(const Json& step) {
  if (step["type"] == "ByteLevel") return true;
  for (const char* steps : {"normalizers", "pretokenizers"}) {
    for (const Json inner : step[steps]) {
      if (IsByteLevel(inner)) return true;
    }
  }
  return false;
}

// "▁", but for what it stands in.
bool IsMark(const Json& value) { return value == kSpaceMark; }

// A step of the normalizer that replaces what a regular expression finds.
struct Replacement {
  std::string_view pattern;
  std::string_view content;
};

// Spaces that are joined, as files since 2020 have it.
constexpr Replacement kJoins[] = {{" {2,}", " "}, {" {2,}", kSpaceMark}};
// Spaces that are dropped at both ends or at one, before they are joined or after.
constexpr Replacement kStrips[] = {{"\\A +| +\\z", ""}, {"\\A +", ""}, {"\xe2\x96\x81+\\z", ""}};
// The mark in front comes also where there is one in the text: what SentencePiece does.
constexpr Replacement kDoubles[] = {{"\\A\xe2\x96\x81", "\xe2\x96\x81\xe2\x96\x81"}};

bool IsOneOf(std::span<const Replacement> known, std::string_view pattern,
             std::string_view content) {
  return std::any_of(known.begin(), known.end(), [&](const Replacement& one) {
    return one.pattern == pattern && one.content == content;
  });
}

// The texts that a regular expression of nothing but alternatives matches: a|b\.c. False
// for any other.
bool ReadAlternatives(std::string_view pattern, std::vector<std::string>* texts) {
  constexpr std::string_view kSpecial = "()[]{}?*+^$.";
  texts->emplace_back();
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '|') {
      texts->emplace_back();
      continue;
    }
    if (kSpecial.find(pattern[i]) != kSpecial.npos) return false;
    const bool is_escape = pattern[i] == '\\';
    if (is_escape && ++i == pattern.size()) return false;
    // Letters behind a backslash are no letters.
    if (is_escape && std::isalnum(static_cast<unsigned char>(pattern[i]))) return false;
    texts->back().push_back(pattern[i]);
  }
  return std::none_of(texts->begin(), texts->end(), [](const auto& text) { return text.empty(); });
}

// Puts rules in front of a charsmap: what they make is not changed by its rules.
std::string AddRules(std::vector<CharsmapRule> rules, std::string* charsmap) {
  std::vector<CharsmapRule> all;
  if (!charsmap->empty()) {
    auto decompiled = DecompileCharsmap(*charsmap);
    if (!decompiled.ok()) return std::string(decompiled.message());
    all = *std::move(decompiled);
  }
  for (CharsmapRule& rule : rules) {
    for (size_t i = 0; i < rule.to.size(); ++i) {
      const std::string_view rest = std::string_view(rule.to).substr(i);
      const auto changes = [&](const CharsmapRule& other) { return rest.starts_with(other.from); };
      if (std::any_of(all.begin(), all.end(), changes)) {
        return "replaces by " + QuotedText(rule.to) + ", which the charsmap replaces again";
      }
    }
    std::erase_if(all, [&](const CharsmapRule& other) { return other.from == rule.from; });
  }
  std::move(rules.begin(), rules.end(), std::back_inserter(all));
  auto compiled = CompileCharsmap(std::move(all));
  if (!compiled.ok()) return std::string(compiled.message());
  *charsmap = *std::move(compiled);
  return {};
}

}  // namespace

std::string QuotedText(std::string_view text) {
  return std::string("\"").append(text).append("\"");
}

std::string Shown(const Json& value) {
  constexpr size_t kMost = 200;
  std::string_view source = value.source();
  if (value.Is(Json::Type::kString)) return QuotedText(source);
  if (source.size() <= kMost) return std::string(source);
  while (source.size() > kMost || IsContinuation(value.source()[source.size()])) {
    source = source.substr(0, std::min(source.size() - 1, kMost));
  }
  return std::string(source).append(" ...");
}

std::string TokenizerSteps::Read(const Json& normalizer, const Json& pre_tokenizer) {
  // First of all: what else is foreign in such a file does not help to know.
  if (IsByteLevel(normalizer)) return std::string("normalizer").append(kByteLevel);
  if (IsByteLevel(pre_tokenizer)) return std::string("pre_tokenizer").append(kByteLevel);
  std::string fault = ReadNormalizer(normalizer);
  if (fault.empty()) fault = ReadPreTokenizer(pre_tokenizer);
  return fault.empty() ? Finish() : fault;
}

std::string TokenizerSteps::ReadNormalizer(const Json& step) {
  if (step.IsNone()) return {};
  const Json type = step["type"];
  if (type == "Sequence") {
    for (const Json inner : step["normalizers"]) {
      if (std::string fault = ReadNormalizer(inner); !fault.empty()) return fault;
    }
    return {};
  }
  if (type == "Prepend" && IsMark(step["prepend"])) {
    marks_front = true;
    return {};
  }
  if (type == "Replace") return ReadReplace(step);
  if (type == "Strip") return ReadStrip(step);
  if (type == "Precompiled") return ReadPrecompiled(step);
  // Such are those of ALBERT and XLNet, whose converter puts NFKD, StripAccents and Lowercase
  // before the charsmap (transformers, convert_slow_tokenizer.py).
  return "normalizer has the step " + Shown(step) +
         ", which no SentencePiece model has: its rules are in a charsmap; load the .model that "
         "this file was made from, and change texts so before they are encoded";
}

std::string TokenizerSteps::ReadReplace(const Json& step) {
  const std::string_view content = step["content"].text();
  const Json text = step["pattern"]["String"];
  const std::string_view pattern = step["pattern"]["Regex"].text();
  if (text == " " && content == kSpaceMark) {
    marks_spaces = true;
  } else if (IsOneOf(kJoins, pattern, content)) {
    joins_spaces_ = true;
  } else if (IsOneOf(kStrips, pattern, content)) {
    strips_ends_ = true;
  } else if (IsOneOf(kDoubles, pattern, content)) {
    return {};
  } else if (text.Is(Json::Type::kString) && !text.text().empty() && precompiled_charsmap.empty() &&
             !marks_spaces && !marks_front) {
    rules_.push_back({std::string(text.text()), std::string(content)});
  } else {
    return "normalizer has the step " + Shown(step) + ", which no SentencePiece model has";
  }
  return {};
}

std::string TokenizerSteps::ReadStrip(const Json& step) {
  const bool strips = step["strip_left"].IsTrue() || step["strip_right"].IsTrue();
  if (!strips) return "normalizer has the step " + Shown(step) + ", which strips nothing";
  strips_ends_ = true;
  return {};
}

std::string TokenizerSteps::ReadPrecompiled(const Json& step) {
  const Json charsmap = step["precompiled_charsmap"];
  if (charsmap.IsNone()) return {};
  if (!precompiled_charsmap.empty()) return "normalizer has two charsmaps";
  if (!AppendFromBase64(charsmap.text(), &precompiled_charsmap)) {
    return "normalizer.precompiled_charsmap is not base64";
  }
  return {};
}

std::string TokenizerSteps::ReadPreTokenizer(const Json& step) {
  if (step.IsNone()) return {};
  const Json type = step["type"];
  if (type == "Sequence") {
    for (const Json inner : step["pretokenizers"]) {
      if (std::string fault = ReadPreTokenizer(inner); !fault.empty()) return fault;
    }
    return {};
  }
  if (type == "Metaspace") return ReadMetaspace(step);
  if (type == "Split") return ReadSplit(step);
  if (type == "WhitespaceSplit") {
    splits_at_spaces_ = true;
    return {};
  }
  return "pre_tokenizer is " + Shown(step) + ", which SentencePiece does not know";
}

std::string TokenizerSteps::ReadMetaspace(const Json& step) {
  if (!IsMark(step["replacement"])) {
    return "pre_tokenizer is " + Shown(step) + ", but SentencePiece writes a space as \"" +
           std::string(kSpaceMark) + "\"";
  }
  marks_spaces = true;
  const Json scheme = step["prepend_scheme"];
  // Older files have this in its place.
  const bool is_never = scheme.IsNone() ? !step["add_prefix_space"].IsTrue() : scheme == "never";
  marks_front |= !is_never;
  splits_at_marks |= !step["split"].Is(Json::Type::kFalse);
  return {};
}

std::string TokenizerSteps::ReadSplit(const Json& step) {
  // Where spaces have become "▁", nothing is split at them.
  if (marks_spaces && step["pattern"]["String"] == " ") return {};
  const std::string_view pattern = step["pattern"]["Regex"].text();
  if (step["behavior"] == "Isolated" && !step["invert"].IsTrue() &&
      ReadAlternatives(pattern, &isolated)) {
    return {};
  }
  return "pre_tokenizer is " + Shown(step) + ", which SentencePiece does not know";
}

std::string TokenizerSteps::Finish() {
  if (splits_at_spaces_ && !marks_spaces) {
    return "pre_tokenizer splits at white space, but nothing writes it as \"" +
           std::string(kSpaceMark) + "\"";
  }
  if (!marks_spaces) {
    return "neither normalizer nor pre_tokenizer writes spaces as \"" + std::string(kSpaceMark) +
           "\"";
  }
  removes_spaces = joins_spaces_ || splits_at_spaces_;
  splits_at_marks |= splits_at_spaces_;
  if (strips_ends_ && !removes_spaces) {
    return "normalizer drops spaces at the ends but keeps those that follow one another, which "
           "no SentencePiece model does";
  }
  if (rules_.empty()) return {};
  std::string fault = AddRules(std::move(rules_), &precompiled_charsmap);
  return fault.empty() ? fault : "normalizer: " + fault;
}

}  // namespace sentencepiece::lite
