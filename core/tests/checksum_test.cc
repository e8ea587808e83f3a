#include "checksum.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

uint64_t Sum(const std::string& bytes) {
  return BlobChecksum(bytes + std::string(sizeof(uint64_t), '\0'), bytes.size());
}

std::string Blob() { return Convert(PlainModel(ModelType_UNIGRAM, {{"ab", -1}, {"b", -2}})); }

}  // namespace

TEST_CASE("one changed byte changes the sum, at every length up to 80") {
  size_t changes = 0;
  for (size_t size = 1; size <= 80; ++size) {
    const std::string bytes(size, 'x');
    for (size_t place = 0; place < size; ++place) {
      std::string changed = bytes;
      changed[place] = 'y';
      REQUIRE(Sum(changed) != Sum(bytes));
      ++changes;
    }
  }
  CHECK(changes == 80 * 81 / 2);
}

TEST_CASE("runs of zeros of different lengths have different sums") {
  std::set<uint64_t> sums;
  for (size_t size = 0; size < 200; ++size) sums.insert(Sum(std::string(size, '\0')));
  CHECK(sums.size() == 200);
}

TEST_CASE("words that change places change the sum") {
  std::string bytes;
  for (char c = 'a'; c < 'i'; ++c) bytes += std::string(8, c);
  std::set<uint64_t> sums = {Sum(bytes)};
  for (size_t one = 0; one < 8; ++one) {
    for (size_t other = one + 1; other < 8; ++other) {
      std::string swapped = bytes;
      swapped.replace(one * 8, 8, bytes, other * 8, 8);
      swapped.replace(other * 8, 8, bytes, one * 8, 8);
      sums.insert(Sum(swapped));
    }
  }
  CHECK(sums.size() == 1 + 28);
}

TEST_CASE("a file holds the sum of all its other bytes") {
  std::string blob = Blob();
  const size_t offset = ChecksumOffset(blob);
  REQUIRE(offset != 0);
  const uint64_t sum = BlobChecksum(blob, offset);
  CHECK(GetModelProto(blob.data())->checksum() == sum);
  for (size_t i = 0; i < sizeof(sum); ++i) blob[offset + i] ^= '\x55';
  CHECK(BlobChecksum(blob, offset) == sum);
}

TEST_CASE("every file with one altered bit is refused") {
  const std::string blob = Blob();
  std::string altered = blob;
  size_t refused = 0;
  for (size_t bit = 0; bit < blob.size() * 8; ++bit) {
    altered[bit / 8] ^= static_cast<char>(1 << bit % 8);
    const SentencePieceLiteProcessor processor{std::string_view(altered)};
    refused += processor.status() != StatusCode::kOk;
    altered[bit / 8] = blob[bit / 8];
  }
  // The identifier is what asks for the checksum: without it, the file is one of
  // the published runtime.
  const size_t identifier_bits = 32;
  MESSAGE(refused << " of " << blob.size() * 8 << " altered files refused");
  CHECK(refused >= blob.size() * 8 - identifier_bits);
}

}  // namespace sentencepiece::lite
