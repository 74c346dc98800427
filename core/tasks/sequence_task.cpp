#include "core/tasks/sequence_task.h"

#include "core/tasks/sequence_metric.h"
#include "core/text/word_tokenizer.h"

namespace glassformer {

TaskParts sequence_task_parts(std::shared_ptr<const SequenceBatches> batches) {
    TaskParts parts;
    const auto tokenizer = std::make_shared<const WordTokenizer>(batches->world().vocabulary());
    parts.config.family = Family::decoder;
    parts.config.d_vocab = tokenizer->size();
    parts.config.n_ctx = batches->world().longest_sentence();
    parts.tokenizer = tokenizer;
    parts.batches = std::move(batches);
    return parts;
}

std::unique_ptr<Task> answering_task(std::string name, std::string title, std::shared_ptr<const SequenceWorld> world,
                                     const TrainOptions& options) {
    const auto batches = std::make_shared<const SequenceBatches>(std::move(world), NextTokens::answer);
    TaskParts parts = sequence_task_parts(batches);
    parts.name = std::move(name);
    parts.title = std::move(title);
    parts.options = options;
    parts.metric_name = "held-out output tokens right";
    parts.metric = [batches](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<RightTokens>(backend, config, batches->shape(held_out_sequences),
                                             batches->held_out(held_out_sequences));
    };
    return assemble_task(std::move(parts));
}

}  // namespace glassformer
