// Step 1: text as the model was trained on it.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "double_array.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_lite_generated.h"
#include "utf8.h"

namespace sentencepiece::lite {

// The normalized text as it grows, with the offset of each of its bytes where
// they are asked for.
class NormalizedText {
 public:
  NormalizedText(std::string* text, std::vector<size_t>* offsets, std::string_view mark)
      : text_(text), offsets_(offsets), mark_(mark) {}

  // How many bytes of the input lie behind.
  size_t consumed = 0;

  // Bytes that all stem from the current place of the input.
  void Append(std::string_view bytes) {
    text_->append(bytes);
    if (offsets_ != nullptr) offsets_->resize(offsets_->size() + bytes.size(), consumed);
  }
  // Consumes ASCII at the front of the input as it is, with marks for spaces, while it passes
  // and nothing beyond ASCII follows; how much. With `joins_spaces` no space follows another.
  size_t Copy(std::string_view input, const std::array<bool, 128>& passes, bool joins_spaces,
              bool* after_space) {
    const size_t most = std::min(input.size(), kMostCopied);
    char copied[kMostCopied * sizeof(uint32_t)];
    char* end = copied;
    uint32_t mark = 0;
    std::memcpy(&mark, mark_.data(), mark_.size());
    uint32_t no_space = *after_space;
    size_t size = 0;
    // Sums and products, lest a branch guess where words end.
    for (; size < most; ++size) {
      const char c = input[size];
      const char next = size + 1 < input.size() ? input[size + 1] : 'a';
      const uint32_t is_space = c == ' ';
      const bool is_ascii = IsAscii(static_cast<char>(c | next));
      if (!is_ascii || !passes[static_cast<size_t>(c)] || (is_space & no_space) != 0) break;
      const uint32_t word = static_cast<uint32_t>(c) + is_space * (mark - ' ');
      std::memcpy(end, &word, sizeof(word));
      end += 1 + is_space * (mark_.size() - 1);
      no_space = is_space & uint32_t{joins_spaces};
    }
    text_->append(copied, static_cast<size_t>(end - copied));
    *after_space = no_space != 0;
    for (size_t i = 0; offsets_ != nullptr && i < size; ++i) {
      offsets_->resize(offsets_->size() + (input[i] == ' ' ? mark_.size() : 1), consumed + i);
    }
    consumed += size;
    return size;
  }
  void AppendMark() { Append(mark_); }

  // Every space of `bytes` becomes the mark.
  void AppendMarked(std::string_view bytes) {
    while (true) {
      const size_t space = bytes.find(' ');
      Append(bytes.substr(0, space));
      if (space == std::string_view::npos) return;
      AppendMark();
      bytes.remove_prefix(space + 1);
    }
  }

  // Marks at the end, literal ones of the input among them, go; so does what they
  // stem from.
  void StripTrailingMarks(bool literal_too) {
    while (true) {
      size_t size = text_->ends_with(mark_) ? mark_.size() : 0;
      if (literal_too && text_->ends_with(kSpaceMark)) size = kSpaceMark.size();
      if (size == 0) return;
      const size_t length = text_->size() - size;
      text_->resize(length);
      if (offsets_ != nullptr) {
        consumed = (*offsets_)[length];
        offsets_->resize(length);
      }
    }
  }

  size_t size() const { return text_->size(); }

  void Finish() {
    if (offsets_ != nullptr) offsets_->push_back(consumed);
  }

 private:
  static constexpr size_t kMostCopied = 128;  // bytes at a time

  std::string* text_;
  std::vector<size_t>* offsets_;
  std::string_view mark_;
};

// Const members may be called from any thread.
class Normalizer {
 public:
  // `spec` may be null (the defaults of sentencepiece_model.proto); pieces of
  // `user_defined`, which may be empty, pass unchanged. Both must stay. Returns what is
  // wrong with the charsmap, or nothing.
  std::string Load(const NormalizerSpec* spec, const DoubleArray& user_defined) {
    if (!user_defined.empty()) user_defined_ = &user_defined;
    std::string fault;
    if (spec != nullptr) {
      add_dummy_prefix_ = spec->add_dummy_prefix();
      remove_extra_whitespaces_ = spec->remove_extra_whitespaces();
      escape_whitespaces_ = spec->escape_whitespaces();
      treat_whitespace_as_suffix_ = spec->treat_whitespace_as_suffix();
      const auto* charsmap = spec->precompiled_charsmap();
      if (charsmap != nullptr && charsmap->size() != 0) {
        fault = LoadCharsmap({reinterpret_cast<const char*>(charsmap->data()), charsmap->size()});
      }
    }
    FindPassingAscii();
    return fault;
  }

  bool add_dummy_prefix() const { return add_dummy_prefix_; }
  bool adds_in_front() const { return add_dummy_prefix_ && !treat_whitespace_as_suffix_; }
  bool remove_extra_whitespaces() const { return remove_extra_whitespaces_; }

  // Whether Normalize would return `input` as it is.
  bool LeavesUnchanged(std::string_view input) const {
    if (add_dummy_prefix_) return input.empty();
    std::string normalized;
    return Normalize(input, &normalized, nullptr) && normalized == input;
  }

  // Replaces `output`; with `offsets`, also those of
  // SentencePieceLiteProcessor::Normalize. False, and both are empty, where the
  // charsmap would make of `input` more than kMaxSize bytes.
  bool Normalize(std::string_view input, std::string* output, std::vector<size_t>* offsets) const {
    return NormalizeWith(escape_whitespaces_ ? kSpaceMark : " ", input, output, offsets);
  }

  // The same with spaces for marks.
  bool NormalizeToSpaces(std::string_view input, std::string* output) const {
    const bool is_plain = charsmap_.empty() && !remove_extra_whitespaces_ && !input.empty();
    if (!is_plain || !IsWellFormed(input)) return NormalizeWith(" ", input, output, nullptr);
    output->clear();
    output->reserve(input.size() + kReserved);
    if (adds_in_front()) output->push_back(' ');
    output->append(input);
    if (add_dummy_prefix_ && treat_whitespace_as_suffix_) output->push_back(' ');
    return true;
  }

  // What a space of such a text is.
  Spaces spaces() const { return escape_whitespaces_ ? Spaces::kMark : Spaces::kLiteral; }

  // What callers may append without another allocation, at least.
  static constexpr size_t kReserved = 64;
  // Positions are 32 bits wide, and so are the lengths of the published API.
  static constexpr size_t kMaxSize = std::numeric_limits<int32_t>::max() - 1;

 private:
  // What the front of a text becomes: `consumed` bytes of it turn into `text`.
  struct Prefix {
    std::string_view text;
    size_t consumed;
  };
  std::string LoadCharsmap(std::string_view charsmap) {
    uint32_t trie_size = 0;
    if (charsmap.size() <= sizeof(trie_size)) return "it is cut off";
    std::memcpy(&trie_size, charsmap.data(), sizeof(trie_size));
    charsmap.remove_prefix(sizeof(trie_size));
    if (trie_size >= charsmap.size()) return "its trie is cut off";
    replacements_ = charsmap.substr(trie_size);
    if (replacements_.back() != '\0') return "its last replacement has no end";
    const bool sound = charsmap_.Attach(reinterpret_cast<const uint8_t*>(charsmap.data()),
                                        trie_size, static_cast<uint32_t>(replacements_.size()));
    return sound ? "" : "its trie is not sound";
  }
  // An ASCII character passes when no rule is just that character and none begins
  // with it and another ASCII character: the rules that are left compose it with
  // a mark that follows.
  void FindPassingAscii() {
    const auto in_no_key = [](const DoubleArray* trie, unsigned char byte) {
      if (trie == nullptr || trie->empty()) return true;
      const uint32_t node = trie->Step(DoubleArray::kRoot, byte);
      if (node == DoubleArray::kNoNode) return true;
      if (trie->Value(node) != DoubleArray::kNoValue) return false;
      for (unsigned char next = 1; next < 128; ++next) {
        if (trie->Step(node, next) != DoubleArray::kNoNode) return false;
      }
      return true;
    };
    for (unsigned char byte = 0; byte < 128; ++byte) {
      passes_[byte] = in_no_key(&charsmap_, byte) && in_no_key(user_defined_, byte);
    }
  }
  // Section 2 of the semantics, (a) to (d).
  Prefix NormalizePrefix(std::string_view input) const {
    if (user_defined_ != nullptr) {
      const size_t length = user_defined_->LongestPrefix(input).length;
      if (length > 0) return {input.substr(0, length), length};
    }
    const DoubleArray::Match rule = charsmap_.LongestPrefix(input);
    if (rule.length > 0) return {replacements_.data() + rule.value, rule.length};
    const size_t length = WellFormedLength(input);
    return length == 0 ? Prefix{kReplacement, 1} : Prefix{input.substr(0, length), length};
  }
  bool NormalizeWith(std::string_view mark, std::string_view input, std::string* output,
                     std::vector<size_t>* offsets) const {
    output->clear();
    if (offsets != nullptr) offsets->clear();
    NormalizedText target(output, offsets, mark);

    const auto leads_word = [&] {
      return input.size() > 1 && IsAscii(static_cast<char>(input[0] | input[1])) &&
             input[0] != ' ' && passes_[static_cast<size_t>(input[0])];
    };
    while (remove_extra_whitespaces_ && !input.empty() && !leads_word()) {
      const Prefix prefix = NormalizePrefix(input);
      if (prefix.text != " ") break;
      target.consumed += prefix.consumed;
      input.remove_prefix(prefix.consumed);
    }
    if (input.empty()) return true;

    output->reserve(input.size() + input.size() / 2 + kSpaceMark.size());
    if (adds_in_front()) target.AppendMark();
    if (!NormalizeBody(input, &target)) {
      output->clear();
      if (offsets != nullptr) offsets->clear();
      return false;
    }
    if (remove_extra_whitespaces_) target.StripTrailingMarks(escape_whitespaces_);
    if (add_dummy_prefix_ && treat_whitespace_as_suffix_) target.AppendMark();
    target.Finish();
    return true;
  }
  bool NormalizeBody(std::string_view input, NormalizedText* output) const {
    bool after_space = remove_extra_whitespaces_;
    while (!input.empty()) {
      if (output->size() > kMaxSize) return false;
      const size_t size = output->Copy(input, passes_, remove_extra_whitespaces_, &after_space);
      if (size > 0) {
        input.remove_prefix(size);
        continue;
      }
      Prefix prefix = NormalizePrefix(input);
      while (after_space && prefix.text.starts_with(' ')) prefix.text.remove_prefix(1);
      if (!prefix.text.empty()) {
        output->AppendMarked(prefix.text);
        after_space = remove_extra_whitespaces_ && prefix.text.ends_with(' ');
      }
      output->consumed += prefix.consumed;
      input.remove_prefix(prefix.consumed);
    }
    return output->size() <= kMaxSize;
  }

  // kMaxTrieResultsSize of sentencepiece's normalizer.h; a charsmap that it compiled
  // has no more rules that begin alike.
  DoubleArray charsmap_{32};
  std::string_view replacements_;  // each ended by a NUL
  const DoubleArray* user_defined_ = nullptr;
  // ASCII characters that stand for themselves (a space: for itself alone) when
  // another ASCII character or nothing follows.
  std::array<bool, 128> passes_{};
  bool add_dummy_prefix_ = true;
  bool remove_extra_whitespaces_ = true;
  bool escape_whitespaces_ = true;
  bool treat_whitespace_as_suffix_ = false;
};

}  // namespace sentencepiece::lite
