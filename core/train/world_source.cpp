#include "core/train/world_source.h"

namespace glassformer {

std::uint64_t WorldSource::hash_of(const std::string& text) {
    std::uint64_t mark = 0xcbf29ce484222325u;
    for (const char byte : text) mark = (mark ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return mark;
}

WorldSource for_checkpoint(WorldSource source) {
    if (source.is_text()) source.content.clear();
    return source;
}

}  // namespace glassformer
