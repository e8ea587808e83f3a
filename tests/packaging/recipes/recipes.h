// What the recipes of the lite runtime's documentation leave to their reader, and what
// tells how they went. Each .cc here puts one around a recipe, which test_amalgamation.py
// writes, as it stands, into two files: its includes and its statements.

#ifndef SPMLITE_TESTS_RECIPES_H_
#define SPMLITE_TESTS_RECIPES_H_

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// The file stays in memory to the end.
inline std::string_view MmapModelFile(const char* name) {
  static std::string bytes;
  std::ifstream file(name, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return bytes;
}

inline void Tell(const std::vector<int>& ids) {
  for (const int id : ids) std::cout << id << ' ';
  std::cout << '\n';
}

#endif  // SPMLITE_TESTS_RECIPES_H_
