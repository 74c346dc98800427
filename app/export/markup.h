#pragma once

#include <string>
#include <string_view>

namespace glassformer::app {

/// The text as it is written in HTML, SVG and XML, between tags and in attributes.
inline std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

}  // namespace glassformer::app
