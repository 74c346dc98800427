#include "core/tasks/world_kind.h"

namespace glassformer {

// Every world, in menu order, one per line. A world is defined in the file named after it.
#define GLASSFORMER_WORLDS(WORLD) \
    WORLD(induction_world)        \
    WORLD(copying_world)          \
    WORLD(sorting_world)          \
    WORLD(regression_world)       \
    WORLD(homonyms_world)         \
    WORLD(homonyms_zh_world)      \
    WORLD(coreference_world)      \
    WORLD(order_world)            \
    WORLD(translation_world)      \
    WORLD(translation_zh_world)   \
    WORLD(next_word_world)

#define GLASSFORMER_DECLARE_WORLD(world) extern const WorldKind world;
GLASSFORMER_WORLDS(GLASSFORMER_DECLARE_WORLD)
#undef GLASSFORMER_DECLARE_WORLD

std::span<const WorldKind* const> world_kinds() {
#define GLASSFORMER_LIST_WORLD(world) &world,
    static constexpr const WorldKind* worlds[] = {GLASSFORMER_WORLDS(GLASSFORMER_LIST_WORLD)};
#undef GLASSFORMER_LIST_WORLD
    return worlds;
}

}  // namespace glassformer
