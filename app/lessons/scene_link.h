#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// A link holds what is on screen behind its "#": "…#glassformer=1.eyJzZW50…", a version and a scene as JSON (see
/// scene_format.h), in base64 for addresses. Mail programs and browsers pass it on, and no server gets to see it.
namespace glassformer::app {

inline constexpr std::size_t most_link_bytes = 2000;

/// The link at an address, whose own part behind "#" goes; throws Error where it would be too long.
std::string link_with(std::string_view address, const nlohmann::json& scene);
/// What the link in a text holds; throws Error saying what is wrong with it.
nlohmann::json scene_of_link(std::string_view text);

}  // namespace glassformer::app
