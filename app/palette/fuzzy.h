#pragma once

#include <string>
#include <string_view>

namespace glassformer::app {

/// Returns how well `query` matches an entry; 0 if it does not. Every word of the query must match: a whole word of the
/// title (best), the start of one, a keyword or its start, a part of the title, or, from three letters on, a title word
/// with letters left out. Ignores case; punctuation separates words. An empty query matches everything equally.
float match(std::string_view query, std::string_view title, std::string_view keywords);

/// Returns what a question is about: "attention" for "how does attention work?". Empty if the query does not start with
/// a question word, or has no other words.
std::string subject_of(std::string_view query);

}  // namespace glassformer::app
