#include "core/generate/generator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

constexpr std::int64_t first_room = 64;  // words; doubled when full

void require_tokens(std::span<const int> tokens, std::size_t read, const TransformerConfig& config) {
    if (tokens.empty()) throw Error("the text is empty");
    for (const int token : tokens)
        if (token < 0 || token >= config.d_vocab)
            throw Error("token {1} is not one of the model's {2}", token, config.d_vocab);
    if (read + tokens.size() > static_cast<std::size_t>(config.n_ctx))
        throw Error("the text has {1} tokens; this model reads at most {2}, so shorten it", read + tokens.size(),
                    config.n_ctx);
}

}  // namespace

Generator::Generator(Backend& backend, const TransformerConfig& config, Parameters parameters)
    : backend_(backend), config_(config), parameters_(std::move(parameters)) {
    const bool left_to_right = config.family == Family::decoder || config.recurrent();
    if (!left_to_right || config.input != InputKind::words || config.output != OutputKind::words)
        throw Error("this model cannot continue a text: only a decoder or a recurrent network of words can");
    logits_.resize(config.d_vocab);
}

void Generator::restart() {
    tokens_.clear();
    kept_ = 0;
}

std::span<const float> Generator::read(std::span<const int> tokens) {
    require_tokens(tokens, tokens_.size(), config_);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    if (!supports_kv_cache(config_)) {
        read_all();
        return logits_;
    }
    std::span<const int> left = tokens;
    if (kept_ == 0 && tokens.size() > 1) {
        keep(tokens.first(tokens.size() - 1));
        left = tokens.last(1);
    }
    for (const int token : left) read_next(token);
    return logits_;
}

/// Runs all words at once, keeping only these nodes.
std::unique_ptr<Execution> Generator::run_whole(const TransformerGraph& whole, std::span<const int> tokens,
                                                std::vector<int> keep) {
    std::unique_ptr<Execution> run = backend_.prepare(whole.graph, {std::move(keep), -1});
    run->set_input(whole.tokens, std::vector<float>(tokens.begin(), tokens.end()));
    run->set_input(whole.key_mask, std::vector<float>(tokens.size(), 1.0f));
    if (whole.state >= 0) run->set_input(whole.state, std::vector<float>{0.0f, 0.0f, 0.0f});
    run->forward(*parameters_);
    return run;
}

// For a model without a KV cache: reads the whole text again.
void Generator::read_all() {
    const TransformerGraph whole = build_transformer(config_, {1, static_cast<int>(tokens_.size()), 0});
    std::vector<float> all(tokens_.size() * logits_.size());
    run_whole(whole, tokens_, {whole.logits})->read(whole.logits, all);
    std::copy(all.end() - config_.d_vocab, all.end(), logits_.begin());
}

// Computes the keys and values of all words but the last in one pass. Their logits are not needed, and computing a
// vocabulary-sized row for each would take as long as all blocks.
void Generator::keep(std::span<const int> tokens) {
    const TransformerGraph whole = build_transformer(config_, {1, static_cast<int>(tokens.size()), 0});
    std::vector<int> nodes;
    for (int layer = 0; layer < config_.n_layers; ++layer)
        for (const std::string& name : {std::string("attn.") + cache_key_hook(config_), std::string("attn.hook_v")})
            nodes.push_back(whole.graph->at(block_hook(layer, name)));
    const std::unique_ptr<Execution> run = run_whole(whole, tokens, nodes);
    kept_ = std::ssize(tokens);
    make_room();
    for (std::size_t layer = 0; layer < next_.layers.size(); ++layer)
        keep_rows(*run, nodes[2 * layer], nodes[2 * layer + 1], layer, 0, kept_);
}

// Builds a graph for more words than are cached, and copies the cache into it.
void Generator::make_room() {
    const std::int64_t had = next_.capacity;
    if (run_ && kept_ < had) return;
    std::int64_t room = std::max(first_room, had);
    while (room <= kept_) room *= 2;
    const NextWordGraph wider = build_next_word(config_, std::min<std::int64_t>(room, config_.n_ctx));
    PlanRequest request{{wider.logits}, -1};
    for (const NextWordGraph::Layer& layer : wider.layers) {
        request.keep.push_back(layer.new_key);
        request.keep.push_back(layer.new_value);
    }
    std::unique_ptr<Execution> run = backend_.prepare(wider.graph, request);
    for (std::size_t layer = 0; layer < wider.layers.size(); ++layer)
        for (const auto& [to, from] : {std::pair(wider.layers[layer].keys, run_ ? next_.layers[layer].keys : -1),
                                       std::pair(wider.layers[layer].values, run_ ? next_.layers[layer].values : -1)}) {
            const std::span<float> fresh = run->input_values(to);
            std::ranges::fill(fresh, 0.0f);
            if (from >= 0) std::ranges::copy(run_->input_values(from), fresh.begin());
        }
    next_ = wider;
    run_ = std::move(run);
}

void Generator::keep_rows(const Execution& from, int keys, int values, std::size_t layer, std::int64_t first,
                          std::int64_t count) {
    for (const auto& [node, to] :
         {std::pair(keys, next_.layers[layer].keys), std::pair(values, next_.layers[layer].values)}) {
        const auto width = next_.graph->nodes()[to].shape.elements() / next_.capacity;
        rows_.resize(count * width);
        from.read(node, rows_);
        std::ranges::copy(rows_, run_->input_values(to).subspan(first * width).begin());
    }
}

void Generator::read_next(int token) {
    make_room();
    const float id = static_cast<float>(token), position = static_cast<float>(kept_);
    run_->set_input(next_.token, {&id, 1});
    run_->set_input(next_.position, {&position, 1});
    const std::span<float> valid_mask = run_->input_values(next_.valid_mask);
    for (std::size_t p = 0; p < valid_mask.size(); ++p)
        valid_mask[p] = static_cast<std::int64_t>(p) <= kept_ ? 1.0f : 0.0f;
    if (next_.window_mask >= 0) {
        const std::span<float> window_mask = run_->input_values(next_.window_mask);
        for (std::size_t p = 0; p < window_mask.size(); ++p) {
            const std::int64_t back = kept_ - static_cast<std::int64_t>(p);
            window_mask[p] = back >= 0 && back < config_.attention.window ? 1.0f : 0.0f;
        }
    }
    run_->forward(*parameters_);
    run_->read(next_.logits, logits_);
    for (std::size_t layer = 0; layer < next_.layers.size(); ++layer)
        keep_rows(*run_, next_.layers[layer].new_key, next_.layers[layer].new_value, layer, kept_, 1);
    ++kept_;
}

Remaining remaining(std::span<const float> logits, float temperature, int top_k, const Cut& cut) {
    const auto highest = static_cast<double>(*std::ranges::max_element(logits));
    std::vector<double> shares;  // relative to the most probable word
    for (const float logit : logits)
        shares.push_back(std::exp((static_cast<double>(logit) - highest) / static_cast<double>(temperature)));
    std::ranges::sort(shares, std::ranges::greater{});
    const auto sum_of = [&](std::size_t count) {
        return std::accumulate(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
    };
    const double all = sum_of(shares.size());
    std::size_t words = top_k > 0 ? std::min(shares.size(), static_cast<std::size_t>(top_k)) : shares.size();
    if (cut.top_p < 1.0f) {
        const double enough = static_cast<double>(cut.top_p) * sum_of(words);
        double sum = 0.0;
        std::size_t needed = 0;
        while (needed < words && (needed == 0 || sum < enough)) sum += shares[needed++];
        words = needed;
    }
    while (words > 1 && shares[words - 1] < static_cast<double>(cut.min_p)) --words;
    return {words, sum_of(words) / all};
}

int sample(std::span<const float> logits, float temperature, int top_k, Rng& rng, const Cut& cut) {
    if (!(temperature >= 0.0f)) throw Error("the temperature must be a number of at least 0");
    // Neither order nor share is defined then.
    if (std::ranges::any_of(logits, [](float x) { return std::isnan(x) || x == INFINITY; }))
        throw Error("nothing can be sampled: some of the model's logits are infinite or NaN");
    if (temperature == 0.0f) return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
    if (!cut.none()) top_k = static_cast<int>(remaining(logits, temperature, top_k, cut).words);
    // Contiguous: looking up each logit separately would spend most of the time waiting for memory.
    struct Word {
        double share;  // relative to the most probable word
        float logit;
        int id;
    };
    const float top = *std::ranges::max_element(logits);
    const double highest = static_cast<double>(top) / static_cast<double>(temperature);
    std::vector<Word> words;
    words.reserve(logits.size());
    for (const float logit : logits)
        words.push_back({std::exp(static_cast<double>(logit) / static_cast<double>(temperature) - highest), logit,
                         static_cast<int>(words.size())});
    // Ties go to the smaller id.
    const auto likelier = [](const Word& a, const Word& b) {
        return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
    };
    if (top_k > 0 && static_cast<std::size_t>(top_k) < words.size()) {
        std::ranges::nth_element(words, words.begin() + top_k, likelier);
        words.resize(static_cast<std::size_t>(top_k));
    }
    const auto sum_of = [](std::span<const Word> some) {
        double sum = 0.0;
        for (const Word& word : some) sum += word.share;
        return sum;
    };
    // Finds the word where the cumulative sum, most probable first, passes the number drawn. The more probable half of
    // the words either contains it or is skipped, so only a few words are ever sorted.
    double left = rng.uniform() * sum_of(words);
    std::span<Word> among = words;
    constexpr std::size_t few = 32;
    while (among.size() > few) {
        const std::size_t half = among.size() / 2;
        std::ranges::nth_element(among, among.begin() + static_cast<std::ptrdiff_t>(half), likelier);
        const double likely = sum_of(among.first(half));
        if (likely > left) {
            among = among.first(half);
        } else {
            left -= likely;
            among = among.subspan(half);
        }
    }
    std::ranges::sort(among, likelier);
    for (const Word& word : among) {
        if (word.share > left) return word.id;
        left -= word.share;
    }
    return among.back().id;
}

}  // namespace glassformer
