#include "core/base/mark_text.h"
#include "core/tasks/sequence_task.h"
#include "core/tasks/world_kind.h"

namespace glassformer {

namespace {

TaskDefinition make_sorting(const WorldFile&) {
    TrainOptions options;
    options.schedule.total = 2000;
    return answering_task("sorting", "Sorting: letters, then the same letters in order",
                          std::make_shared<const SequenceWorld>(SequenceRule::sorted, 3, 10), options);
}

}  // namespace

extern constinit const WorldKind sorting_world{
    .name = "sorting",
    .summary = N_("Write letters in the order of the alphabet."),
    .reads = "letters and a colon",
    .learns = "write them in order",
    .make = make_sorting,
};

}  // namespace glassformer
