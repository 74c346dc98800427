#include "app/session/nearest_uses.h"

#include <algorithm>
#include <numeric>

#include "app/session/masks.h"
#include "core/analysis/nearest_uses.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/tasks/world_data.h"

namespace glassformer::app {

namespace {

constexpr std::uint64_t held_out_corpus_seed = 11;
constexpr int least_drawn = 512, of_held_out = 64;

/// Adds the sentences of a batch without padding, with masked words restored.
void add_sentences(const Batch& batch, int positions, std::vector<std::vector<int>>& all) {
    const auto width = static_cast<std::size_t>(positions);
    const std::span<const float> said = batch.unmasked_tokens();
    for (std::size_t row = 0; (row + 1) * width <= said.size(); ++row) {
        std::vector<int> ids;
        for (std::size_t p = row * width; p < (row + 1) * width; ++p) {
            if (!batch.key_mask.empty() && batch.key_mask[p] == 0.0f) continue;
            ids.push_back(static_cast<int>(said[p]));
        }
        if (!ids.empty() && std::ranges::find(all, ids) == all.end()) all.push_back(std::move(ids));
    }
}

/// Picks at most `most` of them, evenly spaced.
std::vector<std::size_t> some_of(const std::vector<std::size_t>& all, std::size_t most) {
    if (all.size() <= most) return all;
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
    return some;
}

}  // namespace

/// Keeps what a training with these options draws: a share of them, and of that the short ones.
void NearestUseStudy::Corpus::keep_drawn() {
    const std::vector<std::vector<int>> all = std::move(ids);
    const std::vector<int> all_senses = std::move(senses);
    ids.clear(), senses.clear();
    for (const std::size_t i : places_of_share(all.size(), static_cast<double>(options.data_share))) {
        if (options.longest > 0 && all[i].size() > static_cast<std::size_t>(options.longest)) continue;
        ids.push_back(all[i]);
        if (!all_senses.empty()) senses.push_back(all_senses[i]);
    }
    training = ids.size();
}

const NearestUseStudy::Corpus& NearestUseStudy::corpus(const ActiveModel& model) {
    if (corpus_.of == model.info && corpus_.options == options_) return corpus_;
    corpus_ = {model.info, options_, {}, {}, 0, true};
    const Task& task = *model.task;
    if (task.senses) {
        const WorldTraining training(*task.senses);
        for (const Split split : {Split::train, Split::held_out}) {
            const bool learned = split == Split::train;
            for (const Sentence& s : task.senses->corpus(split, WorldTraining::sentences_per_sense,
                                                         learned ? corpus_seed : held_out_corpus_seed)) {
                corpus_.ids.push_back(training.encode(s));
                corpus_.senses.push_back(s.sense);
            }
            if (learned) corpus_.keep_drawn();
        }
        return corpus_;
    }
    if (const auto* masked = dynamic_cast<const MaskedWords*>(task.batches.get())) {
        corpus_.ids = masked->corpus();
        corpus_.keep_drawn();
    } else {
        const std::shared_ptr<const BatchSource> batches = training_batches(task.batches, options_);
        Batch batch;
        for (int step = 1; (step - 1) * options_.batch < least_drawn; ++step) {
            batches->draw(options_.seed, step, options_.batch, batch);
            add_sentences(batch, batches->shape(options_.batch).positions, corpus_.ids);
        }
        corpus_.whole = false;
        corpus_.training = corpus_.ids.size();
    }
    Batch batch;
    const std::shared_ptr<const BatchSource> held_out = task.held_out();
    const int count = held_out->eval_batch(of_held_out, batch);
    add_sentences(batch, held_out->shape(count).positions, corpus_.ids);
    return corpus_;
}

bool can_compare_uses(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    return c.input == InputKind::words && c.family != Family::encoder_decoder && !c.recurrent() && model.tokenizer;
}

std::string NearestUseStudy::why_not(const ActiveModel& model, const WatchedSentence& sentence, int position) const {
    if (!sentence.trace) return N_("The model cannot read this sentence.");
    if (sentence.model && sentence.model != model.info)
        return N_("The uses are those of the model that is open; this card shows another one.");
    if (sentence.step != shown_->shown.step) return N_("This card shows another step than the model that is open.");
    if (!model.task) return N_("The training sentences of this model are not known.");
    if (!model.task->why_not_trained.empty()) return model.task->why_not_trained;
    if (!can_compare_uses(*model.info)) return N_("Only uses of a word in one sentence can be compared.");
    if (position < 0 || position >= static_cast<int>(sentence.tokens.size())) return N_("No word is chosen.");
    if (is_mask(*model.info, sentence.tokens[position].id))
        return N_("A hidden word has no uses. Choose another word.");
    return {};
}

void NearestUseStudy::show(Snapshot& snapshot, const Subject& of) {
    if (!asked_.on) return forget();
    const WatchedSentence& sentence = snapshot.sentences[asked_.slot == 1 ? 1 : 0];
    const TrainOptions options = drawing_of(of);
    const bool same_word = shown_ && shown_->of == asked_ && shown_->sentence == sentence.text &&
                           snapshot.of_shown(shown_->shown) && options_ == options;
    const bool same = same_word && shown_->trace.lock() == sentence.trace && of_ == of.parameters;
    if (!same && !(of.training && same_word && !under_way())) {
        running_.reset();
        shown_ = std::make_shared<NearestUses>();
        shown_->of = asked_;
        shown_->trace = sentence.trace;
        shown_->sentence = sentence.text;
        shown_->shown = snapshot.shown;
        of_ = of.parameters;
        options_ = options;
        shown_->why_not = why_not(of.model, sentence, asked_.position);
        if (shown_->why_not.empty()) try {
                begin(of.model, sentence);
            } catch (const Error& e) {  // the world has too few sentences as short as this training draws
                running_.reset();
                corpus_ = {};
                shown_->why_not = e.what();
            }
    }
    snapshot.nearest_uses = shown_;
}

void NearestUseStudy::begin(ActiveModel& model, const WatchedSentence& sentence) {
    const Corpus& all = corpus(model);
    const std::vector<int>& tokens = sentence.trace->tokens();
    const int position = shown_->of.position;
    Running& r = running_.emplace();
    r.token = tokens[position];
    r.layer = std::clamp(shown_->of.layer, 0, model.start.config.n_layers);
    const int node = sentence.trace->graph().at(stream_name(r.layer));
    const SliceView row = sentence.trace->part_uncached(node, {position, 1});
    r.here.assign(row.values().begin(), row.values().end());
    shown_->word = model.info->token_text(r.token);
    std::vector<std::size_t> learned, held_out;
    for (std::size_t i = 0; i < all.ids.size(); ++i)
        if (std::ranges::find(all.ids[i], r.token) != all.ids[i].end())
            (i < all.training ? learned : held_out).push_back(i);
    shown_->all_compared = all.whole && learned.size() <= most_training;
    r.of = some_of(learned, most_training);
    const std::vector<std::size_t> more = some_of(held_out, most_held_out);
    r.of.insert(r.of.end(), more.begin(), more.end());
    for (const std::size_t i : r.of) r.ids.push_back(all.ids[i]);
    shown_->left = static_cast<int>(r.ids.size());
    using Seen = NearestUses::Seen;
    const auto end = all.ids.begin() + static_cast<std::ptrdiff_t>(all.training);
    std::vector<std::string> words;
    for (const auto& token : sentence.tokens) words.push_back(token.text);
    if (std::find(all.ids.begin(), end, tokens) != end)
        shown_->seen = Seen::sentence;
    else if (model.task->senses && model.task->senses->says(Split::train, words))
        shown_->seen = Seen::known_template;
    else if (model.task->senses && model.task->senses->says(Split::held_out, words))
        shown_->seen = Seen::held_out_template;
    else
        shown_->seen = all.whole ? Seen::fresh : Seen::unknown;
    if (r.ids.empty()) finish(model);
}

void NearestUseStudy::work(const Subject& of) {
    Running& r = *running_;
    shown_ = std::make_shared<NearestUses>(*shown_);
    try {
        AlteredBackend* const altered =
            shown_->shown.changes.empty() ? nullptr : &of.model.altered(shown_->shown.changes).backend;
        Backend& used = altered ? static_cast<Backend&>(*altered) : of.backend;
        const TransformerConfig& config = altered ? altered->config() : of.model.start.config;
        const Parameters parameters = altered ? altered->parameters(of_) : of_;
        const std::size_t end = std::min(r.ids.size(), r.next + at_once);
        ContextualVectors vectors(
            used, config,
            {r.ids.begin() + static_cast<std::ptrdiff_t>(r.next), r.ids.begin() + static_cast<std::ptrdiff_t>(end)});
        vectors.run(*parameters);
        for (std::size_t i = r.next; i < end; ++i)
            for (int p = 0; p < static_cast<int>(r.ids[i].size()); ++p) {
                if (r.ids[i][p] != r.token) continue;
                const std::span<const float> stream = vectors.at(r.layer, i - r.next, p);
                r.found.push_back({r.of[i], p, {stream.begin(), stream.end()}});
            }
        r.next = end;
    } catch (const Error& e) {  // the altered model cannot run this
        shown_->why_not = e.what();
        r.next = r.ids.size();
    }
    shown_->left = static_cast<int>(r.ids.size() - r.next);
    if (shown_->left == 0) finish(of.model);
}

void NearestUseStudy::finish(const ActiveModel& model) {
    const Running& r = *running_;
    std::vector<WordUse> uses;
    for (const Running::Found& found : r.found) uses.push_back({found.position, found.stream});
    const std::vector<double> cosines = centred_cosines({shown_->of.position, r.here}, uses);
    std::vector<std::size_t> order(cosines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return cosines[i]; });
    for (const Running::Found& found : r.found)
        ++(found.sentence < corpus_.training ? shown_->training : shown_->held_out);
    for (const std::size_t i : order) {
        if (shown_->nearest.size() == most_nearest) break;
        const Running::Found& found = r.found[i];
        const std::vector<int>& ids = corpus_.ids[found.sentence];
        std::vector<std::string> words;
        for (const int id : ids) words.push_back(model.info->token_text(id));
        shown_->nearest.push_back({model.info->tokenizer->decode(ids), std::move(words), found.position, cosines[i],
                                   corpus_.senses.empty() ? -1 : corpus_.senses[found.sentence],
                                   found.sentence >= corpus_.training});
    }
    running_.reset();
}

}  // namespace glassformer::app
