#include "core/tasks/sequence_task.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/rng.h"
#include "core/tasks/world_data.h"
#include "core/tasks/world_kind.h"
#include "core/text/word_tokenizer.h"
#include "core/train/fixed_batch.h"

namespace glassformer {

namespace {

/// Marks where a sample's first answer is predicted: the symbol there should attend to `looks_at`. If the sequence is
/// repeated at once, the second copy of its first symbol attends to the token after the first copy.
void point_out_answer(SequenceRule rule, std::span<const int> ids, Sample& sample) {
    const std::size_t sequence = ids.size() / 2;
    sample.token = static_cast<int>(sequence);  // the colon, or the first symbol's second copy
    if (rule == SequenceRule::repeated) sample.looks_at = 1;
    if (rule == SequenceRule::copied) sample.looks_at = 0;
    if (rule == SequenceRule::sorted)
        sample.looks_at = static_cast<int>(std::ranges::min_element(ids.first(sequence)) - ids.begin());
}

std::vector<Sample> samples_of(const SequenceBatches& batches, const Tokenizer& tokenizer) {
    std::vector<Sample> samples;
    for (const std::vector<int>& ids : drawn_sentences(batches)) {
        samples.push_back({tokenizer.decode(ids)});
        point_out_answer(batches.world().rule(), ids, samples.back());
    }
    return samples;
}

/// Measures on held-out sentences the share of tokens predicted right, and of sentences entirely right.
class RightTokens final : public Metric {
public:
    RightTokens(Backend& backend, const TransformerConfig& config, const SequenceBatches& batches)
        : held_out_(backend, config, batches.shape(held_out_sequences), batches.held_out(held_out_sequences)) {}

    Measurement measure(std::span<const float> parameters) override {
        held_out_.run(parameters);
        const TransformerGraph& model = held_out_.model();
        const RightShare share =
            right_share(held_out_.values("logits"), model.config.d_vocab, model.positions, held_out_.batch());
        return held_out_.nan_if_diverged({share.tokens, {{N_("sequences right as a whole"), share.sentences}}});
    }

private:
    FixedBatch held_out_;
};

/// The decoder for copying and sorting, trained only on the answers.
Task answering_task(std::string name, std::string title, std::shared_ptr<const SequenceWorld> world,
                    std::int64_t steps) {
    const auto batches = std::make_shared<const SequenceBatches>(std::move(world), NextTokens::answer);
    Task task = sequence_task(batches);
    task.name = std::move(name);
    task.title = std::move(title);
    task.options.schedule.total = steps;
    task.token_noun = N_("letter");
    task.metric_name = filled_with(N_("held-out {1}"), N_("output tokens right"));
    task.make_metric = [batches](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<RightTokens>(backend, config, *batches);
    };
    return task;
}

Task make_copying(const WorldFile&) {
    return answering_task("copying", N_("Copying: letters, then the same letters again"),
                          std::make_shared<const SequenceWorld>(SequenceRule::copied, 3, 10), 1200);
}

Task make_sorting(const WorldFile&) {
    return answering_task("sorting", N_("Sorting: letters, then the same letters in order"),
                          std::make_shared<const SequenceWorld>(SequenceRule::sorted, 3, 10), 2000);
}

}  // namespace

void SequenceBatches::put(const SequenceSentence& sentence, int row, int first_predicted, Batch& out) const {
    const int positions = world_->longest_sentence(), before = std::max(first_predicted - 1, 0);
    const std::span<const int> ids = sentence.ids();
    put_row(ids, row, positions, out.tokens, out.key_mask);
    put_row(ids.subspan(1), row, positions, out.targets, out.loss_weights);
    std::fill_n(out.loss_weights.begin() + std::ptrdiff_t{row} * positions, before, 0.0f);
}

void SequenceBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    clear_rows(shape(batch), out);
    for (int row = 0; row < batch; ++row) {
        const SequenceSentence sentence = world_->generate(Split::train, rng);
        put(sentence, row, predicted_ == NextTokens::all ? 0 : sentence.answer, out);
    }
}

Batch SequenceBatches::held_out(int sentences) const {
    Rng rng(held_out_seed, held_out_stream);
    Batch batch;
    clear_rows(shape(sentences), batch);
    for (int row = 0; row < sentences; ++row) {
        const SequenceSentence sentence = world_->generate(Split::held_out, rng);
        const int unforeseen = world_->rule() == SequenceRule::repeated ? 1 : 0;
        put(sentence, row, sentence.answer + unforeseen, batch);
    }
    return batch;
}

RightShare right_share(std::span<const float> logits, int d_vocab, int positions, const Batch& batch) {
    const auto width = static_cast<std::size_t>(d_vocab), length = static_cast<std::size_t>(positions);
    if (logits.size() != batch.targets.size() * width || batch.loss_weights.size() != batch.targets.size())
        throw Error("the logits are not of this batch");
    std::size_t tokens = 0, right_tokens = 0, sentences = 0, right_sentences = 0;
    for (std::size_t begin = 0; begin < batch.targets.size(); begin += length) {
        std::size_t counted = 0, right = 0;
        for (std::size_t cell = begin; cell < begin + length; ++cell) {
            if (batch.loss_weights[cell] == 0.0f) continue;
            ++counted;
            right += argmax(logits.subspan(cell * width, width)) == static_cast<int>(batch.targets[cell]);
        }
        tokens += counted;
        right_tokens += right;
        sentences += counted > 0;
        right_sentences += counted > 0 && right == counted;
    }
    if (tokens == 0) throw Error("the batch has no token to be predicted");
    return {static_cast<double>(right_tokens) / static_cast<double>(tokens),
            static_cast<double>(right_sentences) / static_cast<double>(sentences)};
}

Task sequence_task(std::shared_ptr<const SequenceBatches> batches) {
    Task task;
    const auto tokenizer = std::make_shared<const WordTokenizer>(batches->world().vocabulary());
    task.config.family = Family::decoder;
    task.config.d_vocab = tokenizer->size();
    task.config.n_ctx = batches->world().longest_sentence();
    task.tokenizer = tokenizer;
    task.samples = samples_of(*batches, *tokenizer);
    task.batches = std::move(batches);
    return task;
}

extern constinit const WorldKind copying_world{
    .name = "copying",
    .summary = N_("Copy a sequence of letters."),
    .reads = "letters and a colon",
    .learns = "copy them",
    .make = make_copying,
};

extern constinit const WorldKind sorting_world{
    .name = "sorting",
    .summary = N_("Sort letters into alphabetical order."),
    .reads = "letters and a colon",
    .learns = "sort them",
    .make = make_sorting,
};

}  // namespace glassformer
