// JSON (RFC 8259), read whole and then looked into.

#ifndef SPMLITE_CORE_JSON_H_
#define SPMLITE_CORE_JSON_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

class JsonDocument;

// A value of a document, which must stay; or nothing, where none was found. What is
// asked of a value of another type has an empty answer.
class Json {
 public:
  enum class Type : uint8_t { kNothing, kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

  Json() = default;

  Type type() const;
  bool Is(Type type) const { return this->type() == type; }
  bool IsTrue() const { return Is(Type::kTrue); }
  // Neither there nor null.
  bool IsNone() const { return type() <= Type::kNull; }

  // The member of an object; the last of those that have the name.
  Json operator[](std::string_view name) const;
  // The text of a string, without its escapes.
  std::string_view text() const;
  // Whether it is the string.
  bool operator==(std::string_view text) const { return Is(Type::kString) && this->text() == text; }
  // Whether it is a whole number from 0 to 2^32 - 1.
  bool ReadIndex(uint32_t* index) const;
  // The value as the document has it.
  std::string_view source() const;

  // The elements of an array; of an object its names and values in turn.
  class Iterator {
   public:
    Json operator*() const { return Json(document_, node_); }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    friend class Json;
    Iterator(const JsonDocument* document, uint32_t node) : document_(document), node_(node) {}
    const JsonDocument* document_;
    uint32_t node_;
  };
  Iterator begin() const;
  Iterator end() const;

 private:
  friend class JsonDocument;
  Json(const JsonDocument* document, uint32_t node) : document_(document), node_(node) {}

  const JsonDocument* document_ = nullptr;
  uint32_t node_ = 0;
};

// The values of a text, which must stay, in the order in which they begin: sixteen bytes
// for each.
class JsonDocument {
 public:
  // What is wrong with the text, and at which byte; empty when nothing is.
  std::string Parse(std::string_view text);

  Json root() const { return nodes_.empty() ? Json() : Json(this, 0); }

 private:
  friend class Json;
  friend class JsonParser;

  struct Node {
    uint32_t begin;  // in the text; of a string with escapes its place among unescaped_
    uint32_t size;
    uint32_t next;  // the value behind it and all that it holds
    Json::Type type;
    bool is_unescaped;
  };

  std::string_view text_;
  std::vector<Node> nodes_;
  std::deque<std::string> unescaped_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_JSON_H_
