#pragma once

#include <string>
#include <string_view>

namespace glassformer::app {

/// The marker before a link's payload: lessons/scene_format.h.
inline constexpr std::string_view link_begins = "#glassformer=";

/// True if a text contains such a link, valid or not.
inline bool has_link(std::string_view text) { return text.find(link_begins) != std::string_view::npos; }

/// Requests about links; the next frame carries them out.
struct Links {
    bool copy = false;
    std::string open = {};     ///< the link to open; empty: none
    std::string address = {};  ///< of the web page; empty if the program is none
};

}  // namespace glassformer::app
