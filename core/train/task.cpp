#include "core/train/task.h"

#include "core/base/fnv.h"

namespace glassformer {

std::uint64_t WorldSource::hash_of(const std::string& text) {
    Fnv1a hash;
    for (const char byte : text) hash.add(static_cast<unsigned char>(byte));
    return hash.value;
}

WorldSource for_checkpoint(WorldSource source) {
    if (source.is_text()) source.content.clear();
    return source;
}

}  // namespace glassformer
