#include "trie_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "double_array.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// core/src/double_array.h tells what the bits of a unit mean.
constexpr uint32_t kValueUnit = 1u << 31;
constexpr uint32_t kHasValue = 1u << 8;
constexpr uint32_t kScaledOffset = 1u << 9;
constexpr unsigned kOffsetShift = 10;
// An offset has 21 bits; a larger one is scaled by a block, its low bits are 0.
constexpr uint32_t kUnscaledOffsets = 1u << 21;
constexpr uint32_t kBlockSize = 256;
constexpr size_t kMaxBlocks = kMaxTrieUnits / kBlockSize;

// One bit for each unit of a block.
using BlockBits = std::array<uint64_t, kBlockSize / 64>;

BlockBits Only(uint32_t bit) {
  BlockBits bits{};
  bits[bit / 64] = uint64_t{1} << (bit % 64);
  return bits;
}

bool Any(const BlockBits& bits) { return (bits[0] | bits[1] | bits[2] | bits[3]) != 0; }

// Precondition: Any(bits).
uint32_t First(const BlockBits& bits) {
  uint32_t word = 0;
  while (bits[word] == 0) ++word;
  return word * 64 + static_cast<uint32_t>(std::countr_zero(bits[word]));
}

void Clear(uint32_t bit, BlockBits* bits) { (*bits)[bit / 64] &= ~(uint64_t{1} << (bit % 64)); }

void KeepCommon(const BlockBits& other, BlockBits* bits) {
  for (size_t i = 0; i < bits->size(); ++i) (*bits)[i] &= other[i];
}

// Each bit moved from its place to place ^ label.
BlockBits Shuffled(const BlockBits& bits, uint8_t label) {
  // kLower[i] selects the bits whose place has bit i clear.
  static constexpr uint64_t kLower[] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                        0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
  BlockBits result;
  for (size_t i = 0; i < bits.size(); ++i) {
    uint64_t word = bits[i ^ (label >> 6)];
    for (unsigned bit = 0; bit < 6; ++bit) {
      if ((label >> bit & 1) == 0) continue;
      const unsigned distance = 1u << bit;
      word = (word >> distance & kLower[bit]) | (word & kLower[bit]) << distance;
    }
    result[i] = word;
  }
  return result;
}

// The keys [begin, end) share their first `depth` bytes, which lead to `unit`.
struct Node {
  uint32_t unit;
  uint32_t begin;
  uint32_t end;
  uint32_t depth;
};

// Of those keys, the ones that go on with `label`; 0 for the one that ends.
struct Child {
  uint8_t label;
  uint32_t begin;
  uint32_t end;
};

// Gives each node a base, a position of its own such that base ^ label is free for
// every label of its children. Depth first, so that a walk down the trie meets
// neighbours; the many nodes with one child fill the gaps that the others leave.
class TrieBuilder {
 public:
  explicit TrieBuilder(std::span<const TrieEntry> entries)
      : entries_(entries), value_units_(entries.size()) {
    if (entries_.empty()) return;
    AddBlock();
    // The root stands at 0. Nor may any base be 0, or its NUL would lead there.
    Clear(0, &blocks_[0].free);
    Clear(0, &blocks_[0].bases);
    units_[0] = 0;
    waiting_.push_back({0, 0, static_cast<uint32_t>(entries_.size()), 0});
    while (!waiting_.empty()) {
      const Node node = waiting_.back();
      waiting_.pop_back();
      if (!PlaceChildren(node)) {
        units_.clear();
        return;
      }
    }
  }

  std::vector<uint32_t>& units() { return units_; }
  // Where the value of each entry stands.
  const std::vector<uint32_t>& value_units() const { return value_units_; }

 private:
  struct Block {
    // Units without an owner, and positions that are no node's base.
    BlockBits free = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
    BlockBits bases = free;
  };

  void FindChildren(const Node& node) {
    children_.clear();
    for (uint32_t i = node.begin; i < node.end; ++i) {
      const std::string_view key = entries_[i].key;
      const auto label = static_cast<uint8_t>(node.depth < key.size() ? key[node.depth] : '\0');
      if (children_.empty() || children_.back().label != label) {
        children_.push_back({label, i, i});
      }
      children_.back().end = i + 1;
    }
  }

  // False when the array is full. (Not inlined: V8 compiles for speed what is called often.)
  [[gnu::noinline]] bool PlaceChildren(const Node& node) {
    FindChildren(node);
    const uint32_t base = FindBase(node.unit);
    if (base == 0) return false;
    const uint32_t offset = node.unit ^ base;
    units_[node.unit] |= offset < kUnscaledOffsets ? offset << kOffsetShift
                                                   : offset << (kOffsetShift - 8) | kScaledOffset;
    // The first child is the next to be placed.
    for (size_t i = children_.size(); i-- > 0;) {
      const auto& [label, begin, end] = children_[i];
      const uint32_t unit = base ^ label;
      if (label != 0) {
        units_[unit] = label;
        waiting_.push_back({unit, begin, end, node.depth + 1});
      } else {
        units_[node.unit] |= kHasValue;
        units_[unit] = kValueUnit | entries_[begin].value;
        value_units_[begin] = unit;
      }
    }
    return true;
  }

  // Takes the units of the children in the first block that has room; 0 when the
  // array is full. A block without room for a label, or for one family of some
  // size, is not looked at again for its like: the search goes on where it ended,
  // and not before the blocks that are not far from `node`.
  uint32_t FindBase(uint32_t node) {
    const size_t size = children_.size();
    uint32_t& start = starts_[size == 1 ? children_[0].label : kBlockSize + size];
    start = std::max(start, (node & ~(kUnscaledOffsets - 1)) / kBlockSize);
    for (uint32_t block = start;; ++block) {
      if (block == blocks_.size() && !AddBlock()) return 0;
      const BlockBits bases = FittingBases(node, block);
      if (Any(bases)) return Take(block, bases);
      if (block == start && !IsFar(node, block)) ++start;
    }
  }

  // Whether only an offset scaled by 256 leads from `node` into the block.
  static bool IsFar(uint32_t node, uint32_t block) {
    return (node ^ block * kBlockSize) >= kUnscaledOffsets;
  }

  // The bases of a block that the children fit at.
  BlockBits FittingBases(uint32_t node, uint32_t block) const {
    BlockBits bases = blocks_[block].bases;
    if (IsFar(node, block)) KeepCommon(Only(node % kBlockSize), &bases);
    for (const Child& child : children_) {
      if (!Any(bases)) break;
      KeepCommon(Shuffled(blocks_[block].free, child.label), &bases);
    }
    return bases;
  }

  // Takes the base that puts the first child foremost.
  uint32_t Take(uint32_t block, const BlockBits& bases) {
    const uint8_t first = children_[0].label;
    const uint32_t base = First(Shuffled(bases, first)) ^ first;
    Clear(base, &blocks_[block].bases);
    for (const Child& child : children_) {
      Clear(base ^ child.label, &blocks_[block].free);
    }
    return block * kBlockSize + base;
  }

  bool AddBlock() {
    if (blocks_.size() == kMaxBlocks) return false;
    blocks_.emplace_back();
    // A unit without an owner is a value: it has no label that a step could meet.
    units_.resize(blocks_.size() * kBlockSize, kValueUnit);
    return true;
  }

  const std::span<const TrieEntry> entries_;
  std::vector<uint32_t> units_;
  std::vector<uint32_t> value_units_;
  std::vector<Block> blocks_;
  std::vector<Node> waiting_;    // a stack
  std::vector<Child> children_;  // of the node being placed
  // Where to search for room: by label for one child, else by their number.
  std::array<uint32_t, 2 * kBlockSize + 1> starts_{};
};

// The bytes of a pair as a key.
struct PairText {
  explicit PairText(CharacterPair pair) {
    for (; pair != 0; pair <<= 8) bytes[size++] = static_cast<char>(pair >> 56);
  }
  std::string_view view() const { return {bytes, size}; }

  char bytes[sizeof(CharacterPair)];
  size_t size = 0;
};

}  // namespace

std::vector<uint32_t> BuildTrie(std::span<const TrieEntry> entries) {
  return std::move(TrieBuilder(entries).units());
}

std::vector<uint32_t> BuildBigramTrie(const CharacterPairs& pairs) {
  std::vector<PairText> texts;
  texts.reserve(pairs.pairs().size());
  for (const CharacterPair pair : pairs.Sorted()) texts.emplace_back(pair);
  std::vector<TrieEntry> entries;
  entries.reserve(texts.size());
  for (const PairText& text : texts) entries.push_back({text.view(), 0});
  TrieBuilder builder(entries);
  std::vector<uint32_t>& units = builder.units();
  DoubleArray trie;
  trie.Attach(reinterpret_cast<const uint8_t*>(units.data()), units.size() * sizeof(uint32_t), 1);
  for (size_t i = 0; i < entries.size() && !trie.empty(); ++i) {
    const std::string_view pair = entries[i].key;
    const uint32_t node = trie.Walk(DoubleArray::kRoot, pair.substr(CharacterLength(pair)));
    if (node != DoubleArray::kNoNode) units[builder.value_units()[i]] |= node;
  }
  return std::move(units);
}

}  // namespace sentencepiece::lite
