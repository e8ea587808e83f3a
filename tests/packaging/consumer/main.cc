// consumer MODEL TEXT: prints the ids. It throws, and asks for types, as the
// library's own code does not, and calls something of every header.

#include <cached_sentencepiece_lite.h>
#include <sentencepiece_extra.h>
#include <sentencepiece_lite.h>
#include <sentencepiece_model_converters.h>
#include <splitting.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

namespace lite = sentencepiece::lite;

int main(int, char** arguments) {
  try {
    lite::ToFlatbuffer("no model").ok() ? void() : throw std::runtime_error("refused");
  } catch (const std::exception& error) {
    if (typeid(error) != typeid(std::runtime_error)) return 1;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const auto blob = lite::ToFlatbuffer(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!blob.ok()) return 2;
  const lite::SentencePieceLiteProcessor processor(*blob);

  std::vector<int> ids;
  std::vector<lite::TokenSpan> spans;
  const std::string text = arguments[2];
  processor.EncodeWithSpans(text, lite::OffsetUnit::kByte, &ids, &spans);
  for (const int id : ids) std::cout << id << ' ';
  if (spans.size() != ids.size() || spans.back().end != text.size()) return 3;

  lite::TokenCache cache;
  std::vector<int> cached;
  lite::CachedSentencePieceLite::Encode(processor, cache, text, &cached);
  lite::TextPart part;
  lite::Truncate(processor, cache, text, ids.size(), lite::OffsetUnit::kByte, &part);
  lite::StreamingDecoder decoder(processor);
  std::string decoded;
  for (const int id : ids) decoder.Add(id, &decoded);
  decoder.Finish(&decoded);
  return cached == ids && part.token_count == ids.size() && decoded == text ? 0 : 4;
}
