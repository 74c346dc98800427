#include "app/session/worker.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/language/tr.h"
#include "app/session/model_catalog.h"
#include "app/session/model_for_world.h"
#include "app/session/model_size.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/seconds_since.h"
#include "core/platform/system_error.h"

namespace glassformer::app {

namespace {

/// Returns the first sample, or, for card B, the next one.
std::string sample_for(const ModelInfo& model, std::size_t slot) {
    return model.samples.empty() ? "" : model.samples[std::min(slot, model.samples.size() - 1)].text;
}

constexpr double slice = 0.05;  // seconds that a study may take before the window's commands are checked

/// How an opened model is trained: as its world proposes, with its own seed and its own schedule length.
TrainingSetup setup_of(const OpenedModel& opened, const ActiveModel& model) {
    TrainingSetup setup{opened.world, opened.unit, opened.start.config, opened.options.value_or(opened.task->options),
                        opened.task->source};
    setup.options.seed = opened.start.seed;
    setup.options.schedule.total = model.planned_steps;
    return setup;
}

/// Thrown when the current work is no longer wanted. Nothing has changed and nothing is reported.
struct GivenUp : std::exception {};

/// Sets a flag during its lifetime.
class Meanwhile {
public:
    explicit Meanwhile(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
    ~Meanwhile() { flag_ = false; }
    Meanwhile(const Meanwhile&) = delete;
    Meanwhile& operator=(const Meanwhile&) = delete;

private:
    std::atomic<bool>& flag_;
};

/// Sets up a fresh model to be built and trained as the switches say.
void build_as(OpenedModel& opened, const std::vector<SetupSwitch>& switches) {
    TrainingSetup setup{opened.world, opened.unit, opened.start.config, opened.task->options, opened.task->source};
    throw_switches(setup, switches);
    take_from_world(setup.config, opened.task->config);
    validate(setup.config);
    validate(setup.options);
    begin_as(opened, setup);
}

/// The kind of a command. All that open something are one kind, because the next one makes up for the last one's
/// failure.
std::size_t kind_of(const Command& command) {
    const bool opens = std::holds_alternative<command::OpenModel>(command) ||
                       std::holds_alternative<command::OpenWorld>(command) ||
                       std::holds_alternative<command::OpenRun>(command);
    return opens ? Command(command::OpenModel{}).index() : command.index();
}

/// With four cores or more, leaves one to the window: every kernel waits for its slowest thread, so that with one
/// thread per core each frame would hold up all of them.
int threads_beside_window(int asked) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return asked == 0 && cores >= 4 ? cores - 1 : asked;
}

}  // namespace

Session::Worker::Worker(const Options& options, ContextSource& contexts, Unwanted& unwanted, std::function<void()> wake)
    : options_(options),
      unwanted_(unwanted),
      backend_(threads_beside_window(options.threads)),
      compute_(options.compute, contexts, backend_),
      catalog_(catalog_of(options.assets)),
      wake_(std::move(wake)) {
    const std::filesystem::path folder = worlds();
    backend_.between_ops([this] {
        if ((opening_ && unwanted_.opening > 0) || (drawing_ && unwanted_.all)) throw GivenUp();
    });
    runs_.recover_in(options.recovery);
    if (!options.recovery.empty()) lost_ = lost_runs(options.recovery);
    OpenedModel opened = options.checkpoint.empty() ? open_world(options.world, folder)
                                                    : open_checkpoint(options.checkpoint, folder, options.world);
    // Sentences asked for take precedence over those that came with a file.
    if (options.sentences[0] || options.sentences[1]) opened.handed_on = nullptr;
    open(opened);
    for (std::size_t slot = 0; slot < texts_.size(); ++slot)
        if (options.sentences[slot]) texts_[slot] = *options.sentences[slot];
}

void Session::Worker::open(const OpenedModel& opened, bool set_aside) {
    const auto go_on = [this] {
        if (unwanted_.opening > 0) throw GivenUp();
    };
    if (!opened.start.parameters) require_memory_for(parameter_count(opened.start.config));
    auto fresh = std::make_shared<ActiveModel>(backend_, opened);
    std::unique_ptr<TrainingRun> first;
    if (fresh->task) {
        first = std::make_unique<TrainingRun>(runs_.next_id(),
                                              opened.run_name.empty() ? fresh->info->world : opened.run_name, fresh,
                                              setup_of(opened, *fresh), opened.origin, go_on);
        first->attach_trainer(backend_);
        go_on();
    }
    // A fresh model may be very large: take the first look while Cancel can still restore the old model.
    Measuring first_look;
    if (first && !opened.start.parameters) {
        const Meanwhile opening(opening_);
        first_look.choose_from(fresh->runs.watch(texts_for(*fresh), first->parameters()));
        first_look.look(*fresh, first.get(), first->parameters(), first->steps(), false);
    }
    if (set_aside) runs_.set_aside();
    runs_.drop_recoveries();  // the user was asked about them before opening something else
    runs_.clear();
    show(fresh);
    if (!first) return;
    if (opened.saved_view) first->note_view(*opened.saved_view);
    if (opened.saved_step) first->saved_until(*opened.saved_step);
    show(runs_.add(std::move(first)));
    if (!opened.start.parameters) measuring_ = std::move(first_look);
    if (opened.saved_view) look_as(*opened.saved_view);
}

void Session::Worker::look_as(const SavedView& last) {
    texts_ = last.sentences;
    layer_ = last.layer;
    head_ = last.head;
}

std::array<std::string, 2> Session::Worker::texts_for(const ActiveModel& model) const {
    const bool same_words = model_ && !model.info->world.empty() && model_->info->world == model.info->world &&
                            model_->info->config.d_vocab == model.info->config.d_vocab;
    if (same_words) return texts_;
    return {sample_for(*model.info, 0), sample_for(*model.info, 1)};
}

void Session::Worker::show(std::shared_ptr<ActiveModel> model) {
    if (model == model_) return;
    texts_ = texts_for(*model);
    for (Study* study : studies_) study->forget();
    refused_ = {};
    comparison_.reset();
    model_ = std::move(model);
    live_ = true;
    trouble_ = nullptr;
    layer_ = head_ = -1;
    next_seed_ = model_->start.seed;
}

void Session::Worker::handle(const Command& command) {
    attempt(kind_of(command), [&] { std::visit([this](const auto& c) { perform(c); }, command); });
}

/// Has the kind of Save: any save that works clears the error of a failed one, whatever its format.
void Session::Worker::handle(const HandOn& asked) {
    attempt(kind_of(command::Save{}), [&] {
        GlassFile glass{newest_model(), asked.with};
        TrainingRun* const current = runs_.current();
        glass.model.keyframes = current ? current->timeline().keyframes() : model_->start.keyframes;
        if (asked.left_off && current && current->info()->only_in_memory())
            glass.saved_step = current->info()->saved_step;
        save_glass(asked.file, std::move(glass), live_ ? -1 : kept_step_);
        if (current && !asked.left_off) current->saved_elsewhere();
    });
}

void Session::Worker::attempt(std::size_t kind, const std::function<void()>& what) {
    const std::uint64_t errors = error_number_;
    try {
        what();
        if (errors != error_number_) return;  // it reported something itself
        if (kind == failed_) error_.clear();  // what failed before has now worked
        return;
    } catch (const GivenUp&) {
        return;
    } catch (const Error& e) {
        tell(e.what());  // nothing was changed: training goes on
    } catch (const std::bad_alloc&) {
        fail(N_("There was not enough memory for that; close other programs, or choose a smaller model or batch."));
    } catch (const std::filesystem::filesystem_error& e) {
        tell(glassformer::describe(e));
    }
    failed_ = kind;
}

void Session::Worker::tell(const std::string& message) {
    failed_ = std::variant_npos;
    error_ = message;
    ++error_number_;
}

void Session::Worker::fail(const std::string& message) {
    tell(message);
    pause();
}

bool Session::Worker::pause_to_leave() {
    const TrainingRun* const current = runs_.current();
    const bool known = current && current->folder_fails();
    pause();
    return known || !current || !current->folder_fails();
}

void Session::Worker::perform(const command::OpenModel& c) {
    const OpenedModel opened = open_checkpoint(c.folder, worlds());
    if (!pause_to_leave()) return;
    open(opened, c.set_aside);
}

void Session::Worker::perform(const command::OpenWorld& c) {
    OpenedModel opened = c.setup ? fresh_as(*c.setup, worlds()) : open_world(c.name, worlds());
    if (!c.switches.empty()) build_as(opened, c.switches);
    if (!pause_to_leave()) return;
    open(opened, c.set_aside);
}

void Session::Worker::perform(const command::GiveUpOpening&) { --unwanted_.opening, ++given_up_; }

void Session::Worker::perform(const command::BringBack& c) {
    if (!runs_.any_aside()) throw Error("No training is set aside.");
    if (c.beside) {
        pause();
    } else {
        if (!pause_to_leave()) return;
        runs_.drop_recoveries();
        runs_.clear();
    }
    runs_.bring_back();
    if (!c.beside) show(runs_.choose(runs_.worked_aside()));
}

void Session::Worker::perform(const command::SetWhatIf& c) {
    model_->runs.change(c.changes, texts_, shown_parameters());
}

Subject Session::Worker::subject() {
    return {*model_, backend_, runs_.current(), shown_parameters(), shown_step(), training(), training() && live_};
}

void Session::Worker::study() {
    for (Study* study : studies_) {
        if (!study->under_way()) continue;
        const Clock::time_point start = Clock::now();
        const double seconds = turn_seconds(slice);
        try {
            const Subject of = subject();
            do study->work(of);
            while (study->under_way() && seconds_since(start) < seconds);
        } catch (const Error& e) {
            tell(e.what());
        }
    }
}

void Session::Worker::perform(const command::CompareWith& c) {
    if (c.with.what == Comparing::What::steps) run();
    comparison_.set(backend_, c.with, worlds());
}

void Session::Worker::perform(const command::Watch& c) {
    std::string& text = texts_.at(static_cast<std::size_t>(c.slot));
    Refused& refused = refused_[c.slot];
    refused = {};
    if (const std::string why = c.or_keep ? model_->sentences.refusal(c.text) : std::string(); !why.empty())
        if (model_->sentences.refusal(text).empty()) return void(refused = {c.text, why});
    if (text != c.text) patching_.forget();
    text = c.text;
}

void Session::Worker::perform(const command::LookAt& c) {
    const Timeline::Keyframe kept = run().timeline().nearest(c.step);
    live_ = false;
    kept_step_ = kept.step;
    kept_parameters_ = kept.parameters;
}

void Session::Worker::perform(const command::FollowLive&) { live_ = true; }

Checkpoint Session::Worker::newest_model() {
    Checkpoint out = model_->start;
    out.step = newest_step();
    out.planned_steps = model_->planned_steps;
    out.keyframes.clear();
    if (TrainingRun* current = runs_.current()) {
        out.config = current->setup().config;
        out.seed = current->setup().options.seed;
        out.planned_steps = current->setup().options.schedule.total;
        out.parameters = current->parameters();
        out.log = current->curve().points();
    }
    return out;
}

void Session::Worker::perform(const command::Save& c) {
    save_checkpoint(c.folder, newest_model());
    if (TrainingRun* current = runs_.current()) current->saved_elsewhere();
}

Parameters Session::Worker::shown_parameters() {
    if (!runs_.current()) return model_->start.parameters;  // these never change
    return live_ ? runs_.current()->parameters() : kept_parameters_;
}

std::shared_ptr<const Snapshot> Session::Worker::snapshot() {
    const Meanwhile drawing(drawing_);
    shown_parameters();  // fetch now, so that a device's trouble is reported below
    look_for_device_trouble();
    const Subject of = subject();
    auto s = std::make_shared<Snapshot>();
    s->model = of.model.info;
    s->step = of.step;
    s->sentences = model_->runs.watch(texts_, of.parameters);
    for (std::size_t slot = 0; slot < refused_.size(); ++slot)
        if (!refused_[slot].why.empty())
            s->sentences[slot].refused = refused_[slot].text, s->sentences[slot].error = refused_[slot].why;
    s->what_if = model_->runs.changes();
    if (const std::string notice = model_->runs.take_notice(); !notice.empty()) tell(notice);
    comparison_.arrange(s->sentences, *model_, of.run, of.step);
    s->comparing = comparison_.with();
    s->second_text = texts_[1];
    make_resident(*s);
    for (Study* study : studies_) study->show(*s, of);
    s->studying = std::ranges::any_of(studies_, [](const Study* s) { return s->waited_for() && s->under_way(); });
    s->number = ++snapshots_;
    s->lost_runs = lost_;
    s->catalog = catalog_;
    show_training(*s);
    s->computing = compute_.now();
    has_news_ = false;
    if (experiment_) s->experiment = experiment_->info(texts_, measuring_.homonym());
    s->error = error_;
    s->error_number = error_number_;
    s->given_up = given_up_;
    return s;
}

std::shared_ptr<const Snapshot> Session::Worker::snapshot_after(const Snapshot& before, const std::string& why) {
    const std::string message = filled_with(N_("The screen cannot be updated: {1}"), why);
    if (error_ != message) tell(message);
    auto s = std::make_shared<Snapshot>(before);
    s->number = ++snapshots_;
    s->error = error_;
    s->error_number = error_number_;
    s->given_up = given_up_;
    return s;
}

}  // namespace glassformer::app
