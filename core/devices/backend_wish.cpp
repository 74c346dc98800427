#include "core/devices/backend_wish.h"

#include <string>

#include "core/base/error.h"

namespace glassformer {

BackendWish backend_wish(std::string_view name) {
    if (name == "auto") return BackendWish::automatic;
    if (name == "cpu") return BackendWish::cpu;
    if (name == "gl") return BackendWish::gl;
    throw Error("there is no backend \"" + std::string(name) + "\"; there are auto, cpu and gl");
}

std::string_view name_of(BackendWish wish) {
    if (wish == BackendWish::automatic) return "auto";
    return wish == BackendWish::cpu ? "cpu" : "gl";
}

}  // namespace glassformer
