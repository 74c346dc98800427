#pragma once

#include <string>
#include <string_view>

namespace glassformer::app {

/// What stands before what a link holds: lessons/scene_format.h.
inline constexpr std::string_view link_begins = "#glassformer=";

/// Whether a text has such a link in it, right or wrong.
inline bool has_link(std::string_view text) { return text.find(link_begins) != std::string_view::npos; }

/// What was asked for of links; the next frame does it.
struct Links {
    bool copy = false;
    std::string open = {};     ///< the link; empty: none
    std::string address = {};  ///< of the page; empty where the program is none
};

}  // namespace glassformer::app
