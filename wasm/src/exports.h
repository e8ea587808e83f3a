// What the sources of both modules share: how a function is exported, and how
// it hands its results over.

#ifndef SPMLITE_WASM_EXPORTS_H_
#define SPMLITE_WASM_EXPORTS_H_

#include <cstdint>
#include <string_view>

// Opens the definition of a function that the host can call by this name.
#define SPMLITE_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace spmlite {

// The results of a call, as five 32-bit words in the module's memory. They stay
// valid until the next call on the same object.
struct Outcome {
  const int32_t* ids = nullptr;
  uint32_t id_count = 0;
  // Where spans were asked for: 2 * id_count words, begin and end of each id.
  const uint32_t* spans = nullptr;
  // UTF-8: the text that the call gives or, where its status is not 0, one
  // sentence that says what is wrong.
  const char* text = nullptr;
  uint32_t text_size = 0;

  void GiveText(std::string_view given) {
    text = given.data();
    text_size = given.size();
  }
};

static_assert(sizeof(Outcome) == 20, "hosts read it word by word");

}  // namespace spmlite

#endif  // SPMLITE_WASM_EXPORTS_H_
