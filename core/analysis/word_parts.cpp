#include "core/analysis/word_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/analysis/answer_run.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/nn/transformer.h"
#include "core/trace/tracer.h"

namespace glassformer {

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
// Sentences per batch: up to most_together for a small model; for a large one as many as tokens_together tokens allow.
constexpr std::int64_t small_parameters = 5'000'000;
constexpr int most_together = 64, tokens_together = 64;

BatchShape shape_of(const TraceInput& input, int batch = 1) {
    return {batch, static_cast<int>(input.tokens.size()), static_cast<int>(input.source_tokens.size())};
}

}  // namespace

/// A sentence with one word removed or hidden.
struct WordPartsRun::Altered {
    int word;  // whose part it measures, as an index into WordParts
    AskedInput asked;
    bool removed;
};

/// The straight path from the baseline to the sentence, in pieces. Each piece holds its integral by three-point
/// Gauss–Legendre quadrature. The error of a piece is known, because its integral should equal the change of the answer
/// between its ends. The piece with the largest error is split in two until the errors together are small enough.
class WordPartsRun::Path {
public:
    Path(std::unique_ptr<AnswerRun> run, Parameters parameters, double answer)
        : run_(std::move(run)), parameters_(std::move(parameters)), embedding_(run_->embedding()) {
        move_to(0.0);
        baseline_ = run_->answer(*parameters_);
        todo_.push_back({0.0, 1.0, baseline_, answer, {}});
    }

    double baseline() const { return baseline_; }
    int steps() const { return steps_; }
    bool underway() const { return !todo_.empty(); }

    /// Computes one gradient.
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

    /// The parts over the finished pieces; over the whole path if no piece is in progress.
    std::vector<double> parts() const {
        std::vector<double> sum(static_cast<std::size_t>(run_->shape().positions + run_->shape().source_positions));
        for (const Piece& piece : done_)
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += piece.parts[i];
        return sum;
    }

    /// The sum of the absolute errors of the pieces.
    double off() const {
        return std::accumulate(done_.begin(), done_.end(), 0.0,
                               [](double sum, const Piece& p) { return sum + p.off(); });
    }

    /// Splits the piece with the largest error.
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
        run_->set_embedding(e);
    }

    std::unique_ptr<AnswerRun> run_;
    Parameters parameters_;
    std::vector<float> embedding_;
    double baseline_ = 0.0;
    std::vector<Piece> todo_, done_;
    int steps_ = 0;
};

std::string WordPartsRun::refusal(const TransformerConfig& config) {
    if (config.input != InputKind::words) return N_("this model reads numbers");
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
        throw Error("the contributions of its words cannot be computed: {1}", why);
    if (config.family == Family::encoder_decoder)
        Tracer(backend, config).model(input_);  // throws if the model cannot read them
    else
        require_tokens(input_.tokens, config);
    const int positions = static_cast<int>(input_.tokens.size());
    const std::size_t count = input_.source_tokens.size() + input_.tokens.size();
    if (count > longest)
        throw Error("the sentence has {1} tokens; contributions are computed for at most {2}", count, longest);
    if (answer_.position < 0 || answer_.position >= positions)
        throw Error("there is no position {1} in this sentence", answer_.position);
    if (answer_.loss == AnswerLoss::of_next_words && positions < 2)
        throw Error("a sentence of one token has no loss: the model predicts the tokens after the first");
    if (config.d_token_types > 0 && input_.token_types.empty())
        input_.token_types = token_types_of(input_.tokens, config);
    const int source = config.family == Family::encoder_decoder ? 1 : 0;
    reading_ = std::make_unique<AnswerReading>(build_transformer(config, {1, 1, source}), *parameters_, answer_);
    const std::vector<double> none(count, nowhere);
    found_.answer = nowhere;
    found_.removed = found_.gradient = found_.integrated = none;
    if (options.mask) found_.hidden = none;
    list_altered();
}

WordPartsRun::~WordPartsRun() = default;

/// Groups those of equal length. Items are taken from the back, so the hidden ones, which come last, are listed first.
void WordPartsRun::list_altered() {
    const int source = static_cast<int>(input_.source_tokens.size()), count = static_cast<int>(input_.tokens.size());
    for (int word = count - 1; options_.mask && word >= 0; --word) {
        if (input_.tokens[static_cast<std::size_t>(word)] == *options_.mask) continue;
        altered_.push_back({source + word, {input_, answer_.position, input_.tokens}, false});
        altered_.back().asked.input.tokens[static_cast<std::size_t>(word)] = *options_.mask;
    }
    // For a loss, the remaining sentence needs a word to predict.
    const int least = answer_.loss == AnswerLoss::of_next_words ? 2 : 1;
    for (int word = count - 1; count > least && word >= 0; --word) {
        if (word == answer_.position && !reading_->of_sentence) continue;
        altered_.push_back({source + word, {input_, answer_.position - (word < answer_.position ? 1 : 0)}, true});
        TraceInput& rest = altered_.back().asked.input;
        rest.tokens.erase(rest.tokens.begin() + word);
        if (!rest.token_types.empty()) rest.token_types.erase(rest.token_types.begin() + word);
    }
    for (int word = source - 1; source > 1 && word >= 0; --word) {
        altered_.push_back({word, {input_, answer_.position}, true});
        std::vector<int>& rest = altered_.back().asked.input.source_tokens;
        rest.erase(rest.begin() + word);
    }
}

void WordPartsRun::begin() {
    auto run =
        std::make_unique<AnswerRun>(backend_, config_, *reading_, shape_of(input_), AnswerRun::Gradient::of_words);
    run->feed(0, {input_, answer_.position});
    found_.answer = run->answer(*parameters_);
    found_.gradient = run->gradient_times(run->embedding());
    if (options_.gradients) find_gradients();
    path_ = std::make_unique<Path>(std::move(run), parameters_, found_.answer);
    found_.baseline = path_->baseline();
}

void WordPartsRun::find_gradients() {
    constexpr std::int64_t most = std::int64_t{1}
                                  << 26;  // cells; a large model with a long sentence would have too many
    const TransformerGraph model = build_transformer(config_, shape_of(input_));
    std::int64_t cells = 0;
    for (const NodeInfo& info : model.graph->nodes())
        if (info.kind == NodeInfo::Kind::op) cells += info.shape.elements();
    if (cells > most) return;
    AnswerRun run(backend_, config_, *reading_, shape_of(input_), AnswerRun::Gradient::of_all_nodes);
    run.feed(0, {input_, answer_.position});
    run.overwrite(options_.overwritten);
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

/// Runs a batch of them, all of one shape.
void WordPartsRun::alter_some() {
    const BatchShape first = shape_of(altered_.back().asked.input);
    const int together = static_cast<std::int64_t>(parameters_->size()) <= small_parameters
                             ? most_together
                             : std::max(1, tokens_together / (first.positions + first.source_positions));
    std::vector<Altered> some;
    while (!altered_.empty() && static_cast<int>(some.size()) < together &&
           shape_of(altered_.back().asked.input) == first) {
        some.push_back(std::move(altered_.back()));
        altered_.pop_back();
    }
    const BatchShape shape = shape_of(some.front().asked.input, static_cast<int>(some.size()));
    if (!altered_run_ || altered_run_->shape() != shape)
        altered_run_ = std::make_unique<AnswerRun>(backend_, config_, *reading_, shape, AnswerRun::Gradient::none);
    for (std::size_t i = 0; i < some.size(); ++i) altered_run_->feed(static_cast<int>(i), some[i].asked);
    const std::vector<double> answers = altered_run_->answers(*parameters_);
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
