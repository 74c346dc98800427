#include "core/analysis/head_scores.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/graph/hook_names.h"
#include "core/tasks/sense_probe.h"
#include "core/text/word_tokenizer.h"
#include "core/worlds/world.h"

namespace glassformer {

namespace {

void require_size(std::span<const float> pattern, int queries, int keys) {
    if (queries < 1 || keys < 1 || pattern.size() != static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys))
        throw Error("a pattern of {1} queries and {2} keys cannot have {3} cells", queries, keys, pattern.size());
}

/// For every token, the position of its latest earlier copy, or −1.
std::vector<int> earlier_copies(std::span<const int> tokens) {
    std::vector<int> copies(tokens.size(), -1);
    for (std::size_t here = 0; here < tokens.size(); ++here)
        for (std::size_t earlier = here; earlier-- > 0 && copies[here] < 0;)
            if (tokens[earlier] == tokens[here]) copies[here] = static_cast<int>(earlier);
    return copies;
}

/// The mean weight on the token `places` positions after the latest earlier copy of the query's token.
std::optional<double> weight_after_copy(std::span<const float> pattern, std::span<const int> tokens, int places) {
    require_size(pattern, static_cast<int>(tokens.size()), static_cast<int>(tokens.size()));
    const std::vector<int> copies = earlier_copies(tokens);
    double sum = 0.0;
    std::size_t counted = 0;
    for (std::size_t query = 0; query < tokens.size(); ++query) {
        if (copies[query] < 0) continue;
        ++counted;
        sum += static_cast<double>(pattern[query * tokens.size() + static_cast<std::size_t>(copies[query] + places)]);
    }
    if (4 * counted < tokens.size() || counted == 0) return std::nullopt;
    return sum / static_cast<double>(counted);
}

/// The mean over a patch of queries and keys; each range is [first, second).
float mean_of_patch(std::span<const float> pattern, int keys, std::pair<int, int> rows, std::pair<int, int> columns) {
    double sum = 0.0;
    for (int query = rows.first; query < rows.second; ++query) {
        const float* cells = pattern.data() + std::int64_t{query} * keys;
        sum = std::accumulate(cells + columns.first, cells + columns.second, sum);
    }
    return static_cast<float>(sum / ((rows.second - rows.first) * (columns.second - columns.first)));
}

}  // namespace

std::optional<double> previous_word_score(std::span<const float> pattern, int length) {
    require_size(pattern, length, length);
    if (length < 2) return std::nullopt;
    const std::size_t n = length;
    double sum = 0.0;
    for (std::size_t query = 1; query < n; ++query) sum += static_cast<double>(pattern[query * n + query - 1]);
    return sum / static_cast<double>(n - 1);
}

std::optional<double> induction_score(std::span<const float> pattern, std::span<const int> tokens) {
    return weight_after_copy(pattern, tokens, 1);
}

std::optional<double> duplicate_token_score(std::span<const float> pattern, std::span<const int> tokens) {
    return weight_after_copy(pattern, tokens, 0);
}

PatternPicture pattern_picture(std::span<const float> pattern, int queries, int keys, int most) {
    require_size(pattern, queries, keys);
    if (most < 1) throw Error("a picture of a pattern needs at least one row");
    PatternPicture picture{std::min(queries, most), std::min(keys, most), {}};
    picture.weights.reserve(static_cast<std::size_t>(picture.rows) * static_cast<std::size_t>(picture.columns));
    const auto edge = [](int i, int count, int of) { return static_cast<int>(std::int64_t{i} * of / count); };
    for (int row = 0; row < picture.rows; ++row)
        for (int column = 0; column < picture.columns; ++column) {
            const int top = edge(row, picture.rows, queries), bottom = edge(row + 1, picture.rows, queries);
            const int left = edge(column, picture.columns, keys), right = edge(column + 1, picture.columns, keys);
            picture.weights.push_back(mean_of_patch(pattern, keys, {top, bottom}, {left, right}));
        }
    return picture;
}

namespace {

constexpr std::uint64_t scores_seed = 2022;

std::string pattern_name(int block) { return block_hook(block, "attn.hook_pattern"); }

std::vector<std::string> pattern_names(const TransformerConfig& config) {
    std::vector<std::string> names;
    for (int block = 0; block < config.n_layers; ++block) names.push_back(pattern_name(block));
    return names;
}

int half_length(const TransformerConfig& config) { return std::min(HeadScoreProbe::longest_half, config.n_ctx / 2); }

BatchShape shape_of(const TransformerConfig& config) { return {HeadScoreProbe::sentences, 2 * half_length(config)}; }

/// The loss is not needed, but its inputs must be set.
void ask_for_nothing(Batch& batch, const TransformerConfig& config, const BatchShape& shape) {
    const TransformerGraph model = build_transformer(config, shape);
    const auto zeros = [&](int node) {
        return std::vector<float>(node < 0 ? 0 : static_cast<std::size_t>((*model.graph)[node].shape.elements()));
    };
    batch.targets = zeros(model.targets);
    batch.target_values = zeros(model.target_values);
    batch.loss_weights = zeros(model.loss_weights);
}

/// Random words, repeated once; no word occurs twice in one half while there are enough.
Batch repeated_words(const TransformerConfig& config, int first_word) {
    const auto words = static_cast<std::uint64_t>(config.d_vocab - first_word);
    const std::size_t half = half_length(config);
    Batch batch;
    Rng rng(scores_seed);
    for (int sentence = 0; sentence < HeadScoreProbe::sentences; ++sentence) {
        std::vector<float> said;
        while (said.size() < half) {
            const auto word = static_cast<float>(static_cast<std::uint64_t>(first_word) + rng.below(words));
            if (words < 2 * half || std::ranges::count(said, word) == 0) said.push_back(word);
        }
        for (int time = 0; time < 2; ++time) batch.tokens.insert(batch.tokens.end(), said.begin(), said.end());
    }
    batch.key_mask.assign(batch.tokens.size(), 1.0f);
    ask_for_nothing(batch, config, shape_of(config));
    return batch;
}

/// All sentences in one batch, padded to the longest.
Batch telling_batch(const TransformerConfig& config, std::span<const TellingSentence> telling,
                    const BatchShape& shape) {
    Batch batch;
    for (const TellingSentence& sentence : telling)
        for (std::size_t p = 0; p < static_cast<std::size_t>(shape.positions); ++p) {
            const bool word = p < sentence.tokens.size();
            batch.tokens.push_back(word ? static_cast<float>(sentence.tokens[p]) : 0.0f);
            batch.key_mask.push_back(word ? 1.0f : 0.0f);
        }
    ask_for_nothing(batch, config, shape);
    return batch;
}

/// Adds one sentence's share, 1 ⁄ `count`: pattern [head, query, key].
void add_scores(std::span<const float> pattern, std::span<const int> tokens, int block, int count,
                std::vector<HeadScore>& scores) {
    const std::size_t cells = tokens.size() * tokens.size(), heads = pattern.size() / cells;
    const auto share = [&](std::optional<double> score) { return static_cast<float>(score.value_or(0.0) / count); };
    for (std::size_t head = 0; head < heads; ++head) {
        const std::span<const float> weights = pattern.subspan(head * cells, cells);
        const auto known = std::ranges::find_if(
            scores, [&](const HeadScore& s) { return s.block == block && s.head == static_cast<int>(head); });
        HeadScore& score =
            known != scores.end() ? *known : scores.emplace_back(HeadScore{block, static_cast<int>(head)});
        score.previous_word += share(previous_word_score(weights, static_cast<int>(tokens.size())));
        score.induction += share(induction_score(weights, tokens));
        score.duplicate_token += share(duplicate_token_score(weights, tokens));
    }
}

}  // namespace

std::vector<HeadScore> head_scores(const Trace& trace) {
    std::vector<HeadScore> scores;
    if (trace.model().config.input != InputKind::words) return scores;
    for (int block = 0; block < trace.model().config.n_layers; ++block)
        if (trace.graph().find(pattern_name(block)))
            add_scores(trace.values(pattern_name(block)), trace.tokens(), block, 1, scores);
    return scores;
}

namespace {

constexpr std::size_t sentences_per_sense = 6;
constexpr std::uint64_t telling_seed = 7;

std::vector<TellingSentence> of_senses(const World& world) {
    const WorldTraining training(world);
    std::vector<std::set<std::string>> said(world.senses().size());
    for (const Sentence& s : world.corpus(Split::train, WorldTraining::sentences_per_sense, corpus_seed))
        said[s.sense].insert(s.words.begin(), s.words.end());
    std::vector<TellingSentence> all;
    for (const Sentence& s : world.corpus(Split::held_out, sentences_per_sense, telling_seed)) {
        TellingSentence telling{training.encode(s), s.homonym_pos, {}};
        for (int p = 0; p < static_cast<int>(s.words.size()); ++p)
            if (said[s.sense].contains(s.words[p]) && !said[s.sense ^ 1].contains(s.words[p]))
                telling.keys.push_back(p);
        if (!telling.keys.empty()) all.push_back(std::move(telling));
    }
    return all;
}

}  // namespace

std::vector<TellingSentence> telling_sentences(const Task& task) {
    if (task.senses) return of_senses(*task.senses);
    std::vector<TellingSentence> all;
    if (!task.tokenizer || task.source_tokenizer || task.config.input != InputKind::words) return all;
    for (const Sample& sample : task.samples)
        if (sample.token >= 0 && sample.looks_at >= 0)
            all.push_back({task.tokenizer->ids(sample.text), sample.token, {sample.looks_at}});
    std::erase_if(all, [](const TellingSentence& s) {
        const int length = static_cast<int>(s.tokens.size()), key = s.keys.front();
        if (s.asks >= length || key >= length) return true;
        return key > 0 && key <= s.asks && s.tokens[key - 1] == s.tokens[s.asks];  // this is induction
    });
    return all;
}

std::unique_ptr<HeadScoreProbe> HeadScoreProbe::make(Backend& backend, const TransformerConfig& config, int first_word,
                                                     std::vector<TellingSentence> telling) {
    if (config.recurrent() || config.input != InputKind::words || config.family == Family::encoder_decoder ||
        half_length(config) < 2 || config.d_vocab <= first_word)
        return nullptr;
    return std::unique_ptr<HeadScoreProbe>(new HeadScoreProbe(backend, config, first_word, std::move(telling)));
}

std::unique_ptr<HeadScoreProbe> HeadScoreProbe::make(Backend& backend, const TransformerConfig& config,
                                                     const Task& task) {
    const bool words = dynamic_cast<const WordTokenizer*>(task.tokenizer.get()) != nullptr;
    return make(backend, config, words ? WordTokenizer::unknown + 1 : 0, telling_sentences(task));
}

HeadScoreProbe::HeadScoreProbe(Backend& backend, const TransformerConfig& config, int first_word,
                               std::vector<TellingSentence> telling)
    : batch_(backend, config, shape_of(config), repeated_words(config, first_word), pattern_names(config)),
      telling_(std::move(telling)) {
    // Keys that the mask hides reveal nothing.
    for (TellingSentence& s : telling_) std::erase_if(s.keys, [&](int key) { return config.causal() && key > s.asks; });
    std::erase_if(telling_, [&](const TellingSentence& s) {
        return s.keys.empty() || static_cast<int>(s.tokens.size()) > config.n_ctx;
    });
    if (telling_.empty()) return;
    std::size_t longest = 0;
    for (const TellingSentence& s : telling_) longest = std::max(longest, s.tokens.size());
    const BatchShape shape{static_cast<int>(telling_.size()), static_cast<int>(longest)};
    telling_batch_ = std::make_unique<FixedBatch>(backend, config, shape, telling_batch(config, telling_, shape),
                                                  pattern_names(config));
}

std::vector<HeadScore> HeadScoreProbe::measure(std::span<const float> parameters) {
    batch_.run(parameters);
    const TransformerConfig& config = batch_.model().config;
    const std::size_t length = batch_.model().positions;
    std::vector<HeadScore> scores;
    std::vector<int> tokens(length);
    for (int block = 0; block < config.n_layers; ++block) {
        const std::span<const float> patterns = batch_.values(pattern_name(block));  // [batch, head, query, key]
        const std::size_t each = patterns.size() / sentences;
        for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
            std::ranges::transform(std::span(batch_.batch().tokens).subspan(sentence * length, length), tokens.begin(),
                                   [](float id) { return static_cast<int>(id); });
            add_scores(patterns.subspan(sentence * each, each), tokens, block, sentences, scores);
        }
    }
    if (telling_batch_) measure_telling(parameters, scores);
    return scores;
}

namespace {

/// The mean weight on the words that reveal it, for a head that attends uniformly.
double even_share(std::span<const TellingSentence> telling, bool causal) {
    double sum = 0.0;
    for (const TellingSentence& s : telling) {
        const auto seen = static_cast<double>(causal ? s.asks + 1 : std::ssize(s.tokens));
        sum += static_cast<double>(s.keys.size()) / seen;
    }
    return sum / static_cast<double>(telling.size());
}

}  // namespace

void HeadScoreProbe::measure_telling(std::span<const float> parameters, std::vector<HeadScore>& scores) {
    telling_batch_->run(parameters);
    const double even = even_share(telling_, batch_.model().config.causal());
    const std::size_t length = telling_batch_->model().positions, heads = batch_.model().config.n_heads;
    for (HeadScore& score : scores) {
        const std::span<const float> patterns = telling_batch_->values(pattern_name(score.block));
        double sum = 0.0;
        for (std::size_t i = 0; i < telling_.size(); ++i) {
            const std::size_t head = i * heads + static_cast<std::size_t>(score.head);
            const std::size_t row = (head * length + static_cast<std::size_t>(telling_[i].asks)) * length;
            for (const int key : telling_[i].keys)
                sum += static_cast<double>(patterns[row + static_cast<std::size_t>(key)]);
        }
        const double weight = sum / static_cast<double>(telling_.size());
        score.telling_word = static_cast<float>(std::max(0.0, (weight - even) / (1.0 - even)));
    }
}

namespace {

// Rows of n float32 weights of 1/n differ from it by at most this much, as a sum of squares.
constexpr double rounding = 1e-13;

double square(double x) { return x * x; }

/// Calls body(cell, query, distance) for every allowed cell.
template <class Body>
void for_allowed(const ToeplitzFit& fit, bool causal, const Body& body) {
    for (int query = 0; query < fit.queries; ++query)
        for (int key = 0; key < fit.keys; ++key) {
            const int distance = fit.distance(query, key);
            if (causal && distance < 0) continue;
            const auto cell =
                static_cast<std::size_t>(query) * static_cast<std::size_t>(fit.keys) + static_cast<std::size_t>(key);
            body(cell, static_cast<std::size_t>(query), static_cast<std::size_t>(distance - fit.least()));
        }
}

}  // namespace

ToeplitzFit nearest_toeplitz(std::span<const float> pattern, int queries, int keys, bool causal) {
    if (queries < 1 || keys < 1 || pattern.size() != static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys))
        throw Error("a pattern of {1} queries and {2} keys cannot have {3} cells", queries, keys, pattern.size());
    ToeplitzFit fit{queries, keys, {}, std::vector<float>(pattern.size()), 0.0, causal ? keys - queries : 0};
    std::vector<double> sum(static_cast<std::size_t>(queries + keys - 1)), count(sum.size()),
        allowed(static_cast<std::size_t>(queries));
    for_allowed(fit, causal, [&](std::size_t cell, std::size_t query, std::size_t diagonal) {
        sum[diagonal] += static_cast<double>(pattern[cell]);
        count[diagonal] += 1.0;
        allowed[query] += 1.0;
    });
    for (std::size_t d = 0; d < sum.size(); ++d) {
        if (count[d] > 0.0) sum[d] /= count[d];
        fit.diagonals.push_back(static_cast<float>(sum[d]));
    }
    double left = 0.0, deviation = 0.0;
    for_allowed(fit, causal, [&](std::size_t cell, std::size_t query, std::size_t diagonal) {
        fit.fitted[cell] = fit.diagonals[diagonal];
        left += square(static_cast<double>(pattern[cell]) - sum[diagonal]);
        deviation += square(static_cast<double>(pattern[cell]) - 1.0 / allowed[query]);
    });
    const double nothing = rounding * static_cast<double>(pattern.size());
    fit.explained = deviation > nothing ? 1.0 - left / deviation : (left > nothing ? 0.0 : 1.0);
    return fit;
}

}  // namespace glassformer
