#include "app/session/opened_model.h"

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/run_folder.h"
#include "core/tasks/tasks.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

bool same_tokens(const Tokenizer* a, const Tokenizer* b) {
    if (!a || !b) return true;  // token ids alone: the sizes were compared
    if (a->size() != b->size()) return false;
    for (int id = 0; id < a->size(); ++id)
        if (a->token_text(id) != b->token_text(id)) return false;
    return true;
}

/// Whether a task's batches are what the model reads and says.
bool reads_as(const TransformerConfig& model, const Task& task) {
    const TransformerConfig& c = task.config();
    return model.d_vocab == c.d_vocab && model.n_ctx >= c.n_ctx && model.input == c.input && model.output == c.output &&
           model.d_input == c.d_input && model.d_output == c.d_output && model.d_source_vocab == c.d_source_vocab &&
           (model.family == Family::encoder_decoder) == (c.family == Family::encoder_decoder);
}

std::string joined(const std::string& folder, const std::string& what) { return folder + " " + what; }

/// Gives the checkpoint its task, or the reason why it has none.
void find_task(OpenedModel& opened, const fs::path& worlds, const std::string& world, bool must) {
    const Checkpoint& start = opened.start;
    const std::string folder = opened.folder.string();
    if (world.empty()) {
        opened.why_not_trained = joined(folder, tr("names no world, so there is nothing to train it on."));
        return;
    }
    std::shared_ptr<const Task> task;
    try {
        task = make_task(world, worlds);
        // Only a text can be cut in more than one way.
        const bool same_kind =
            !start.tokenizer || !task->tokenizer() || start.tokenizer->kind() == task->tokenizer()->kind();
        if (!same_kind && start.tokenizer->kind() != "gpt2") {
            opened.unit = std::string(start.tokenizer->kind());
            task = make_task(world, worlds, {opened.unit});
        }
    } catch (const Error& e) {
        if (must) throw;
        opened.why_not_trained = filled(tr("Its world \"{1}\" cannot be opened here: {2}."), {world, e.what()});
        return;
    }
    if (!reads_as(start.config, *task) || !same_tokens(start.tokenizer.get(), task->tokenizer().get()) ||
        !same_tokens(start.source_tokenizer.get(), task->source_tokenizer().get())) {
        opened.why_not_trained =
            joined(folder, filled(tr("has other inputs or outputs than the world \"{1}\" has."), {world}));
        return;
    }
    if (!opened.start.tokenizer) opened.start.tokenizer = task->tokenizer();
    if (!opened.start.source_tokenizer) opened.start.source_tokenizer = task->source_tokenizer();
    opened.world = world;
    opened.task = std::move(task);
}

/// A run as it lies on the disk, to be looked at: with its world, and with all steps that can be travelled to.
OpenedModel open_saved_run(const fs::path& folder, const fs::path& worlds) {
    const SavedRun run = read_run(folder);
    OpenedModel opened = open_world(run.settings.world, worlds, run.settings.unit);
    if (!reads_as(run.settings.config, *opened.task))
        throw Error(filled(tr("the world {1} is no longer what the model of the run in {2} reads; bring its file back"),
                           {run.settings.world, folder.string()}));
    opened.folder = folder;
    opened.start = checkpoint_of(run);
    opened.start.keyframes = run.moments;
    return opened;
}

}  // namespace

OpenedModel open_checkpoint(const fs::path& folder, const fs::path& worlds, const std::string& world) {
    if (is_run_folder(folder)) return open_saved_run(folder, worlds);
    OpenedModel opened;
    opened.folder = folder;
    opened.start = load_checkpoint(folder);
    find_task(opened, worlds, world.empty() ? opened.start.world : world, !world.empty());
    return opened;
}

OpenedModel open_world(const std::string& world, const fs::path& worlds, const std::optional<std::string>& unit) {
    OpenedModel opened;
    opened.task = make_task(world, worlds, {unit});
    opened.world = world;
    opened.unit = unit;
    const TrainOptions options = opened.task->options();
    opened.start.config = opened.task->config();
    opened.start.tokenizer = opened.task->tokenizer();
    opened.start.source_tokenizer = opened.task->source_tokenizer();
    opened.start.world = opened.task->name();
    opened.start.seed = options.seed;
    opened.start.planned_steps = options.schedule.total;
    return opened;
}

}  // namespace glassformer::app
