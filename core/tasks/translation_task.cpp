#include "core/tasks/translation_task.h"

#include "core/tasks/translation_batches.h"
#include "core/tasks/translation_metric.h"

namespace glassformer {

namespace {

constexpr std::size_t training_sentences = 10'000, test_sentences = 200;
constexpr std::uint64_t corpus_seed = 1;  // the language is one; only the model varies with the seed of the training

class TranslationTask final : public Task {
public:
    explicit TranslationTask(const std::filesystem::path& file)
        : world_(TranslationWorld::load(file)),
          english_(std::make_shared<WordTokenizer>(english_tokenizer(world_))),
          french_(std::make_shared<WordTokenizer>(french_tokenizer(world_))) {
        const int source_positions = world_.longest_sentence(), positions = source_positions + 1;  // <bos> or <eos>
        config_.family = Family::encoder_decoder;
        config_.d_vocab = french_->size();
        config_.d_source_vocab = english_->size();
        config_.n_ctx = positions;
        // One block a side is enough, and its cross-attention then has to find the word itself: with two, the encoder
        // spreads the words, and the alignment is harder to see.
        config_.n_layers = 1;
        batches_ = std::make_shared<TranslationBatches>(
            translation_pairs(world_, Split::train, training_sentences, corpus_seed), positions, source_positions);
    }

    std::string_view name() const override { return world_.name(); }
    std::string_view title() const override { return world_.title(); }
    const TransformerConfig& config() const override { return config_; }
    TrainOptions options() const override {
        TrainOptions options;
        options.schedule.peak = 3e-3f;
        options.schedule.total = 500;
        return options;
    }
    std::shared_ptr<const BatchSource> batches() const override { return batches_; }
    std::shared_ptr<const Tokenizer> tokenizer() const override { return french_; }
    std::shared_ptr<const Tokenizer> source_tokenizer() const override { return english_; }
    std::string_view metric_name() const override { return "held-out sentences translated right"; }
    double metric_level() const override { return 0.95; }
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const override {
        std::vector<TranslationPair> pairs = tested();
        const BatchShape shape = batches_->shape(static_cast<int>(pairs.size()));
        return std::make_unique<TranslationMetric>(backend, config, shape, std::move(pairs));
    }
    std::shared_ptr<const BatchSource> held_out() const override {
        const BatchShape shape = batches_->shape(1);
        return std::make_shared<TranslationBatches>(tested(), shape.positions, shape.source_positions);
    }

private:
    std::vector<TranslationPair> tested() const {
        return translation_pairs(world_, Split::held_out, test_sentences, corpus_seed);
    }

    TranslationWorld world_;
    std::shared_ptr<const WordTokenizer> english_, french_;
    TransformerConfig config_;
    std::shared_ptr<const BatchSource> batches_;
};

}  // namespace

std::unique_ptr<Task> make_translation_task(const std::filesystem::path& file) {
    return std::make_unique<TranslationTask>(file);
}

}  // namespace glassformer
