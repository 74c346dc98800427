#pragma once

#include <string_view>

namespace glassformer::app {

/// Returns vote.html, which the build embeds in the program.
std::string_view vote_html();

}  // namespace glassformer::app
