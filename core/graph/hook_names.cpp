#include "core/graph/hook_names.h"

#include <charconv>

namespace glassformer {

namespace {

constexpr std::string_view source_side = "encoder.", blocks = "blocks.";

}  // namespace

std::string block_hook(int block, std::string_view hook) {
    return std::string(blocks) + std::to_string(block) + "." + std::string(hook);
}

bool on_source_side(std::string_view name) { return name.starts_with(source_side); }

int block_of(std::string_view name) {
    if (on_source_side(name)) name.remove_prefix(source_side.size());
    if (!name.starts_with(blocks)) return -1;
    int block = -1;
    const char* end = name.data() + name.size();
    const auto number = std::from_chars(name.data() + blocks.size(), end, block);
    return number.ec == std::errc() && number.ptr != end && *number.ptr == '.' && block >= 0 ? block : -1;
}

}  // namespace glassformer
