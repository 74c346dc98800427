#include "app/assets/open_model.h"

#include "app/assets/assets.h"
#include "core/io/run_folder.h"

namespace glassformer::app {

Checkpoint open_model(const std::string& model) {
    const std::string folder = model_folder(model);
    return is_run_folder(folder) ? checkpoint_of(read_run(folder)) : load_checkpoint(folder);
}

}  // namespace glassformer::app
