#include "segmenter.h"

namespace sentencepiece::lite {

void Segmenter::Load(const DoubleArray& pairs) {
  if (pairs.empty()) return;
  pairs_ = &pairs;
  const auto spelled = [](size_t code, const char* ascii) {
    return code == 0 ? kSpaceMark : std::string_view(ascii, 1);
  };
  for (size_t code = 0; code < kCodes; ++code) {
    const char ascii = static_cast<char>(code);
    nodes_[code] = pairs.Walk(DoubleArray::kRoot, spelled(code, &ascii));
    if (nodes_[code] == DoubleArray::kNoNode) continue;
    for (size_t next = 0; next < kCodes; ++next) {
      const char next_ascii = static_cast<char>(next);
      const uint32_t pair = pairs.Walk(nodes_[code], spelled(next, &next_ascii));
      joined_[code * kCodes + next] = pairs.Value(pair) != DoubleArray::kNoValue;
    }
  }
}

size_t Segmenter::ChunkLength(std::string_view text) const {
  if (pairs_ == nullptr) return text.size();
  size_t end = CharacterLength(text);
  uint32_t code = Code(text);
  uint32_t node =
      code == kNoCode ? pairs_->Walk(DoubleArray::kRoot, text.substr(0, end)) : nodes_[code];
  while (end < text.size()) {
    const std::string_view rest = text.substr(end);
    const uint32_t next = Code(rest);
    const size_t length = CharacterLength(rest);
    if ((code | next) < kCodes) {
      if (!joined_[code * kCodes + next]) return end;
      node = nodes_[next];
    } else {
      const int32_t second = pairs_->Value(pairs_->Walk(node, rest.substr(0, length)));
      // A published file may hold a link to something that is not a node.
      if (second == DoubleArray::kNoValue) return end;
      node = pairs_->IsNode(static_cast<uint32_t>(second)) ? static_cast<uint32_t>(second)
                                                           : DoubleArray::kNoNode;
    }
    code = next;
    end += length;
  }
  return end;
}

}  // namespace sentencepiece::lite
