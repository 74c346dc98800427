#include "core/analysis/word_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/nn/transformer.h"
#include "core/ops/ops.h"
#include "core/trace/tracer.h"

namespace glassformer {

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
// Sentences run together in one batch: all of a small model, of a large one as many as have so many tokens.
constexpr std::int64_t small_parameters = 5'000'000;
constexpr int most_together = 64, tokens_together = 64;

double norm_of(const std::vector<float>& v) {
    double sum = 0.0;
    for (const float x : v) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(sum);
}

}  // namespace

/// Where an answer is read: f = direction · row + constant, of the node's row at the position, or of its only one.
struct WordPartsRun::Read {
    int node = -1;
    std::vector<float> direction;
    double constant = 0.0;
    bool unit = false;         // of the row divided by its root mean square
    bool of_sentence = false;  // the node has one row

    Read(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer) {
        if (answer.layer >= 0)
            read_sense(model, answer);
        else
            read_logit(model, parameters, answer);
    }

private:
    void read_sense(const TransformerGraph& model, const Answer& answer) {
        const std::size_t d = model.config.d_model;
        if (answer.layer > model.config.n_layers || answer.sense.size() != d || answer.other.size() != d)
            throw Error("the senses are not of this model");
        node = model.graph->at(stream_name(answer.layer));
        unit = true;
        // cos(x, c) = (x / rms(x)) · c / (|c| √d)
        const double root = std::sqrt(static_cast<double>(d));
        const double here = norm_of(answer.sense) * root + 1e-30, there = norm_of(answer.other) * root + 1e-30;
        for (std::size_t j = 0; j < d; ++j)
            direction.push_back(static_cast<float>(static_cast<double>(answer.sense[j]) / here -
                                                   static_cast<double>(answer.other[j]) / there));
    }

    /// The logits are x·W + b: their sum in these weights is x·(W·weights) + b·weights, so that no other is computed.
    void read_logit(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer) {
        const Graph& graph = *model.graph;
        const std::size_t words = static_cast<std::size_t>(graph[model.logits].shape.back());
        std::vector<double> weights(words, answer.less_mean ? -1.0 / static_cast<double>(words) : 0.0);
        const auto weigh = [&](int word, double by) {
            if (word < 0 || word >= static_cast<int>(words))
                throw Error("there is no word {1}; ids go from 0 to {2}", word, words - 1);
            weights[static_cast<std::size_t>(word)] += by;
        };
        weigh(answer.word, 1.0);
        if (answer.minus >= 0) weigh(answer.minus, -1.0);
        of_sentence = model.config.output == OutputKind::classes;
        int from = model.logits;
        const auto add_bias = [&](int bias) {
            const std::span<const float> b = parameters.values(graph[bias].offset, graph[bias].shape.elements());
            for (std::size_t w = 0; w < words; ++w) constant += weights[w] * static_cast<double>(b[w]);
        };
        if (graph.role(from) == OpRole::add) {
            add_bias(graph[from].inputs[1]);
            from = graph[from].inputs[0];
        }
        const NodeInfo& product = graph[from];
        if (product.inputs.size() > 2) add_bias(product.inputs[2]);
        const NodeInfo& matrix = graph[product.inputs[1]];
        node = product.inputs[0];
        const std::span<const float> values = parameters.values(matrix.offset, matrix.shape.elements());
        const bool by_word = graph.role(from) == OpRole::unembedding;
        const std::size_t d = static_cast<std::size_t>(graph[node].shape.back());
        std::vector<double> sums(d);
        for (std::size_t w = 0; w < words; ++w)
            for (std::size_t j = 0; weights[w] != 0.0 && j < d; ++j)
                sums[j] += weights[w] * static_cast<double>(values[by_word ? w * d + j : j * words + w]);
        direction.assign(sums.begin(), sums.end());
    }
};

/// The model up to the answer, for sentences of one length.
class WordPartsRun::Planned {
public:
    const int batch, positions;

    Planned(Backend& backend, const TransformerConfig& config, const Read& read, int batch, int positions,
            bool gradient, bool of_all_nodes = false)
        : batch(batch), positions(positions), model_(build_transformer(config, {batch, positions})), read_(read) {
        const std::shared_ptr<Graph> graph = model_.graph->copy();
        Node row{graph.get(), read.node};
        if (!read.of_sentence) {
            if (read.unit) {
                const Node scale = graph->apply(ops::rms_norm_scale(1e-12f), {row});
                row = graph->apply(ops::rms_norm_normalize(), {row, scale});
            }
            const Node place = graph->input("answer_position", {batch, positions});
            place_ = place.id;
            row = graph->apply(ops::mean_pool(), {row, place});
        }
        const Node direction = graph->input("answer_direction", {static_cast<std::int64_t>(read.direction.size()), 1});
        answer_ = graph->apply(ops::linear(), {row, direction}).named("answer").id;
        embed_ = graph->at("hook_embed");
        PlanRequest request{.keep = {answer_}};
        if (gradient) request.keep.push_back(embed_), request.loss = answer_, request.gradients = {embed_};
        for (int id = 0; of_all_nodes && id < answer_; ++id)
            if ((*graph)[id].kind == NodeInfo::Kind::op && id != embed_) request.gradients.push_back(id);
        run_ = backend.prepare(graph, request);
        run_->set_input(direction.id, read.direction);
        for (const int id : {model_.loss_weights, model_.targets, model_.target_values, model_.state})
            if (id >= 0) std::ranges::fill(run_->input_values(id), 0.0f);
        std::ranges::fill(run_->input_values(model_.key_mask), 1.0f);
    }

    void feed(int row, const TraceInput& input, int answer_position) {
        const std::size_t first = static_cast<std::size_t>(row * positions),
                          count = static_cast<std::size_t>(positions);
        const auto set = [&](int id, const auto& values) {
            if (id < 0) return;
            std::ranges::transform(values, run_->input_values(id).subspan(first, count).begin(),
                                   [](auto v) { return static_cast<float>(v); });
        };
        set(model_.tokens, input.tokens);
        set(model_.token_types, input.token_types);
        if (place_ < 0) return;
        const std::span<float> place = run_->input_values(place_).subspan(first, count);
        std::ranges::fill(place, 0.0f);
        place[static_cast<std::size_t>(answer_position)] = 1.0f;
    }

    /// f of each sentence of the batch.
    std::vector<double> answers(const ParameterValues& parameters) {
        run_->forward(parameters);
        std::vector<double> answers;
        for (const float value : run_->view(answer_)) answers.push_back(static_cast<double>(value) + read_.constant);
        return answers;
    }
    double answer(const ParameterValues& parameters) { return answers(parameters).front(); }

    // Of one sentence, planned with its gradient.
    std::vector<float> embedding() const {
        const std::span<const float> e = run_->view(embed_);
        return {e.begin(), e.end()};
    }
    void set_embedding(std::vector<float> e) {
        const auto count = static_cast<std::int64_t>(e.size());
        std::vector<Intervention> set;
        set.push_back({embed_, {{0, count}}, std::move(e)});
        run_->intervene(std::move(set));
    }
    /// After answer(): Σ_j e_j · ∂f/∂e_j of each word, for these embeddings.
    std::vector<double> gradient_times(std::span<const float> e) {
        run_->backward({});
        const std::span<const float> gradient = run_->gradient(embed_);
        std::vector<double> sums(static_cast<std::size_t>(positions));
        const std::size_t d = e.size() / sums.size();
        for (std::size_t i = 0; i < gradient.size(); ++i)
            sums[i / d] += static_cast<double>(e[i]) * static_cast<double>(gradient[i]);
        return sums;
    }

    /// After gradient_times(): of a node; empty where there is none.
    std::span<const float> gradient(int node) const { return run_->gradient(node); }
    const Graph& graph() const { return *model_.graph; }

private:
    TransformerGraph model_;
    const Read& read_;
    std::unique_ptr<Execution> run_;
    int place_ = -1, answer_ = -1, embed_ = -1;
};

/// The straight path from the baseline to the sentence, in pieces: of each the integral by three points (Gauss and
/// Legendre), and how far that is from the answer's change between its ends, which is known. The piece that is furthest
/// off is cut in two, until all of them together are near enough.
class WordPartsRun::Path {
public:
    Path(std::unique_ptr<Planned> run, Parameters parameters, double answer)
        : run_(std::move(run)), parameters_(std::move(parameters)), embedding_(run_->embedding()) {
        move_to(0.0);
        baseline_ = run_->answer(*parameters_);
        todo_.push_back({0.0, 1.0, baseline_, answer, {}});
    }

    double baseline() const { return baseline_; }
    int steps() const { return steps_; }
    bool underway() const { return !todo_.empty(); }

    /// One gradient.
    void step() {
        Piece& piece = todo_.back();
        constexpr std::array<double, 3> at{-0.7745966692414834, 0.0, 0.7745966692414834};
        constexpr std::array<double, 3> weight{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
        const std::size_t point = static_cast<std::size_t>(piece.points++);
        move_to((piece.a + piece.b + at[point] * (piece.b - piece.a)) / 2.0);
        run_->answer(*parameters_);
        const std::vector<double> here = run_->gradient_times(embedding_);
        ++steps_;
        piece.parts.resize(here.size());
        for (std::size_t i = 0; i < here.size(); ++i) piece.parts[i] += weight[point] * (piece.b - piece.a) * here[i];
        if (piece.points < 3) return;
        done_.push_back(std::move(piece));
        todo_.pop_back();
    }

    /// Of the pieces that are done; all of the path where none is under way.
    std::vector<double> parts() const {
        std::vector<double> sum(static_cast<std::size_t>(run_->positions));
        for (const Piece& piece : done_)
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += piece.parts[i];
        return sum;
    }

    /// How far the pieces are off together, each in size.
    double off() const {
        return std::accumulate(done_.begin(), done_.end(), 0.0,
                               [](double sum, const Piece& p) { return sum + p.off(); });
    }

    /// Cuts the piece that is furthest off.
    void refine() {
        const auto worst = std::ranges::max_element(done_, {}, &Piece::off);
        const Piece piece = std::move(*worst);
        done_.erase(worst);
        const double middle = (piece.a + piece.b) / 2.0;
        move_to(middle);
        const double answer = run_->answer(*parameters_);
        todo_.push_back({middle, piece.b, answer, piece.answer_b, {}});
        todo_.push_back({piece.a, middle, piece.answer_a, answer, {}});
    }

private:
    struct Piece {
        double a, b, answer_a, answer_b;
        std::vector<double> parts;  // by word
        int points = 0;

        double off() const { return std::abs(answer_b - answer_a - std::accumulate(parts.begin(), parts.end(), 0.0)); }
    };

    void move_to(double share) {
        std::vector<float> e(embedding_);
        for (float& x : e) x = static_cast<float>(static_cast<double>(x) * share);
        run_->set_embedding(std::move(e));
    }

    std::unique_ptr<Planned> run_;
    Parameters parameters_;
    std::vector<float> embedding_;
    double baseline_ = 0.0;
    std::vector<Piece> todo_, done_;
    int steps_ = 0;
};

std::string WordPartsRun::refusal(const TransformerConfig& config) {
    if (config.input != InputKind::words) return N_("this model reads numbers");
    if (config.family == Family::encoder_decoder) return N_("this model reads two sentences to translate one");
    if (config.output != OutputKind::words && config.output != OutputKind::classes)
        return N_("this model predicts neither words nor classes");
    return {};
}

WordPartsRun::WordPartsRun(Backend& backend, const TransformerConfig& config, Parameters parameters, TraceInput input,
                           Answer answer, const WordPartsOptions& options)
    : backend_(backend),
      config_(config),
      parameters_(std::move(parameters)),
      input_(std::move(input)),
      answer_(std::move(answer)),
      options_(options) {
    if (const std::string why = refusal(config); !why.empty())
        throw Error("words have no parts in its answers: {1}", why);
    require_tokens(input_.tokens, config);
    const int count = static_cast<int>(input_.tokens.size());
    if (count > longest)
        throw Error("the sentence has {1} tokens; their parts are told of at most {2}", count, longest);
    if (answer_.position < 0 || answer_.position >= count)
        throw Error("there is no position {1} in this sentence", answer_.position);
    if (config.d_token_types > 0 && input_.token_types.empty())
        input_.token_types = token_types_of(input_.tokens, config);
    read_ = std::make_unique<Read>(build_transformer(config, {1, 1}), *parameters_, answer_);
    const std::vector<double> none(static_cast<std::size_t>(count), nowhere);
    found_.answer = nowhere;
    found_.removed = found_.gradient = found_.integrated = none;
    if (options.mask) found_.hidden = none;
    // Those that are hidden come last: they stand first.
    for (int word = count - 1; options_.mask && word >= 0; --word) {
        if (input_.tokens[static_cast<std::size_t>(word)] == *options_.mask) continue;
        altered_.push_back({word, answer_.position, input_, false});
        altered_.back().input.tokens[static_cast<std::size_t>(word)] = *options_.mask;
    }
    for (int word = count - 1; count > 1 && word >= 0; --word) {
        const bool here = word == answer_.position && !read_->of_sentence;
        if (here) continue;
        altered_.push_back({word, answer_.position - (word < answer_.position ? 1 : 0), input_, true});
        TraceInput& rest = altered_.back().input;
        rest.tokens.erase(rest.tokens.begin() + word);
        if (!rest.token_types.empty()) rest.token_types.erase(rest.token_types.begin() + word);
    }
}

WordPartsRun::~WordPartsRun() = default;

WordPartsRun::Planned& WordPartsRun::planned(int batch, int positions) {
    if (!altered_run_ || altered_run_->batch != batch || altered_run_->positions != positions)
        altered_run_ = std::make_unique<Planned>(backend_, config_, *read_, batch, positions, false);
    return *altered_run_;
}

void WordPartsRun::begin() {
    const int count = static_cast<int>(input_.tokens.size());
    auto run = std::make_unique<Planned>(backend_, config_, *read_, 1, count, true);
    run->feed(0, input_, answer_.position);
    found_.answer = run->answer(*parameters_);
    found_.gradient = run->gradient_times(run->embedding());
    if (options_.gradients) find_gradients();
    path_ = std::make_unique<Path>(std::move(run), parameters_, found_.answer);
    found_.baseline = path_->baseline();
}

void WordPartsRun::find_gradients() {
    constexpr std::int64_t most = std::int64_t{1} << 26;  // cells: of a large model with a long sentence it is too much
    const TransformerGraph model = build_transformer(config_, {1, static_cast<int>(input_.tokens.size())});
    std::int64_t cells = 0;
    for (const NodeInfo& info : model.graph->nodes())
        if (info.kind == NodeInfo::Kind::op) cells += info.shape.elements();
    if (cells > most) return;
    Planned run(backend_, config_, *read_, 1, model.positions, true, true);
    run.feed(0, input_, answer_.position);
    run.answer(*parameters_);
    run.gradient_times(run.embedding());
    auto found = std::make_shared<NodeGradients>();
    for (int id = 0; id < static_cast<int>(run.graph().nodes().size()); ++id) {
        const std::span<const float> gradient = run.gradient(id);
        if (run.graph()[id].kind == NodeInfo::Kind::op && root_of(run.graph(), id) == id && !gradient.empty())
            found->by_root_[id].assign(gradient.begin(), gradient.end());
    }
    gradients_ = std::move(found);
}

std::span<const float> NodeGradients::of(const Graph& graph, int node) const {
    const auto found = by_root_.find(root_of(graph, node));
    return found == by_root_.end() ? std::span<const float>() : found->second;
}

/// A batch of them: of one length, since all removed ones come before the hidden ones.
void WordPartsRun::alter_some() {
    const int positions = static_cast<int>(altered_.back().input.tokens.size());
    const int together = static_cast<std::int64_t>(parameters_->size()) <= small_parameters
                             ? most_together
                             : std::max(1, tokens_together / positions);
    std::vector<Altered> some;
    while (!altered_.empty() && static_cast<int>(some.size()) < together &&
           static_cast<int>(altered_.back().input.tokens.size()) == positions) {
        some.push_back(std::move(altered_.back()));
        altered_.pop_back();
    }
    Planned& run = planned(static_cast<int>(some.size()), positions);
    for (std::size_t i = 0; i < some.size(); ++i) run.feed(static_cast<int>(i), some[i].input, some[i].answer_position);
    const std::vector<double> answers = run.answers(*parameters_);
    for (std::size_t i = 0; i < some.size(); ++i)
        (some[i].removed ? found_.removed : found_.hidden)[static_cast<std::size_t>(some[i].word)] =
            found_.answer - answers[i];
    done_ += static_cast<int>(some.size()) - 1;
}

bool WordPartsRun::complete() const { return path_ && altered_.empty() && !path_->underway(); }

int WordPartsRun::total() const { return done_ + static_cast<int>(altered_.size()) + (complete() ? 0 : path_ ? 3 : 4); }

void WordPartsRun::step() {
    if (complete()) return;
    ++done_;
    if (!path_) return begin();
    if (!altered_.empty()) return alter_some();
    altered_run_.reset();
    path_->step();
    found_.steps = path_->steps();
    if (path_->underway()) return;
    found_.integrated = path_->parts();
    found_.sum = std::accumulate(found_.integrated.begin(), found_.integrated.end(), 0.0);
    const double enough = options_.tolerance * std::max(std::abs(found_.answer - found_.baseline), 1e-2);
    if (path_->off() > enough && path_->steps() < options_.most_steps) path_->refine();
}

}  // namespace glassformer
