// Tells the ids, and the text that they came back to.

#include "quick_start.includes"

#include "recipes.h"

void Recipe() {
#include "quick_start.statements"
  Tell(ids);
  std::cout << text << '\n';
}

int main() { Recipe(); }
