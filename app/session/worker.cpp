#include "app/session/worker.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr std::int64_t default_planned_steps = 1200;
constexpr std::size_t suggestions = 3, most_points = 16384;

/// The loss of one batch is noisy: a running mean over about the last twenty.
float smoothed(float before, float loss) { return 0.95f * before + 0.05f * loss; }

std::shared_ptr<ModelInfo> describe(const WorldTraining& training, const std::string& backend) {
    auto info = std::make_shared<ModelInfo>();
    info->config = training.config;
    info->tokenizer = training.tokenizer;
    info->world = training.world.name();
    info->world_title = training.world.title();
    info->senses = training.world.senses();
    info->samples = training.world.samples();
    info->parameter_count = build_transformer(training.config, {1, 1}).graph->parameter_count();
    info->backend = backend;
    return info;
}

bool same_words(const WordTokenizer& a, const WordTokenizer& b) {
    if (a.size() != b.size()) return false;
    for (int id = 0; id < a.size(); ++id)
        if (a.word(id) != b.word(id)) return false;
    return true;
}

/// What a model reads, for a person.
std::string reads(const Checkpoint& model) {
    if (model.config.input == InputKind::values) return "vectors of numbers";
    return model.tokenizer ? "tokens of the kind \"" + std::string(model.tokenizer->kind()) + "\"" : "token ids";
}

/// Throws Error unless the window can show the checkpoint: it compares with the world's probe and samples, so the model
/// must speak the world's words and be built as the world's.
void require_shown(const Checkpoint& start, const WorldTraining& training, const Session::Options& options) {
    const std::string folder = options.checkpoint.string();
    if (!start.words())
        throw Error("this window shows models of words; " + folder + " reads " + reads(start) +
                    ". See its numbers with: glassformer trace --model " + folder + " --tokens 1,2 --out FILE");
    TransformerConfig shown = start.config;
    shown.init_std = training.config.init_std;  // says only how it began
    const std::string again = "; train it again with: glassformer train --world " + training.world.name() + " --out ";
    if (shown.d_vocab != training.config.d_vocab || shown.n_ctx != training.config.n_ctx ||
        !same_words(*start.words(), training.tokenizer))
        throw Error(folder + " was trained on other words than those of " + options.world.string() + again + folder);
    if (shown != training.config)
        throw Error(folder + " is built otherwise than the models of this world that the window shows" + again +
                    folder);
}

}  // namespace

int ModelInfo::homonym(const std::string& word) const {
    for (std::size_t sense = 0; sense < senses.size(); sense += 2)
        if (senses[sense].homonym == word) return static_cast<int>(sense / 2);
    return -1;
}

Session::Worker::Worker(const Options& options)
    : training_(World::load(options.world)),
      backend_(options.threads),
      tracer_(backend_, training_.config),
      probe_(backend_, training_),
      meaning_(backend_, training_),
      model_(describe(training_, backend_.description())),
      texts_(options.sentences) {
    Checkpoint start;
    start.planned_steps = default_planned_steps;
    if (!options.checkpoint.empty()) {
        start = load_checkpoint(options.checkpoint);
        require_shown(start, training_, options);
    }
    start_from(start);
}

void Session::Worker::start_from(const Checkpoint& start) {
    planned_steps_ = start.planned_steps > 0 ? start.planned_steps : default_planned_steps;
    TrainOptions train;
    train.seed = start.seed;
    train.schedule.total = planned_steps_;
    next_seed_ = start.seed;
    trainer_ = std::make_unique<Trainer>(backend_, training_.config, training_.masked_words(), train);
    for (const Timeline::Keyframe& k : start.keyframes) timeline_.keep(k.step, k.parameters);
    if (start.parameters) {
        trainer_->restore(*start.parameters, start.step);
        timeline_.keep(start.step, start.parameters);
    } else {
        timeline_.keep(0, shown_parameters());
    }
    history_ = start.log;
    if (!history_.empty()) smooth_loss_ = smoothed_loss_at(history_.back().step);
    shown_step_ = trainer_->steps();
}

void Session::Worker::handle(const Command& command) {
    try {
        std::visit([this](const auto& c) { perform(c); }, command);
    } catch (const Error& e) {
        fail(e.what());
    } catch (const std::bad_alloc&) {
        fail("There was not enough memory for that; try a smaller batch.");
    }
}

void Session::Worker::fail(const std::string& message) {
    error_ = message;
    ++error_number_;
    state_ = RunState::paused;
}

void Session::Worker::perform(const command::Train&) {
    state_ = RunState::training;
    live_ = true;
    steps_per_second_ = 0.0f;
}

void Session::Worker::perform(const command::Pause&) { state_ = RunState::paused; }

void Session::Worker::perform(const command::Reset&) {
    state_ = RunState::paused;
    trainer_->reset(next_seed_);
    timeline_.clear();
    history_.clear();
    smooth_loss_ = 0.0f;
    live_ = true;
    shown_step_ = 0;
    live_parameters_step_ = -1;
    timeline_.keep(0, shown_parameters());
}

void Session::Worker::perform(const command::SetLearningRate& c) {
    if (!(c.peak > 0.0f) || c.peak > 10.0f) throw Error("the learning rate must be above 0 and at most 10");
    trainer_->set_peak_learning_rate(c.peak);
}

void Session::Worker::perform(const command::SetBatch& c) {
    if (c.batch < 1 || c.batch > 1024) throw Error("the batch size must be between 1 and 1024");
    trainer_->set_batch(c.batch);
}

void Session::Worker::perform(const command::SetSeed& c) { next_seed_ = c.seed; }

void Session::Worker::perform(const command::Watch& c) { texts_.at(static_cast<std::size_t>(c.slot)) = c.text; }

void Session::Worker::perform(const command::LookAt& c) {
    live_ = false;
    shown_step_ = timeline_.nearest(c.step).step;
}

void Session::Worker::perform(const command::FollowLive&) { live_ = true; }

void Session::Worker::perform(const command::ShowMeaning& c) { homonym_ = c.homonym; }

void Session::Worker::perform(const command::Save& c) {
    Checkpoint out;
    out.config = training_.config;
    out.tokenizer = std::make_shared<WordTokenizer>(training_.tokenizer);
    out.world = training_.world.name();
    out.seed = trainer_->options().seed;
    out.step = trainer_->steps();
    out.planned_steps = planned_steps_;
    out.parameters = std::make_shared<std::vector<float>>(trainer_->parameters().begin(), trainer_->parameters().end());
    out.log = history_;
    save_checkpoint(c.folder, out);
}

void Session::Worker::train_for(double seconds) {
    const Clock::time_point start = Clock::now();
    const std::int64_t first = trainer_->steps();
    try {
        while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) record(trainer_->step());
    } catch (const Error& e) {
        fail(e.what());
    }
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    const auto rate = static_cast<float>(static_cast<double>(trainer_->steps() - first) / took);
    steps_per_second_ = steps_per_second_ == 0.0f ? rate : 0.8f * steps_per_second_ + 0.2f * rate;
}

// A long run keeps its curve at a coarser grain: every second point of the older half goes; an accuracy that was
// measured there moves to the point before.
void Session::Worker::thin_history() {
    if (history_.size() <= most_points) return;
    const std::size_t half = history_.size() / 2;
    std::vector<MetricPoint> kept;
    for (std::size_t i = 0; i < history_.size(); ++i) {
        if (i >= half || i % 2 == 0)
            kept.push_back(history_[i]);
        else if (history_[i].accuracy >= 0.0f)
            kept.back().accuracy = history_[i].accuracy;
    }
    history_ = std::move(kept);
}

void Session::Worker::record(const StepReport& report) {
    thin_history();
    history_.push_back({report.step, report.loss, -1.0f});
    smooth_loss_ = history_.size() == 1 ? report.loss : smoothed(smooth_loss_, report.loss);
    if (timeline_.wants(report.step))
        timeline_.keep(report.step, std::make_shared<std::vector<float>>(trainer_->parameters().begin(),
                                                                         trainer_->parameters().end()));
}

Parameters Session::Worker::shown_parameters() {
    if (!live_) return timeline_.nearest(shown_step_).parameters;
    if (live_parameters_step_ != trainer_->steps()) {
        live_parameters_ =
            std::make_shared<std::vector<float>>(trainer_->parameters().begin(), trainer_->parameters().end());
        live_parameters_step_ = trainer_->steps();
    }
    return live_parameters_;
}

WatchedSentence Session::Worker::read(const std::string& text) const {
    WatchedSentence sentence;
    sentence.text = text;
    try {
        sentence.tokens = training_.tokenizer.encode(text);
        sentence.nearest_known.resize(sentence.tokens.size());
        std::vector<int> ids;
        for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
            const WordTokenizer::Token& token = sentence.tokens[i];
            ids.push_back(token.id);
            if (token.id == WordTokenizer::unknown)
                sentence.nearest_known[i] = training_.tokenizer.nearest(token.text, suggestions);
            if (sentence.homonym_pos < 0 && model_->homonym(token.text) >= 0)
                sentence.homonym_pos = static_cast<int>(i);
        }
        require_tokens(ids, training_.config);
    } catch (const Error& e) {
        sentence.error = e.what();
    }
    for (const Sentence& sample : training_.world.samples())
        if (text_of(sample) == text) sentence.sense = sample.sense;
    return sentence;
}

void Session::Worker::trace(WatchedSentence& sentence) {
    if (!sentence.error.empty()) return;
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : sentence.tokens) ids.push_back(token.id);
    const Parameters parameters = shown_parameters();
    sentence.trace = tracer_.trace(ids, parameters);
    const auto vocabulary = static_cast<std::size_t>(training_.config.d_vocab);
    for (std::size_t p = 0; p < ids.size(); ++p) {
        std::vector<int> masked = ids;
        masked[p] = WordTokenizer::mask;
        const std::shared_ptr<const Trace> guess = tracer_.trace(masked, parameters);
        const std::span<const float> row =
            guess->values(guess->model().probabilities).subspan(p * vocabulary, vocabulary);
        sentence.masked_probabilities.insert(sentence.masked_probabilities.end(), row.begin(), row.end());
    }
}

// The probe and the map are measured again when the parameters that are shown have changed.
void Session::Worker::measure() {
    const Parameters parameters = shown_parameters();
    const bool moved = parameters != measured_parameters_;
    if (moved) {
        probe_result_ = std::make_shared<SenseProbeResult>(probe_.measure(*parameters));
        const auto point = std::ranges::find(history_, shown_step_, &MetricPoint::step);
        if (point != history_.end()) point->accuracy = probe_result_->accuracy.back();
    }
    if (moved || homonym_ != measured_homonym_) {
        meaning_result_ = meaning_.make(homonym_, *parameters);
        measured_homonym_ = homonym_;
    }
    measured_parameters_ = parameters;
}

float Session::Worker::smoothed_loss_at(std::int64_t step) const {
    float smooth = 0.0f;
    bool first = true;
    for (const MetricPoint& p : history_) {
        if (p.step > step) break;
        smooth = std::exchange(first, false) ? p.loss : smoothed(smooth, p.loss);
    }
    return smooth;
}

std::shared_ptr<const Snapshot> Session::Worker::snapshot() {
    if (live_) shown_step_ = trainer_->steps();
    auto s = std::make_shared<Snapshot>();
    for (std::size_t slot = 0; slot < texts_.size(); ++slot) {
        s->sentences[slot] = read(texts_[slot]);
        trace(s->sentences[slot]);
    }
    if (homonym_.empty())
        for (const WatchedSentence& sentence : s->sentences)
            if (homonym_.empty() && sentence.homonym_pos >= 0)
                homonym_ = sentence.tokens[static_cast<std::size_t>(sentence.homonym_pos)].text;
    measure();
    s->number = ++snapshots_;
    s->model = model_;
    s->state = state_;
    s->step = shown_step_;
    s->live_step = trainer_->steps();
    s->live = live_;
    s->planned_steps = planned_steps_;
    s->loss = live_ ? smooth_loss_ : smoothed_loss_at(shown_step_);
    s->steps_per_second = steps_per_second_;
    s->learning_rate = trainer_->options().schedule.peak;
    s->batch = trainer_->options().batch;
    s->seed = next_seed_;
    s->probe = probe_result_;
    s->meaning = meaning_result_;
    s->history = std::make_shared<std::vector<MetricPoint>>(history_);
    for (const Timeline::Keyframe& k : timeline_.keyframes()) s->kept_steps.push_back(k.step);
    s->error = error_;
    s->error_number = error_number_;
    return s;
}

}  // namespace glassformer::app
