#include <array>
#include <deque>
#include <string>
#include <vector>

#include "app/common/stages.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

using enum StageCell;
using enum StageName;
using G = StageGroup;

constexpr std::string_view per_token = "[pos]", stream = "[pos, d_model]", heads = "[pos, head, d_head]",
                           pairs = "[head, query, key]", neurons = "[pos, d_mlp]", words = "[pos, d_vocab]";

constexpr StageQuestion looking{N_("How does {} choose what to attend to?"), N_("Attention of {}")};
constexpr StageQuestion writing{N_("What does {} get from the others?"), N_("What does {} get?")};
constexpr StageQuestion thinking{N_("How do the neurons react to {}?"), N_("The neurons of {}")};
constexpr StageQuestion saying{N_("What does the model predict at {}?"), N_("The prediction at {}")};
constexpr StageQuestion starting{N_("How does {} become numbers?"), N_("{} in numbers")};
constexpr StageQuestion standing{N_("What is the vector of {} now?"), N_("{} so far")};
constexpr StageQuestion summing_up{N_("What does the model predict for the sentence?"), N_("The whole sentence")};

constexpr std::array before_blocks{
    StageKind{"tokens", any, N_("tokens"), G::embed, token, per_token,
              N_("tokens\nEach {1} becomes an ID: its index in the vocabulary."), starting},
    StageKind{"values", any, N_("values"), G::embed, token_vector, "[pos, d_input]",
              N_("values\nThe numbers that the model reads."), starting},
    StageKind{"hook_embed", any, N_("embed"), G::embed, token_vector, stream,
              N_("embedding\nEach {1}'s row of the learned embedding matrix: the same at every position."), starting},
    StageKind{"blocks.0.hook_resid_pre", own, N_("+ pos"), G::embed, token_vector, stream,
              N_("+ position\nThe position's vector is added to the {1}'s. The residual stream starts here."),
              starting},
    StageKind{"encoder.ln_final.hook_out", any, N_("source"), G::embed, source, stream,
              N_("source\nThe encoder's output for the source sentence. The decoder's blocks attend to it."), starting},
};

constexpr std::array in_block{
    StageKind{"hook_resid_pre", any, "x", G::norm, token_vector, stream,
              N_("x\nThe {1}'s vector at the start of the block: the output of the block before."), standing},
    StageKind{
        "ln1.hook_out", any, N_("LN"), G::norm, token_vector, stream,
        N_("LayerNorm\nEach {1}'s vector is shifted and scaled to mean 0 and standard deviation 1, then multiplied "
           "by learned weights."),
        standing},
    StageKind{"rnn.hook_pre", any, "W·x", G::recurrent, token_vector, "[pos, d]",
              N_("W·x\nWhat the {1} itself adds to the state: its vector times W_ih."), standing},
    StageKind{"rnn.hook_gates", any, N_("gates"), G::recurrent, token_vector, "[pos, d]",
              N_("gates\nHow much of the old state is kept, and how much of the new one is added."), standing},
    StageKind{"rnn.hook_state", any, N_("state"), G::recurrent, token_vector, stream,
              N_("state\nThe memory after this {1}, made from the memory before it and the {1}."), standing},
    StageKind{"attn.hook_q", any, "Q", G::attention, token_head, heads,
              N_("query\nWhat the {1} is looking for: its vector times W_Q."), looking},
    StageKind{"attn.hook_k", any, "K", G::attention, key_head, heads,
              N_("key\nWhat each {1} can be found by: its vector times W_K."), looking},
    StageKind{"attn.hook_v", any, "V", G::attention, key_head, heads,
              N_("value\nWhat each {1} passes on to those that attend to it: its vector times W_V."), looking},
    StageKind{"attn.hook_rot_q", any, N_("rotate Q"), G::attention, token_head, heads,
              N_("rotary position\nThe query is rotated by an angle that grows with the {1}'s position."), looking},
    StageKind{"attn.hook_rot_k", any, N_("rotate K"), G::attention, key_head, heads,
              N_("rotary position\nThe key is rotated by an angle that grows with the {1}'s position."), looking},
    StageKind{"attn.hook_attn_scores_raw", any, "q·k", G::attention, pair, pairs,
              N_("q·k\nHow well the query and the key match: their dot product."), looking},
    StageKind{
        "attn.hook_attn_scores_scaled", own, "÷√d", G::attention, pair, pairs,
        N_("÷ √d\nThe score is divided by the root of d, the vectors' dimension, so that scores do not grow with d."),
        looking},
    StageKind{"attn.hook_attn_scores_alibi", own, N_("ALiBi"), G::attention, pair, pairs,
              N_("ALiBi\nThe further away a {1} is, the more is subtracted from its score."), looking},
    StageKind{"attn.hook_attn_scores_causal", own, N_("causal"), G::attention, pair, pairs,
              N_("causal mask\nScores of later {2} become −∞: no {1} attends to those after it."), looking},
    StageKind{"attn.hook_attn_scores", own, N_("mask"), G::attention, pair, pairs,
              N_("mask\nScores of hidden {2} become −∞, so that no {1} attends to them."), looking},
    StageKind{.hook = "attn.hook_pattern",
              .name = any,
              .label = N_("softmax"),
              .group = G::attention,
              .cell = pair,
              .axes = pairs,
              .meaning = N_("softmax\nScores become attention weights. They are positive and add up to 1."),
              .question = looking,
              .hard = false},
    StageKind{.hook = "attn.hook_pattern",
              .name = any,
              .label = N_("hardmax"),
              .group = G::attention,
              .cell = pair,
              .axes = pairs,
              .meaning = N_("hardmax\nThe largest score gets the weight 1, all others get 0."),
              .question = looking,
              .hard = true},
    StageKind{"attn.hook_z", any, "Σ a·v", G::attention, token_head, heads,
              N_("Σ a·v\nThe sum of the values of all {2}, each times its attention weight."), writing},
    StageKind{"attn.hook_result", any, "W_O", G::attention, token_head, "[pos, head, d_model]",
              N_("W_O\nThe sum becomes what this head writes to the residual stream."), writing},
    StageKind{"hook_resid_mid_sum", own, "+ x", G::add, token_vector, stream,
              N_("+ x\nWhat the heads write is added to the {1}'s vector."), writing},
    StageKind{"hook_resid_mid", own, "+ x", G::add, token_vector, stream,
              N_("+ x\nWhat the heads write is added to the {1}'s vector."), writing},
    StageKind{"ln_cross.hook_out", any, N_("LN"), G::norm, token_vector, stream,
              N_("LayerNorm\nThe vector is normalized again before the {1} attends to the source sentence."), standing},
    StageKind{"cross_attn.hook_q", any, "Q", G::cross_attention, token_head, heads,
              N_("query\nWhat the {1} is looking for in the source sentence: its vector times W_Q."), looking},
    StageKind{"cross_attn.hook_k", any, "K", G::cross_attention, key_head, "[source, head, d_head]",
              N_("key\nWhat each {1} of the source can be found by."), looking},
    StageKind{"cross_attn.hook_v", any, "V", G::cross_attention, key_head, "[source, head, d_head]",
              N_("value\nWhat each {1} of the source passes on to those that attend to it."), looking},
    StageKind{"cross_attn.hook_attn_scores_raw", any, "q·k", G::cross_attention, pair, pairs,
              N_("q·k\nHow well the query and the source's key match: their dot product."), looking},
    StageKind{
        "cross_attn.hook_attn_scores_scaled", own, "÷√d", G::cross_attention, pair, pairs,
        N_("÷ √d\nThe score is divided by the root of d, the vectors' dimension, so that scores do not grow with d."),
        looking},
    StageKind{"cross_attn.hook_attn_scores", own, N_("mask"), G::cross_attention, pair, pairs,
              N_("mask\nScores of hidden {2} of the source become −∞."), looking},
    StageKind{.hook = "cross_attn.hook_pattern",
              .name = any,
              .label = N_("softmax"),
              .group = G::cross_attention,
              .cell = pair,
              .axes = pairs,
              .meaning = N_("softmax\nScores become attention weights over the source sentence. They add up to 1."),
              .question = looking,
              .hard = false},
    StageKind{.hook = "cross_attn.hook_pattern",
              .name = any,
              .label = N_("hardmax"),
              .group = G::cross_attention,
              .cell = pair,
              .axes = pairs,
              .meaning = N_("hardmax\nThe largest score over the source sentence gets the weight 1, all others get 0."),
              .question = looking,
              .hard = true},
    StageKind{"cross_attn.hook_z", any, "Σ a·v", G::cross_attention, token_head, heads,
              N_("Σ a·v\nThe sum of the values of the source's {2}, each times its attention weight."), writing},
    StageKind{"cross_attn.hook_result", any, "W_O", G::cross_attention, token_head, "[pos, head, d_model]",
              N_("W_O\nThe sum becomes what this head writes to the residual stream."), writing},
    StageKind{"hook_resid_mid_cross_sum", own, "+ x", G::add, token_vector, stream,
              N_("+ x\nWhat the {1} read from the source sentence is added to its vector."), writing},
    StageKind{"hook_resid_mid_cross", own, "+ x", G::add, token_vector, stream,
              N_("+ x\nWhat the {1} read from the source sentence is added to its vector."), writing},
    StageKind{"ln2.hook_out", any, N_("LN"), G::norm, token_vector, stream,
              N_("LayerNorm\nThe vector is scaled to mean 0 and standard deviation 1 again, then multiplied by other "
                 "learned weights."),
              standing},
    StageKind{"mlp.hook_pre", any, N_("MLP pre"), G::mlp, neuron, neurons,
              N_("MLP pre\nEach neuron's weighted sum of the {1}'s vector, before the activation function."), thinking},
    StageKind{"mlp.hook_pre_linear", any, N_("MLP in"), G::mlp, neuron, neurons,
              N_("MLP in\nThe second weighted sum of each neuron. Its gate multiplies it."), thinking},
    StageKind{"mlp.hook_gate", any, N_("gate"), G::mlp, neuron, neurons,
              N_("gate\nHow open each neuron is: x · sigmoid(x) of its first sum."), thinking},
    StageKind{
        "mlp.hook_post", any, N_("MLP post"), G::mlp, neuron, neurons,
        N_("MLP post\nEach neuron after the activation function: positive values stay, negative ones become almost 0."),
        thinking},
    StageKind{"hook_mlp_out", own, N_("MLP out"), G::mlp, token_vector, stream,
              N_("MLP out\nEach neuron writes its own vector times its value. This is the sum of all of them."),
              thinking},
    StageKind{"hook_resid_post_sum", own, "+ x", G::add, token_vector, stream,
              N_("+ x\nWhat the last part of the block wrote is added to the {1}'s vector."), standing},
    StageKind{"hook_resid_post", own, "+ x", G::add, token_vector, stream,
              N_("+ x\nWhat the last part of the block wrote is added to the {1}'s vector. The next block reads the "
                 "result."),
              standing},
};

constexpr std::array after_blocks{
    StageKind{"ln_final.hook_out", any, N_("final LN"), G::out, token_vector, stream,
              N_("final LayerNorm\nThe last residual stream is normalized before it is compared with the {2}."),
              saying},
    StageKind{"hook_pooled", any, N_("mean"), G::out, whole, "[d_model]",
              N_("mean over the {2}\nOne vector for the whole sentence."), summing_up},
    StageKind{"hook_first_word", any, N_("first word"), G::out, whole, "[d_model]",
              N_("the first {1}'s vector\nIt represents the whole sentence: attention has collected it here."),
              summing_up},
    StageKind{"hook_last_word", any, N_("last word"), G::out, whole, "[d_model]",
              N_("the last {1}'s vector\nIt represents the whole sentence: all others came before it."), summing_up},
    StageKind{
        "pooler.hook_first_word", any, N_("first token"), G::out, whole, "[d_model]",
        N_("the first token’s vector\nThe pooler reads only this one: attention has collected the whole text here."),
        summing_up},
    StageKind{"pooler.hook_pre", any, N_("W·x + b"), G::out, whole, "[d_model]",
              N_("W·x + b\nThe pooler’s linear map of the first token’s vector."), summing_up},
    StageKind{"pooler.hook_pooler_out", any, N_("pooler"), G::out, whole, "[d_model]",
              N_("pooler\ntanh of that: one vector for the whole text. It tells whether one sentence follows another. "
                 "Masked {2} are predicted without it."),
              summing_up},
    StageKind{"logits", any, N_("logits"), G::out, largest, words,
              N_("logits\nHow well the {1}'s vector matches each {1} of the vocabulary. The highest are shown."),
              saying},
    StageKind{"probabilities", any, "P", G::out, largest, words,
              N_("probabilities\nSoftmax over the vocabulary: the logits become probabilities that add up to 1."),
              saying},
};

// A norm's steps before hook_out. Batch norm takes the statistics of each feature over the batch, the others those of
// each word.
constexpr std::array parts_of_norm{
    StageKind{"hook_mean",
              any,
              "μ",
              G::norm,
              token,
              per_token,
              N_("μ\nThe mean of the {1}'s features. It is subtracted from each of them."),
              standing,
              {},
              NormKind::layer_norm},
    StageKind{"hook_scale",
              any,
              "σ",
              G::norm,
              token,
              per_token,
              N_("σ\nThe standard deviation of the {1}'s features, √(σ² + ε). Each of them is divided by it."),
              standing,
              {},
              NormKind::layer_norm},
    StageKind{"hook_scale",
              any,
              N_("rms"),
              G::norm,
              token,
              per_token,
              N_("rms\nThe root of the mean of the squared features. Each of them is divided by it."),
              standing,
              {},
              NormKind::rms_norm},
    StageKind{"hook_mean",
              any,
              "μ",
              G::norm,
              whole,
              "[d_model]",
              N_("μ\nThe mean of each feature over many {2}. It is subtracted."),
              standing,
              {},
              NormKind::batch_norm},
    StageKind{"hook_variance",
              any,
              "σ²",
              G::norm,
              whole,
              "[d_model]",
              N_("σ²\nThe variance of each feature over many {2}. The feature is divided by its root."),
              standing,
              {},
              NormKind::batch_norm},
    StageKind{"hook_normalized", any, "x̂", G::norm, token_vector, stream,
              N_("x̂\nThe normalized features, before learned weights scale and shift them."), standing},
};

/// The kinds, with each norm's parts in front of it.
class WithParts {
public:
    explicit WithParts(std::span<const StageKind> kinds) {
        for (const StageKind& kind : kinds) {
            if (kind.hook.ends_with(".hook_out")) add_parts(kind);
            all_.push_back(kind);
        }
    }
    std::span<const StageKind> all() const { return all_; }

private:
    void add_parts(const StageKind& norm) {
        const std::string prefix(norm.hook.substr(0, norm.hook.rfind('.') + 1));
        for (StageKind part : parts_of_norm) {
            part.hook = names_.emplace_back(prefix + std::string(part.hook));
            part.group = norm.group;
            part.cell = norm.cell == source ? part.cell == token ? source_token : source : part.cell;
            part.question = norm.question;
            part.part_of = norm.hook;
            all_.push_back(part);
        }
    }

    std::deque<std::string> names_;  // the hooks are views of these
    std::vector<StageKind> all_;
};

}  // namespace

std::span<const StageKind> stage_kinds_before() {
    static const WithParts kinds(before_blocks);
    return kinds.all();
}

std::span<const StageKind> stage_kinds_in_block() {
    static const WithParts kinds(in_block);
    return kinds.all();
}

std::span<const StageKind> stage_kinds_after() {
    static const WithParts kinds(after_blocks);
    return kinds.all();
}

}  // namespace glassformer::app
