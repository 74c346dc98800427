#include "core/devices/backend_preference.h"

#include <string>

#include "core/base/error.h"

namespace glassformer {

BackendPreference backend_preference(std::string_view name) {
    if (name == "auto") return BackendPreference::automatic;
    if (name == "cpu") return BackendPreference::cpu;
    if (name == "gl") return BackendPreference::gl;
    throw Error("there is no backend \"" + std::string(name) + "\"; there are auto, cpu and gl");
}

std::string_view name_of(BackendPreference preference) {
    if (preference == BackendPreference::automatic) return "auto";
    return preference == BackendPreference::cpu ? "cpu" : "gl";
}

}  // namespace glassformer
