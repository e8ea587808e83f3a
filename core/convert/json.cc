#include "json.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// Deeper than any tokenizer is, and no recursion here anyway.
constexpr size_t kMaxDepth = 1000;

constexpr bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

void AppendUtf8(uint32_t code_point, std::string* text) {
  const auto append = [&](uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  const auto continuation = [&](int shift) { append(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) return append(code_point);
  if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    continuation(6);
  } else {
    append(0xF0 | code_point >> 18);
    continuation(12);
    continuation(6);
  }
  continuation(0);
}

}  // namespace

// Goes through a text once. Each function reads what it is named for from where the
// parser stands, or notes what is wrong and returns false.
class JsonParser {
 public:
  JsonParser(std::string_view text, JsonDocument* document) : text_(text), document_(*document) {}

  std::string Parse() {
    if (text_.size() >= std::numeric_limits<uint32_t>::max()) return "it has 4 GiB or more";
    if (!IsWellFormed(text_)) return "it is not UTF-8";
    if (text_.starts_with("\xef\xbb\xbf")) place_ = 3;
    bool is_well = ReadValue();
    while (is_well && !open_.empty()) is_well = ReadNext();
    SkipSpaces();
    if (is_well && place_ < text_.size()) Fail("there is more");
    return error_;
  }

 private:
  using Node = JsonDocument::Node;
  using Type = Json::Type;

  bool Fail(std::string_view reason) {
    if (error_.empty()) {
      error_ = std::string(reason).append(" at byte ").append(std::to_string(place_));
    }
    return false;
  }

  char Peek() const { return place_ < text_.size() ? text_[place_] : '\0'; }

  void SkipSpaces() {
    while (place_ < text_.size() && IsSpace(text_[place_])) ++place_;
  }

  bool Take(char c) {
    SkipSpaces();
    if (Peek() != c) return false;
    ++place_;
    return true;
  }

  void Add(Type type, size_t begin, bool is_unescaped = false) {
    const size_t size = is_unescaped ? 0 : place_ - begin;
    const auto next = static_cast<uint32_t>(document_.nodes_.size() + 1);
    document_.nodes_.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(size), next, type, is_unescaped});
  }

  // A value; of an array or object the front alone.
  bool ReadValue() {
    SkipSpaces();
    const size_t begin = place_;
    switch (Peek()) {
      case '{':
        return Open(Type::kObject);
      case '[':
        return Open(Type::kArray);
      case '"':
        return ReadString();
      case 't':
        return ReadWord("true", Type::kTrue);
      case 'f':
        return ReadWord("false", Type::kFalse);
      case 'n':
        return ReadWord("null", Type::kNull);
      default:
        if (!SkipNumber()) return Fail("there is no value");
        Add(Type::kNumber, begin);
        return true;
    }
  }

  bool Open(Type type) {
    if (open_.size() == kMaxDepth) return Fail("values nest too deep");
    open_.push_back(static_cast<uint32_t>(document_.nodes_.size()));
    Add(type, place_++);
    is_first_ = true;
    return true;
  }

  // The next element of what is open, or its end.
  bool ReadNext() {
    const bool is_object = document_.nodes_[open_.back()].type == Type::kObject;
    if (Take(is_object ? '}' : ']')) {
      Node& node = document_.nodes_[open_.back()];
      node.size = static_cast<uint32_t>(place_ - node.begin);
      node.next = static_cast<uint32_t>(document_.nodes_.size());
      open_.pop_back();
      is_first_ = false;
      return true;
    }
    if (!is_first_ && !Take(',')) return Fail("there is no comma");
    is_first_ = false;
    if (!is_object) return ReadValue();
    SkipSpaces();
    if (Peek() != '"') return Fail("there is no name");
    return ReadString() && (Take(':') || Fail("there is no colon")) && ReadValue();
  }

  bool ReadWord(std::string_view word, Type type) {
    if (!text_.substr(place_).starts_with(word)) return Fail("there is no value");
    const size_t begin = place_;
    place_ += word.size();
    Add(type, begin);
    return true;
  }

  bool SkipDigits() {
    const size_t begin = place_;
    while (IsDigit(Peek())) ++place_;
    return place_ > begin;
  }

  bool SkipNumber() {
    if (Peek() == '-') ++place_;
    const bool is_zero = Peek() == '0';
    const size_t begin = place_;
    if (!SkipDigits() || (is_zero && place_ - begin > 1)) return false;
    if (Peek() == '.') {
      ++place_;
      if (!SkipDigits()) return false;
    }
    if (Peek() != 'e' && Peek() != 'E') return true;
    ++place_;
    if (Peek() == '+' || Peek() == '-') ++place_;
    return SkipDigits();
  }

  bool ReadString() {
    const size_t begin = ++place_;
    while (place_ < text_.size() && text_[place_] != '"' && text_[place_] != '\\') {
      if (static_cast<unsigned char>(text_[place_]) < ' ') return Fail("a string has no end");
      ++place_;
    }
    if (Peek() == '\\') return ReadStringWithEscapes(begin);
    if (place_ == text_.size()) return Fail("a string has no end");
    Add(Type::kString, begin);
    ++place_;
    return true;
  }

  // The parser stands at the first escape.
  bool ReadStringWithEscapes(size_t begin) {
    std::string unescaped(text_.substr(begin, place_ - begin));
    while (Peek() != '"') {
      if (static_cast<unsigned char>(Peek()) < ' ') return Fail("a string has no end");
      if (Peek() != '\\') {
        unescaped.push_back(text_[place_++]);
      } else if (!ReadEscape(&unescaped)) {
        return false;
      }
    }
    ++place_;
    Add(Type::kString, document_.unescaped_.size(), /*is_unescaped=*/true);
    document_.unescaped_.push_back(std::move(unescaped));
    return true;
  }

  bool ReadEscape(std::string* unescaped) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++place_;
    const size_t letter = kLetters.find(Peek());
    if (letter != kLetters.npos) {
      ++place_;
      unescaped->push_back(kMeanings[letter]);
      return true;
    }
    uint32_t code_point = 0;
    if (!ReadUnit(&code_point)) return false;
    if (code_point >= 0xD800 && code_point < 0xDC00) {
      uint32_t low = 0;
      if (Peek() != '\\') return Fail("half of a surrogate pair");
      ++place_;
      if (!ReadUnit(&low)) return false;
      if (low < 0xDC00 || low >= 0xE000) return Fail("half of a surrogate pair");
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
    } else if (code_point >= 0xDC00 && code_point < 0xE000) {
      return Fail("half of a surrogate pair");
    }
    AppendUtf8(code_point, unescaped);
    return true;
  }

  // u and four hexadecimal digits.
  bool ReadUnit(uint32_t* unit) {
    const std::string_view digits = text_.substr(std::min(place_ + 1, text_.size()), 4);
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, *unit, 16);
    const bool is_well = Peek() == 'u' && digits.size() == 4 && error == std::errc() && rest == end;
    if (!is_well) return Fail("there is no such escape");
    place_ += 5;
    return true;
  }

  std::string_view text_;
  JsonDocument& document_;
  size_t place_ = 0;
  std::vector<uint32_t> open_;  // the arrays and objects that have not ended
  bool is_first_ = false;       // whether nothing was read yet of what is open
  std::string error_;
};

std::string JsonDocument::Parse(std::string_view text) {
  text_ = text;
  nodes_.clear();
  unescaped_.clear();
  return JsonParser(text, this).Parse();
}

Json::Type Json::type() const {
  return document_ == nullptr ? Type::kNothing : document_->nodes_[node_].type;
}

Json::Iterator& Json::Iterator::operator++() {
  node_ = document_->nodes_[node_].next;
  return *this;
}

Json::Iterator Json::begin() const {
  const bool has_elements = Is(Type::kArray) || Is(Type::kObject);
  return {document_, has_elements ? node_ + 1 : 0};
}

Json::Iterator Json::end() const {
  const bool has_elements = Is(Type::kArray) || Is(Type::kObject);
  return {document_, has_elements ? document_->nodes_[node_].next : 0};
}

Json Json::operator[](std::string_view name) const {
  Json found;
  if (!Is(Type::kObject)) return found;
  for (Iterator member = begin(); member != end(); ++member) {
    const bool has_name = *member == name;
    ++member;
    if (has_name) found = *member;
  }
  return found;
}

std::string_view Json::text() const {
  if (!Is(Type::kString)) return {};
  const JsonDocument::Node& node = document_->nodes_[node_];
  if (node.is_unescaped) return document_->unescaped_[node.begin];
  return document_->text_.substr(node.begin, node.size);
}

bool Json::ReadIndex(uint32_t* index) const {
  if (!Is(Type::kNumber)) return false;
  const std::string_view digits = source();
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, *index);
  return error == std::errc() && rest == end;
}

std::string_view Json::source() const {
  if (document_ == nullptr || Is(Type::kString)) return text();
  const JsonDocument::Node& node = document_->nodes_[node_];
  return document_->text_.substr(node.begin, node.size);
}

}  // namespace sentencepiece::lite
