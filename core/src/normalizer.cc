#include "normalizer.h"

#include <cstring>

namespace sentencepiece::lite {

// The normalized text as it grows, with the offset of each of its bytes where
// they are asked for.
class Normalizer::Output {
 public:
  Output(std::string* text, std::vector<size_t>* offsets, std::string_view mark)
      : text_(text), offsets_(offsets), mark_(mark) {}

  // How many bytes of the input lie behind.
  size_t consumed = 0;

  // Bytes that all stem from the current place of the input.
  void Append(std::string_view bytes) {
    text_->append(bytes);
    if (offsets_ != nullptr) {
      offsets_->insert(offsets_->end(), bytes.size(), consumed);
    }
  }
  // Bytes taken over from the input as they are, which are consumed as well.
  void Copy(std::string_view bytes) {
    text_->append(bytes);
    if (offsets_ != nullptr) {
      for (size_t i = 0; i < bytes.size(); ++i) {
        offsets_->push_back(consumed + i);
      }
    }
    consumed += bytes.size();
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

  // Marks at the end, a literal U+2581 of the input among them, go; so does
  // what they stem from.
  void StripTrailingMarks() {
    while (text_->ends_with(mark_)) {
      const size_t length = text_->size() - mark_.size();
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
  std::string* text_;
  std::vector<size_t>* offsets_;
  std::string_view mark_;
};

StatusCode Normalizer::Load(const NormalizerSpec* spec, const DoubleArray& user_defined,
                            std::string_view field, std::string* message) {
  if (!user_defined.empty()) user_defined_ = &user_defined;
  if (spec != nullptr) {
    add_dummy_prefix_ = spec->add_dummy_prefix();
    remove_extra_whitespaces_ = spec->remove_extra_whitespaces();
    escape_whitespaces_ = spec->escape_whitespaces();
    treat_whitespace_as_suffix_ = spec->treat_whitespace_as_suffix();
    const auto* charsmap = spec->precompiled_charsmap();
    if (charsmap != nullptr && charsmap->size() != 0) {
      const StatusCode code = LoadCharsmap(
          {reinterpret_cast<const char*>(charsmap->data()), charsmap->size()}, field, message);
      if (code != StatusCode::kOk) return code;
    }
  }
  FindPassingAscii();
  return StatusCode::kOk;
}

StatusCode Normalizer::LoadCharsmap(std::string_view charsmap, std::string_view field,
                                    std::string* message) {
  const auto refuse = [&](std::string_view reason) {
    *message =
        "precompiled_charsmap of " + std::string(field) + " is damaged: " + std::string(reason);
    return StatusCode::kInternal;
  };
  uint32_t trie_size = 0;
  if (charsmap.size() <= sizeof(trie_size)) return refuse("it is cut off");
  std::memcpy(&trie_size, charsmap.data(), sizeof(trie_size));
  charsmap.remove_prefix(sizeof(trie_size));
  if (trie_size >= charsmap.size()) return refuse("its trie is cut off");
  replacements_ = charsmap.substr(trie_size);
  if (replacements_.back() != '\0') {
    return refuse("its last replacement has no end");
  }
  if (!charsmap_.Attach(reinterpret_cast<const uint8_t*>(charsmap.data()), trie_size,
                        static_cast<uint32_t>(replacements_.size()))) {
    return refuse("its trie is not sound");
  }
  return StatusCode::kOk;
}

// An ASCII character passes when no rule is just that character and none begins
// with it and another ASCII character: the rules that are left compose it with
// a mark that follows.
void Normalizer::FindPassingAscii() {
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

bool Normalizer::LeavesUnchanged(std::string_view input) const {
  if (input.empty()) return true;
  if (!charsmap_.empty() || add_dummy_prefix_ || remove_extra_whitespaces_) {
    return false;
  }
  if (escape_whitespaces_ && input.find(' ') != std::string_view::npos) {
    return false;
  }
  return IsWellFormed(input);
}

// Section 2 of the semantics, (a) to (d).
Normalizer::Prefix Normalizer::NormalizePrefix(std::string_view input) const {
  if (user_defined_ != nullptr) {
    const size_t length = user_defined_->LongestPrefix(input).length;
    if (length > 0) return {input.substr(0, length), length};
  }
  const DoubleArray::Match rule = charsmap_.LongestPrefix(input);
  if (rule.length > 0) {
    return {replacements_.data() + rule.value, rule.length};
  }
  const size_t length = WellFormedLength(input);
  if (length == 0) return {kReplacement, 1};
  return {input.substr(0, length), length};
}

// How many characters at the front stand for themselves, by the table alone: up
// to the next space.
size_t Normalizer::PassingLength(std::string_view input) const {
  size_t length = 0;
  while (length < input.size() && input[length] != ' ' && Passes(input[length])) {
    ++length;
  }
  // The last one may join a character beyond ASCII.
  if (length > 0 && length < input.size() && !IsAscii(input[length])) --length;
  return length;
}

// Whether a space leads, and nothing in the model begins with one.
bool Normalizer::LeadsPlainSpace(std::string_view input) const {
  return input[0] == ' ' && passes_[' '] && (input.size() == 1 || IsAscii(input[1]));
}

bool Normalizer::NormalizeBody(std::string_view input, Output* output) const {
  bool after_space = remove_extra_whitespaces_;
  while (!input.empty()) {
    if (output->size() > kMaxSize) return false;
    if (const size_t length = PassingLength(input); length > 0) {
      output->Copy(input.substr(0, length));
      input.remove_prefix(length);
      after_space = false;
      continue;
    }
    if (LeadsPlainSpace(input)) {
      if (!after_space) output->AppendMark();
      after_space = remove_extra_whitespaces_;
      ++output->consumed;
      input.remove_prefix(1);
      continue;
    }
    Prefix prefix = NormalizePrefix(input);
    while (after_space && prefix.text.starts_with(' ')) {
      prefix.text.remove_prefix(1);
    }
    if (!prefix.text.empty()) {
      output->AppendMarked(prefix.text);
      after_space = remove_extra_whitespaces_ && prefix.text.ends_with(' ');
    }
    output->consumed += prefix.consumed;
    input.remove_prefix(prefix.consumed);
  }
  return output->size() <= kMaxSize;
}

bool Normalizer::Normalize(std::string_view input, std::string* output,
                           std::vector<size_t>* offsets) const {
  output->clear();
  if (offsets != nullptr) offsets->clear();
  Output target(output, offsets, escape_whitespaces_ ? kSpaceMark : " ");

  while (remove_extra_whitespaces_ && !input.empty()) {
    const Prefix prefix = NormalizePrefix(input);
    if (prefix.text != " ") break;
    target.consumed += prefix.consumed;
    input.remove_prefix(prefix.consumed);
  }
  if (input.empty()) return true;

  output->reserve(input.size() + input.size() / 2 + kSpaceMark.size());
  if (add_dummy_prefix_ && !treat_whitespace_as_suffix_) target.AppendMark();
  if (!NormalizeBody(input, &target)) {
    output->clear();
    if (offsets != nullptr) offsets->clear();
    return false;
  }
  if (remove_extra_whitespaces_) target.StripTrailingMarks();
  if (add_dummy_prefix_ && treat_whitespace_as_suffix_) target.AppendMark();
  target.Finish();
  return true;
}

}  // namespace sentencepiece::lite
