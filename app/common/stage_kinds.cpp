#include "app/common/stage_kinds.h"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace glassformer::app {

namespace {

using enum StageCell;
using enum StageName;
using G = StageGroup;

constexpr std::string_view per_token = "[pos]", stream = "[pos, d_model]", heads = "[pos, head, d_head]",
                           pairs = "[head, query, key]", neurons = "[pos, d_mlp]", words = "[pos, d_vocab]";

constexpr StageQuestion looking{"How does {} decide where to look?", "Where does {} look?"};
constexpr StageQuestion writing{"What does {} take away from the others?", "What does {} take?"};
constexpr StageQuestion thinking{"What do the neurons make of {}?", "The neurons of {}"};
constexpr StageQuestion saying{"What does the model say at {}?", "What is said at {}?"};
constexpr StageQuestion starting{"How does {} become numbers?", "{} in numbers"};
constexpr StageQuestion standing{"Where does {} stand now?", "{} so far"};
constexpr StageQuestion summing_up{"What does the model say of the sentence?", "The whole sentence"};

constexpr std::array before_blocks{
    StageKind{"tokens", any, "tokens", G::embed, token, per_token,
              "tokens\nEach word is replaced by its number in the vocabulary.", starting},
    StageKind{"values", any, "values", G::embed, token_vector, "[pos, d_input]",
              "values\nThe numbers that the model reads.", starting},
    StageKind{"hook_embed", any, "embed", G::embed, token_vector, stream,
              "embedding\nEach word's row of the learned table: the same wherever the word stands.", starting},
    StageKind{"blocks.0.hook_resid_pre", own, "+ pos", G::embed, token_vector, stream,
              "+ position\nA vector for the place is added to the word's: the residual stream begins.", starting},
    StageKind{"encoder.ln_final.hook_out", any, "source", G::embed, source, stream,
              "source\nWhat the encoder made of the source sentence: the decoder's blocks look at it.", starting},
};

constexpr std::array in_block{
    StageKind{"hook_resid_pre", any, "x", G::norm, token_vector, stream,
              "x\nThe word's vector as it comes into the block: what the block before left.", standing},
    StageKind{"ln1.hook_out", any, "LN", G::norm, token_vector, stream,
              "LayerNorm\nEach word's vector is shifted and scaled to mean 0 and spread 1, then stretched by learned "
              "weights.",
              standing},
    StageKind{"rnn.hook_pre", any, "W·x", G::recurrent, token_vector, "[pos, d]",
              "W·x\nWhat the word itself brings to the state: its vector times W_ih.", standing},
    StageKind{"rnn.hook_gates", any, "gates", G::recurrent, token_vector, "[pos, d]",
              "gates\nHow much of the old state is kept, and how much of the new one let in.", standing},
    StageKind{"rnn.hook_state", any, "state", G::recurrent, token_vector, stream,
              "state\nThe memory after this word, made of the one before and the word.", standing},
    StageKind{"attn.hook_q", any, "Q", G::attention, token_head, heads,
              "query\nWhat the word is looking for: its vector times W_Q.", looking},
    StageKind{"attn.hook_k", any, "K", G::attention, key_head, heads,
              "key\nWhat each word offers to be found by: its vector times W_K.", looking},
    StageKind{"attn.hook_v", any, "V", G::attention, key_head, heads,
              "value\nWhat each word hands over when it is looked at: its vector times W_V.", looking},
    StageKind{"attn.hook_rot_q", any, "turn Q", G::attention, token_head, heads,
              "rotary position\nThe query is turned by an angle that grows with the word's place.", looking},
    StageKind{"attn.hook_rot_k", any, "turn K", G::attention, key_head, heads,
              "rotary position\nThe key is turned by an angle that grows with the word's place.", looking},
    StageKind{"attn.hook_attn_scores_raw", any, "q·k", G::attention, pair, pairs,
              "q·k\nHow well query and key match: their products, added up.", looking},
    StageKind{"attn.hook_attn_scores_scaled", own, "÷√d", G::attention, pair, pairs,
              "÷ √d\nDivided by the root of their length, so that long vectors do not shout.", looking},
    StageKind{"attn.hook_attn_scores_alibi", own, "ALiBi", G::attention, pair, pairs,
              "ALiBi\nThe further away a word is, the more is taken from its score.", looking},
    StageKind{"attn.hook_attn_scores_causal", own, "causal", G::attention, pair, pairs,
              "causal mask\nScores of words that come later become −∞: nobody looks into the future.", looking},
    StageKind{"attn.hook_attn_scores", own, "mask", G::attention, pair, pairs,
              "mask\nScores of hidden words become −∞, so that nobody looks there.", looking},
    StageKind{"attn.hook_pattern", any, "softmax", G::attention, pair, pairs,
              "softmax\nScores become shares of attention: all positive, adding up to 1.", looking},
    StageKind{"attn.hook_z", any, "Σ a·v", G::attention, token_head, heads,
              "Σ a·v\nThe values of all words, mixed by their shares of attention.", writing},
    StageKind{"attn.hook_result", any, "W_O", G::attention, token_head, "[pos, head, d_model]",
              "W_O\nThe mix is turned back into a vector of the residual stream: what this head writes.", writing},
    StageKind{"hook_resid_mid_sum", own, "+ x", G::add, token_vector, stream,
              "+ x\nWhat the heads write is added to the word's vector.", writing},
    StageKind{"hook_resid_mid", own, "+ x", G::add, token_vector, stream,
              "+ x\nWhat the heads write is added to the word's vector.", writing},
    StageKind{"ln_cross.hook_out", any, "LN", G::norm, token_vector, stream,
              "LayerNorm\nThe vector is brought to one size again before it looks at the source sentence.", standing},
    StageKind{"cross_attn.hook_q", any, "Q", G::cross_attention, token_head, heads,
              "query\nWhat the word is looking for in the source sentence: its vector times W_Q.", looking},
    StageKind{"cross_attn.hook_k", any, "K", G::cross_attention, key_head, "[source, head, d_head]",
              "key\nWhat each word of the source offers to be found by.", looking},
    StageKind{"cross_attn.hook_v", any, "V", G::cross_attention, key_head, "[source, head, d_head]",
              "value\nWhat each word of the source hands over when it is looked at.", looking},
    StageKind{"cross_attn.hook_attn_scores_raw", any, "q·k", G::cross_attention, pair, pairs,
              "q·k\nHow well query and the source's key match: their products, added up.", looking},
    StageKind{"cross_attn.hook_attn_scores_scaled", own, "÷√d", G::cross_attention, pair, pairs,
              "÷ √d\nDivided by the root of their length, so that long vectors do not shout.", looking},
    StageKind{"cross_attn.hook_attn_scores", own, "mask", G::cross_attention, pair, pairs,
              "mask\nScores of hidden words of the source become −∞.", looking},
    StageKind{"cross_attn.hook_pattern", any, "softmax", G::cross_attention, pair, pairs,
              "softmax\nScores become shares of attention over the source sentence, adding up to 1.", looking},
    StageKind{"cross_attn.hook_z", any, "Σ a·v", G::cross_attention, token_head, heads,
              "Σ a·v\nThe values of the source's words, mixed by their shares of attention.", writing},
    StageKind{"cross_attn.hook_result", any, "W_O", G::cross_attention, token_head, "[pos, head, d_model]",
              "W_O\nThe mix is turned into a vector of the residual stream: what this head writes.", writing},
    StageKind{"hook_resid_mid_cross_sum", own, "+ x", G::add, token_vector, stream,
              "+ x\nWhat was taken from the source sentence is added to the word's vector.", writing},
    StageKind{"hook_resid_mid_cross", own, "+ x", G::add, token_vector, stream,
              "+ x\nWhat was taken from the source sentence is added to the word's vector.", writing},
    StageKind{"ln2.hook_out", any, "LN", G::norm, token_vector, stream,
              "LayerNorm\nThe vector is brought to mean 0 and spread 1 again, and stretched by weights of its own.",
              standing},
    StageKind{"mlp.hook_pre", any, "MLP pre", G::mlp, neuron, neurons,
              "MLP pre\nEach neuron's weighted sum of the word's vector, before the non-linearity.", thinking},
    StageKind{"mlp.hook_pre_linear", any, "MLP in", G::mlp, neuron, neurons,
              "MLP in\nThe second weighted sum of each neuron, which its gate lets through.", thinking},
    StageKind{"mlp.hook_gate", any, "gate", G::mlp, neuron, neurons,
              "gate\nHow far each neuron is opened: x · sigmoid(x) of its first sum.", thinking},
    StageKind{"mlp.hook_post", any, "MLP post", G::mlp, neuron, neurons,
              "MLP post\nEach neuron after the non-linearity: what fires stays, the rest goes towards 0.", thinking},
    StageKind{"hook_mlp_out", own, "MLP out", G::mlp, token_vector, stream,
              "MLP out\nEach neuron writes its own vector, as strongly as it fires: the sum of them all.", thinking},
    StageKind{"hook_resid_post_sum", own, "+ x", G::add, token_vector, stream,
              "+ x\nWhat the last part of the block wrote is added to the word's vector.", standing},
    StageKind{"hook_resid_post", own, "+ x", G::add, token_vector, stream,
              "+ x\nWhat the last part of the block wrote is added to the word's vector: it goes on to the next.",
              standing},
};

constexpr std::array after_blocks{
    StageKind{"ln_final.hook_out", any, "final LN", G::out, token_vector, stream,
              "final LayerNorm\nThe last stream is brought to one size, so that words can be compared with it.",
              saying},
    StageKind{"hook_pooled", any, "mean", G::out, whole, "[d_model]",
              "mean over the words\nOne vector for the whole sentence.", summing_up},
    StageKind{"logits", any, "logits", G::out, largest, words,
              "logits\nHow well the word's vector matches each word of the vocabulary; here the best.", saying},
    StageKind{"probabilities", any, "P", G::out, largest, words,
              "probabilities\nSoftmax over the vocabulary: the scores become shares that add up to 1.", saying},
};

// What a norm does on its way to hook_out. Batch norm measures each feature over the batch, the others each word.
constexpr std::array parts_of_norm{
    StageKind{"hook_mean",
              any,
              "μ",
              G::norm,
              token,
              per_token,
              "μ\nThe mean of the word's features: it is taken away from each of them.",
              standing,
              {},
              NormKind::layer_norm},
    StageKind{"hook_scale",
              any,
              "σ",
              G::norm,
              token,
              per_token,
              "σ\nThe spread of the word's features, √(σ² + ε): each of them is divided by it.",
              standing,
              {},
              NormKind::layer_norm},
    StageKind{"hook_scale",
              any,
              "rms",
              G::norm,
              token,
              per_token,
              "rms\nThe root of the mean of the features' squares: each of them is divided by it.",
              standing,
              {},
              NormKind::rms_norm},
    StageKind{"hook_mean",
              any,
              "μ",
              G::norm,
              whole,
              "[d_model]",
              "μ\nThe mean of each feature over many words: it is taken away.",
              standing,
              {},
              NormKind::batch_norm},
    StageKind{"hook_variance",
              any,
              "σ²",
              G::norm,
              whole,
              "[d_model]",
              "σ²\nThe variance of each feature over many words: the feature is divided by its root.",
              standing,
              {},
              NormKind::batch_norm},
    StageKind{"hook_normalized", any, "x̂", G::norm, token_vector, stream,
              "x̂\nThe features brought to one size, before each is stretched and shifted by learned weights.",
              standing},
};

/// The kinds, before each norm its parts.
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

    std::deque<std::string> names_;  // that the hooks are views of
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
