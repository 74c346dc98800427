#include "core/tasks/built_in_tasks.h"
#include "core/tasks/sequence_task.h"

namespace glassformer {

std::unique_ptr<Task> sorting_task() {
    TrainOptions options;
    options.schedule.total = 2000;
    return answering_task("sorting", "Sorting: letters, then the same letters in order",
                          std::make_shared<const SequenceWorld>(SequenceRule::sorted, 3, 10), options);
}

}  // namespace glassformer
