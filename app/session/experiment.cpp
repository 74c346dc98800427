#include "app/session/experiment.h"

#include <algorithm>
#include <utility>

#include "app/session/model_size.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

int next_id() {
    static std::atomic<int> last{0};
    return ++last;
}

/// Only the first runs train at the same time.
void require_memory(const std::vector<ExperimentRun>& runs, int at_once) {
    std::int64_t parameters = 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (static_cast<int>(i) < std::max(1, at_once)) parameters += parameter_count(runs[i].setup.config);
    require_memory_for(parameters);
}

const Trace* trace_of(const ExperimentInfo::Run& run, int slot) {
    return run.seen ? run.seen->sentences[slot].trace.get() : nullptr;
}

}  // namespace

bool ExperimentInfo::under_way() const { return ended() < static_cast<int>(runs.size()); }

int ExperimentInfo::ended() const {
    return static_cast<int>(std::ranges::count_if(runs, [](const Run& run) { return run.now.ended(); }));
}

std::vector<MatchedInRun> matched_heads(const ExperimentInfo& experiment, int slot, std::size_t run, int block,
                                        int head) {
    std::vector<MatchedInRun> found(experiment.runs.size());
    const Trace* const own = run < experiment.runs.size() ? trace_of(experiment.runs[run], slot) : nullptr;
    if (!own) return found;
    const HeadPatterns of = head_patterns(*own);
    const int at = of.find(block, head);
    if (at < 0) return found;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i == run) {
            found[i] = {block, head};
            continue;
        }
        const Trace* const trace = trace_of(experiment.runs[i], slot);
        if (!trace) continue;
        const HeadPatterns other = head_patterns(*trace);
        if (other.queries != of.queries || other.keys != of.keys) continue;
        const std::vector<MatchedHead> all = match_heads(of, other);
        if (all.empty()) continue;
        const MatchedHead& m = all[at];
        const HeadPatterns::Head& partner = other.heads[m.index];
        found[i] = {partner.block, partner.head, m.distance, m.shared};
    }
    return found;
}

MatchedInRun hardest_head(const ExperimentInfo& experiment, int slot, std::size_t run, int word) {
    MatchedInRun hardest;
    const Trace* const trace = run < experiment.runs.size() ? trace_of(experiment.runs[run], slot) : nullptr;
    if (!trace) return hardest;
    const HeadPatterns patterns = head_patterns(*trace);
    if (word < 0 || word >= patterns.queries) return hardest;
    float most = -1.0f;
    for (const HeadPatterns::Head& head : patterns.heads)
        for (int key = 0; key < patterns.keys; ++key) {
            const float weight = head.weights[word * patterns.keys + key];
            if (key != word && weight > most) most = weight, hardest = {head.block, head.head};
        }
    return hardest;
}

ExperimentAtWork::ExperimentAtWork(CpuBackend& backend, ExperimentPlan plan, const std::filesystem::path& worlds,
                                   int at_once, std::function<void()> news)
    : backend_(backend),
      id_(next_id()),
      plan_(std::move(plan)),
      worlds_(worlds),
      task_(task_of(plan_.base, worlds)),
      runs_(runs_of(plan_, task_->config)),
      looked_(runs_.size()),
      model_(model_info(opened(0), backend.description())) {
    plan_.base.source = task_->source;
    require_memory(runs_, at_once);
    std::vector<PlannedRun> planned;
    for (const ExperimentRun& run : runs_) planned.push_back({run.setup.config, run.setup.options});
    side_ = std::make_unique<SideBySide>(task_, std::move(planned), at_once, std::move(news));
}

OpenedModel ExperimentAtWork::opened(std::size_t run) const {
    OpenedModel opened = fresh_model(task_, plan_.base.world, worlds_, plan_.base.unit);
    begin_as(opened, runs_[run].setup);
    return opened;
}

std::string ExperimentAtWork::refusal(const std::string& text) const {
    std::string why;
    for (std::size_t i = 0; i < runs_.size() && why.empty(); ++i)
        if (i == 0 || runs_[i].setup.config != runs_[i - 1].setup.config)
            why = Sentences(backend_, model_info(opened(i), backend_.description()), task_).refusal(text);
    return why;
}

/// Maps the word that was asked for; if the world does not have it, one in the sentences.
void ExperimentAtWork::map_meanings(Looked& looked, const Snapshot& seen, const Parameters& parameters,
                                    const std::string& homonym) {
    SenseStudy& senses = *looked.model->instruments.senses;
    std::string word = homonym;
    const std::vector<std::string>& all = senses.training.world.homonyms();
    for (const WatchedSentence& sentence : seen.sentences)
        if (std::ranges::find(all, word) == all.end() && sentence.homonym_pos >= 0)
            word = sentence.tokens[sentence.homonym_pos].text;
    if (looked.meaning && looked.meaning->homonym == word) return;
    const std::shared_ptr<MeaningMap> map = senses.maps.make(word, parameters->all());
    if (map) map->of = seen.shown;
    looked.meaning = map;
}

std::shared_ptr<const Snapshot> ExperimentAtWork::look(std::size_t run, const SideRun& now,
                                                       const std::array<std::string, 2>& texts,
                                                       const std::string& homonym) {
    if (!now.parameters) return nullptr;
    Looked& looked = looked_[run];
    if (looked.seen && looked.version == now.version && looked.texts == texts && looked.homonym == homonym)
        return looked.seen;
    if (!looked.model) looked.model = std::make_unique<ActiveModel>(backend_, opened(run));
    auto s = std::make_shared<Snapshot>();
    s->model = looked.model->info;
    std::array<std::string, 2> read = texts;  // the model on screen may belong to another world
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (slot < s->model->samples.size() && !looked.model->sentences.refusal(read[slot]).empty())
            read[slot] = s->model->samples[slot].text;
    s->sentences = looked.model->runs.watch(read, now.parameters);
    s->second_text = read[1];
    s->step = s->live_step = now.step;
    s->planned_steps = runs_[run].setup.options.schedule.total;
    s->history = now.log;
    if (now.log && !now.log->empty()) s->loss = now.log->back().loss;
    s->shown = {s->model, now.step, {}};
    if (now.found)
        s->measured = std::make_shared<const Measured>(Measured{*now.found, {s->model, now.measured_step, {}}});
    // By layer; computed once, after the training has ended.
    if (now.ended() && looked.model->instruments.senses) {
        if (!looked.probe)
            looked.probe = std::make_shared<const SenseProbeResult>(
                looked.model->instruments.senses->probe.measure(now.parameters->all()));
        map_meanings(looked, *s, now.parameters, homonym);
    }
    s->probe = looked.probe;
    s->meaning = looked.meaning;
    looked.version = now.version;
    looked.texts = texts;
    looked.homonym = homonym;
    return looked.seen = std::move(s);
}

std::shared_ptr<const ExperimentInfo> ExperimentAtWork::info(const std::array<std::string, 2>& texts,
                                                             const std::string& homonym) {
    auto info = std::make_shared<ExperimentInfo>();
    info->id = id_;
    info->plan = plan_;
    info->at_once = side_->at_once();
    info->seconds_left = side_->seconds_left();
    info->model = model_;
    const std::vector<SideRun> now = side_->runs();
    for (std::size_t i = 0; i < runs_.size(); ++i)
        info->runs.push_back({runs_[i].name, runs_[i].setup, now[i], look(i, now[i], texts, homonym)});
    return info;
}

std::unique_ptr<TrainingRun> ExperimentAtWork::open(std::size_t run, int id) const {
    if (run >= runs_.size()) throw Error("the experiment has {1} runs; there is no run {2}", runs_.size(), run + 1);
    const std::shared_ptr<const EndedRun> left = side_->ended(run);
    if (!left) throw Error("{1} has not been trained to its end; wait for it, or stop the experiment", runs_[run].name);
    TrainingSetup setup = runs_[run].setup;
    setup.source = task_->source;
    RunOrigin origin;
    origin.change = describe_removed(setup);
    auto opened_run = std::make_unique<TrainingRun>(
        id, runs_[run].name, std::make_shared<ActiveModel>(backend_, opened(run)), std::move(setup), std::move(origin));
    opened_run->take_over(*left);
    return opened_run;
}

}  // namespace glassformer::app
