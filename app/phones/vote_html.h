#pragma once

#include <string_view>

namespace glassformer::app {

/// vote.html, which the build puts into the program.
std::string_view vote_html();

}  // namespace glassformer::app
