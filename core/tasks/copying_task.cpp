#include "core/base/mark_text.h"
#include "core/tasks/sequence_task.h"
#include "core/tasks/world_kind.h"

namespace glassformer {

namespace {

TaskDefinition make_copying(const WorldFile&) {
    TrainOptions options;
    options.schedule.total = 1200;
    return answering_task("copying", "Copying: letters, then the same letters again",
                          std::make_shared<const SequenceWorld>(SequenceRule::copied, 3, 10), options);
}

}  // namespace

extern constinit const WorldKind copying_world{
    .name = "copying",
    .summary = N_("Write a row of letters again."),
    .reads = "letters and a colon",
    .learns = "write them again",
    .make = make_copying,
};

}  // namespace glassformer
