#pragma once

#include <string>
#include <string_view>

namespace glassformer::app {

/// How well `query` finds an entry; 0 where it does not. Every word of the query must be found: as a word of the title
/// (best), at the beginning of one, among the keywords, inside the title, or, from three letters on, with letters left
/// out. Upper and lower case are one; punctuation separates words. An empty query finds everything equally.
float match(std::string_view query, std::string_view title, std::string_view keywords);

/// What a question is about: "attention" of "how does attention work?". Empty where it begins with no question word, or
/// has no other.
std::string subject_of(std::string_view query);

}  // namespace glassformer::app
