#include "core/tasks/built_in_tasks.h"
#include "core/tasks/sequence_task.h"

namespace glassformer {

std::unique_ptr<Task> copying_task() {
    TrainOptions options;
    options.schedule.total = 1200;
    return answering_task("copying", "Copying: letters, then the same letters again",
                          std::make_shared<const SequenceWorld>(SequenceRule::copied, 3, 10), options);
}

}  // namespace glassformer
