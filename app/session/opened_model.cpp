#include "app/session/opened_model.h"

#include "app/assets/open_model.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/run_folder.h"
#include "core/platform/atomic_file.h"
#include "core/tasks/tasks.h"
#include "core/worlds/user_text.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

bool same_tokens(const Tokenizer* a, const Tokenizer* b) {
    if (!a || !b) return true;  // only token ids: their numbers were compared
    if (a->size() != b->size()) return false;
    for (int id = 0; id < a->size(); ++id)
        if (a->token_text(id) != b->token_text(id)) return false;
    return true;
}

/// Whether a task's batches fit the model's inputs and outputs.
bool reads_as(const TransformerConfig& model, const Task& task) {
    const TransformerConfig& c = task.config;
    return model.d_vocab == c.d_vocab && model.n_ctx >= c.n_ctx && model.input == c.input && model.output == c.output &&
           model.d_input == c.d_input && model.d_output == c.d_output && model.d_source_vocab == c.d_source_vocab &&
           (model.family == Family::encoder_decoder) == (c.family == Family::encoder_decoder);
}

/// With a different text, held-out measurements would use data that the model was trained on.
void require_same_text(const WorldSource* learned, const Task& task, const std::string& world) {
    const WorldSource* given = task.source.get();
    if (!learned || !given || !learned->is_text() || !given->is_text() || learned->mark == given->mark) return;
    throw Error("{1} is not the text that the model was trained on: that was {2}, {3} bytes", world, learned->file,
                std::to_string(learned->bytes));
}

/// The world of that name or file; without one, the world that the checkpoint contains, otherwise the one that it
/// names.
std::unique_ptr<Task> find_world(OpenedModel& opened, const fs::path& worlds, const std::string& world) {
    const Checkpoint& start = opened.start;
    if (world.empty() && start.source) return make_task(*start.source, start.tokenizer);
    std::unique_ptr<Task> task = make_task(world.empty() ? start.world : world, worlds);
    // Only a text can be cut in more than one way.
    const bool same_kind = !start.tokenizer || !task->tokenizer || start.tokenizer->kind() == task->tokenizer->kind();
    if (!same_kind && start.tokenizer->kind() != "tokenizer_json") {
        opened.unit = std::string(start.tokenizer->kind());
        task = make_task(world.empty() ? start.world : world, worlds, {opened.unit});
    }
    require_same_text(start.source.get(), *task, world);
    return task;
}

/// A file with the same name and content as one of the program's worlds is not the user's own.
bool comes_with_the_program(const WorldSource& source, const fs::path& worlds) {
    try {
        return read_file(worlds / fs::path(source.file).filename(), UserText::max_bytes) == source.content;
    } catch (const Error&) {
        return false;  // no world of that name
    }
}

void give_task(OpenedModel& opened, std::shared_ptr<const Task> task, const std::string& world,
               const fs::path& worlds) {
    opened.world = world;
    opened.start.source = task->source;
    if (const WorldSource* own = task->source.get()) {
        opened.own_world = !comes_with_the_program(*own, worlds);
        opened.world = own->file;
        opened.start.world = task->name;
        if (own->is_text()) opened.unit = own->unit;
    }
    opened.why_not_trained = task->why_not_trained;
    opened.task = std::move(task);
}

/// Gives the checkpoint its task, or the reason why it has none.
void find_task(OpenedModel& opened, const fs::path& worlds, const std::string& world) {
    const Checkpoint& start = opened.start;
    const std::string folder = opened.folder.string(), named = world.empty() ? start.world : world;
    if (named.empty()) {
        opened.why_not_trained = filled_with(N_("{1} names no world, so there is nothing to train it on."), folder);
        return;
    }
    std::shared_ptr<const Task> task;
    try {
        task = find_world(opened, worlds, world);
    } catch (const Error& e) {
        if (!world.empty()) throw;
        opened.why_not_trained = filled_with(N_("Its world \"{1}\" cannot be opened here: {2}."), named, e.what());
        return;
    }
    if (!reads_as(start.config, *task) || !same_tokens(start.tokenizer.get(), task->tokenizer.get()) ||
        !same_tokens(start.source_tokenizer.get(), task->source_tokenizer.get())) {
        opened.why_not_trained =
            filled_with(N_("{1} does not have the inputs and outputs of its world \"{2}\"."), folder, named);
        return;
    }
    if (!opened.start.tokenizer) opened.start.tokenizer = task->tokenizer;
    if (!opened.start.source_tokenizer) opened.start.source_tokenizer = task->source_tokenizer;
    give_task(opened, std::move(task), named, worlds);
}

/// Opens a saved run to be looked at, with its world and all kept steps.
OpenedModel open_saved_run(const fs::path& folder, const fs::path& worlds) {
    const SavedRun run = read_run(folder);
    OpenedModel opened;
    std::shared_ptr<const Task> task = task_of_run(run.settings, worlds);
    if (!reads_as(run.settings.config, *task))
        throw Error("the world {1} no longer fits the model of the run in {2}; restore the world's file",
                    run.settings.world, folder.string());
    opened.folder = folder;
    opened.start = checkpoint_of(run);
    opened.start.keyframes = run.keyframes;
    opened.unit = run.settings.unit;
    opened.saved_view = run.settings.saved_view;
    opened.options = run.settings.options;  // including the heads it was trained without
    opened.run_name = run.settings.name;
    opened.origin = origin_of(run.settings);
    give_task(opened, std::move(task), run.settings.world, worlds);
    return opened;
}

}  // namespace

RunOrigin origin_of(const RunSettings& settings) {
    RunOrigin origin;
    origin.change = settings.changed;
    if (const auto& from = settings.started_from) origin.saved_as = from->run, origin.step = from->step;
    return origin;
}

std::unique_ptr<Task> task_of(const TrainingSetup& setup, const fs::path& worlds) {
    if (setup.source) return make_task(*setup.source, nullptr, {setup.unit});
    return make_task(setup.world, worlds, {setup.unit});
}

OpenedModel open_checkpoint(const fs::path& folder, const fs::path& worlds, const std::string& world) {
    if (is_run_folder(folder)) return open_saved_run(folder, worlds);
    OpenedModel opened;
    opened.folder = folder;
    if (is_glass_file(folder)) {
        GlassFile glass = load_glass(folder);
        opened.start = std::move(glass.model);
        opened.saved_step = glass.saved_step;
        opened.handed_on = std::make_shared<const LessonBundle>(std::move(glass.with));
    } else {
        opened.start = load_checkpoint(folder);
    }
    find_task(opened, worlds, world);
    return opened;
}

OpenedModel open_world(const std::string& world, const fs::path& worlds, const std::optional<std::string>& unit) {
    return fresh_model(make_task(world, worlds, {unit}), world, worlds, unit);
}

OpenedModel fresh_as(const TrainingSetup& setup, const fs::path& worlds) {
    OpenedModel opened = fresh_model(task_of(setup, worlds), setup.world, worlds, setup.unit);
    begin_as(opened, setup);
    return opened;
}

void begin_as(OpenedModel& opened, const TrainingSetup& setup) {
    opened.start.config = setup.config;
    opened.start.seed = setup.options.seed;
    opened.start.planned_steps = setup.options.schedule.total;
    opened.options = setup.options;
}

OpenedModel fresh_model(std::shared_ptr<const Task> task, const std::string& world, const fs::path& worlds,
                        const std::optional<std::string>& unit) {
    OpenedModel opened;
    opened.unit = unit;
    opened.start.config = task->config;
    opened.start.tokenizer = task->tokenizer;
    opened.start.source_tokenizer = task->source_tokenizer;
    opened.start.world = task->name;
    opened.start.seed = task->options.seed;
    opened.start.planned_steps = task->options.schedule.total;
    give_task(opened, std::move(task), world, worlds);
    return opened;
}

}  // namespace glassformer::app
