#include "core/tasks/sequence_task.h"

#include <algorithm>

#include "core/base/mark_text.h"
#include "core/tasks/samples.h"
#include "core/tasks/sequence_metric.h"
#include "core/text/word_tokenizer.h"

namespace glassformer {

namespace {

/// Where a sample's first answer is given away: the symbol there should look at `looks_at`. Where the sequence comes
/// again at once, its first symbol's second copy looks behind the first copy.
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

}  // namespace

TaskDefinition sequence_task(std::shared_ptr<const SequenceBatches> batches) {
    TaskDefinition task;
    const auto tokenizer = std::make_shared<const WordTokenizer>(batches->world().vocabulary());
    task.config.family = Family::decoder;
    task.config.d_vocab = tokenizer->size();
    task.config.n_ctx = batches->world().longest_sentence();
    task.tokenizer = tokenizer;
    task.samples = samples_of(*batches, *tokenizer);
    task.batches = std::move(batches);
    return task;
}

TaskDefinition answering_task(std::string name, std::string title, std::shared_ptr<const SequenceWorld> world,
                              const TrainOptions& options) {
    const auto batches = std::make_shared<const SequenceBatches>(std::move(world), NextTokens::answer);
    TaskDefinition task = sequence_task(batches);
    task.name = std::move(name);
    task.title = std::move(title);
    task.options = options;
    task.token_noun = N_("letter");
    task.metric_name = std::string("held-out ").append(N_("output tokens right"));
    task.metric = [batches](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<RightTokens>(backend, config, batches->shape(held_out_sequences),
                                             batches->held_out(held_out_sequences));
    };
    return task;
}

}  // namespace glassformer
