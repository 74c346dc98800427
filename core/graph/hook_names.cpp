#include "core/graph/hook_names.h"

#include <charconv>

namespace glassformer {

namespace {

constexpr std::string_view source_side = "encoder.", blocks = "blocks.";

NodePlace::Module module_of(std::string_view within) {
    using enum NodePlace::Module;
    if (within.starts_with("attn.")) return attention;
    if (within.starts_with("cross_attn.")) return cross_attention;
    if (within.starts_with("mlp.")) return mlp;
    return within.starts_with("ln") ? norm : none;
}

}  // namespace

NodePlace node_place(std::string_view name) {
    NodePlace place;
    place.encoder = name.starts_with(source_side);
    place.within = name.substr(place.encoder ? source_side.size() : 0);
    if (place.within.starts_with(blocks)) {
        const char *begin = place.within.data() + blocks.size(), *end = place.within.data() + place.within.size();
        int block = -1;
        const auto number = std::from_chars(begin, end, block);
        if (number.ec == std::errc() && number.ptr != end && *number.ptr == '.' && block >= 0) {
            place.block = block;
            place.within = {number.ptr + 1, end};
        }
    }
    place.module = module_of(place.within);
    place.quantity = name.substr(name.rfind('.') + 1);  // npos + 1 is 0: the whole name
    return place;
}

bool NodePlace::of_source() const {
    if (encoder || within.starts_with("source_")) return true;
    if (!cross()) return false;
    const std::string_view name = quantity.substr(quantity.starts_with("hook_") ? 5 : 0);
    return name == "k" || name == "v" || name.starts_with("k_") || name.starts_with("v_");
}

std::string block_hook(int block, std::string_view hook, bool encoder) {
    std::string name(encoder ? source_side : std::string_view());
    return name.append(blocks).append(std::to_string(block)).append(".").append(hook);
}

}  // namespace glassformer
