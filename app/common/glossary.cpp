#include "app/common/glossary.h"

#include <array>
#include <cctype>
#include <string>

#include "app/language/tr.h"
#include "app/session/masks.h"

namespace glassformer::app {

namespace {

// Whether a model has what a term is about, for terms whose view alone does not tell.
bool attends(const ModelInfo& m) { return !m.config.recurrent(); }
bool causal(const ModelInfo& m) { return m.config.causal(); }
bool masks(const ModelInfo& m) { return attends(m) && (causal(m) || fills_masks(m)); }
bool translates(const ModelInfo& m) { return m.translates(); }
bool encodes(const ModelInfo& m) { return m.config.family == Family::encoder || m.translates(); }
bool has_homonyms(const ModelInfo& m) { return !m.senses.empty(); }
bool reads_numbers(const ModelInfo& m) { return m.config.input == InputKind::values; }
bool ties(const ModelInfo& m) { return m.config.tied; }
bool turns(const ModelInfo& m) { return m.config.positions == Positions::rotary; }
bool penalizes(const ModelInfo& m) { return m.config.positions == Positions::alibi; }

constexpr std::array terms{
    GlossaryTerm{N_("token"), "word piece unit",
                 N_("The unit of text that the model reads. In the small worlds a token is a word or a punctuation "
                    "mark; larger models split rare words into several tokens."),
                 "9_tokens", "Embedding"},
    GlossaryTerm{
        N_("vocabulary"), "d_vocab words known",
        N_("All tokens that the model knows, each with its own ID. A word that is not in it is read as “unknown”."),
        "9_tokens", "Embedding", nullptr, "vectors"},
    GlossaryTerm{N_("embedding"), "W_E embed vector of a word",
                 N_("The vector that a token starts with, before it attends to any other: its row of W_E, a learned "
                    "matrix with one row for each token of the vocabulary."),
                 "9_tokens", "Embedding", nullptr, "vectors"},
    GlossaryTerm{N_("position"), "W_pos positional embedding order place",
                 N_("Where a token is in the sentence. Attention alone does not see the order, so a vector for each "
                    "position, learned or made of sines, is added to the embedding. Rotary positions turn queries and "
                    "keys instead."),
                 "6_order", "Positions"},
    GlossaryTerm{N_("residual stream"), "hook_resid skip connection x",
                 N_("The vector of a token that runs through the whole model. Each attention and each MLP reads from "
                    "it and writes to it by adding its output. Nothing is overwritten."),
                 "8_residual_stream", "Logit attribution"},
    GlossaryTerm{N_("block"), "layer",
                 N_("One layer of the model: attention moves information between tokens, then an MLP works on each "
                    "token alone. Both write to the residual stream."),
                 "8_residual_stream", "Whole model"},
    GlossaryTerm{N_("LayerNorm"), "pre-LN post-LN ln1 ln2 layer norm normalisation",
                 N_("Shifts and scales a token's features to mean 0 and standard deviation 1, then multiplies each by "
                    "a learned γ and adds a learned β."),
                 "7_layer_norm", "LayerNorm"},
    GlossaryTerm{"μ", "mu mean average", N_("The mean of a token's features. LayerNorm subtracts it."), "7_layer_norm",
                 "LayerNorm"},
    GlossaryTerm{"σ", "sigma standard deviation spread",
                 N_("The standard deviation of a token's features: the root of their mean squared distance from the "
                    "mean. LayerNorm divides by it; a tiny ε keeps it above 0."),
                 "7_layer_norm", "LayerNorm"},
    GlossaryTerm{
        "γ", "gamma gain scale",
        N_("The learned scale of LayerNorm, one number for each feature. It multiplies the normalized feature."),
        "7_layer_norm", "LayerNorm"},
    GlossaryTerm{"β", "beta bias shift",
                 N_("The learned shift of LayerNorm, one number for each feature. It is added at the end."),
                 "7_layer_norm", "LayerNorm"},
    GlossaryTerm{N_("head"), "attention head n_heads",
                 N_("One of several attention mechanisms that run in parallel in a block. Each has its own queries, "
                    "keys and values, so each can attend to something different."),
                 "5_many_heads", "All heads"},
    GlossaryTerm{
        N_("query"), "q W_Q",
        N_("What a token is looking for: its vector after LayerNorm, times W_Q. It is compared with the keys of all "
           "tokens."),
        "3_query_key_value", "Q K V", nullptr, "q, k, v"},
    GlossaryTerm{
        N_("key"), "k W_K",
        N_("What a token can be found by: its vector after LayerNorm, times W_K. A query that points in the same "
           "direction gives a high score."),
        "3_query_key_value", "Q K V", nullptr, "q, k, v"},
    GlossaryTerm{N_("value"), "v W_V",
                 N_("What a token passes on to the tokens that attend to it: its vector after LayerNorm, times W_V."),
                 "3_query_key_value", "Q K V", nullptr, "q, k, v"},
    GlossaryTerm{N_("score"), "q·k dot product raw scaled d_head",
                 N_("How well a query and a key match: their dot product, divided by √d, so that scores do not grow "
                    "with d, the dimension of both."),
                 "2_weighted_average", "Attention", attends},
    GlossaryTerm{N_("mask"), "hidden causal ▢",
                 N_("Hides tokens from a query: their score becomes −∞ and their weight 0. In training, ▢ masks a word "
                    "that the model has to predict."),
                 "4_scale_mask_softmax", "Attention", masks},
    GlossaryTerm{N_("softmax"), "exp normalise shares",
                 N_("Turns scores into weights: e to the power of each score, divided by the sum of all of them. The "
                    "weights are positive and add up to 1. The highest score gets the largest weight."),
                 "2_weighted_average", "Attention", attends},
    GlossaryTerm{N_("attention weight"), "pattern share attention",
                 N_("How much a token attends to another: a number between 0 and 1, computed from the scores by "
                    "softmax. The weights of one query add up to 1."),
                 "2_weighted_average", "Attention", attends},
    GlossaryTerm{
        N_("pattern"), "attention map heat map",
        N_("All attention weights of a head: a row for each token, a column for each token that it attends to."),
        "5_many_heads", "All heads"},
    GlossaryTerm{"z", "mix weighted sum of values",
                 N_("What a head reads for a token: the sum of all tokens' values, each times its attention weight."),
                 "3_query_key_value", "Attention", attends},
    GlossaryTerm{"W_O", "output projection result",
                 N_("The learned matrix that turns z, a head's weighted sum of values, into the vector that the head "
                    "writes to the residual stream."),
                 "5_many_heads", "Q K V", nullptr, "heads"},
    GlossaryTerm{N_("MLP"), "feed forward d_mlp neurons",
                 N_("The second half of a block. For each token alone, it widens the vector, applies an activation "
                    "function and narrows it again. The result is added to the residual stream."),
                 "8_residual_stream", "MLP"},
    GlossaryTerm{N_("neuron"), "d_mlp unit feature activation mlp",
                 N_("One number of the wide middle layer of an MLP. It is active when the token's vector is similar to "
                    "its input weights, and then adds its output weights to the residual stream."),
                 "8_residual_stream", "MLP"},
    GlossaryTerm{N_("activation"), "GELU ReLU hook_post nonlinearity",
                 N_("The nonlinear function in the MLP: large numbers stay almost the same, negative ones become "
                    "almost 0. Without it, one matrix could replace the MLP's two."),
                 "8_residual_stream", "MLP"},
    GlossaryTerm{N_("unembedding"), "W_U unembed output",
                 N_("The last matrix. It compares a token's final vector with each token of the vocabulary and gives "
                    "each of them a logit."),
                 "9_tokens", "Logit lens"},
    GlossaryTerm{N_("logit"), "raw output score of a word",
                 N_("The model's score for one token of the vocabulary at one position, before softmax. Only "
                    "differences between logits matter."),
                 "9_tokens", "Logit lens"},
    GlossaryTerm{N_("probability"), "prediction P guess",
                 N_("How likely a token is at one position, according to the model: softmax over the logits of the "
                    "whole vocabulary."),
                 "9_tokens", "Logit lens"},
    GlossaryTerm{N_("parameter"), "weights learned numbers",
                 N_("A number of the model that training changes. Everything the model knows is in its parameters."),
                 "2_weighted_average", "Training", nullptr, "Parameters"},
    GlossaryTerm{N_("loss"), "bits nats cross-entropy surprise",
                 N_("How surprised the model is by the tokens it had to predict: the mean of −ln(probability of the "
                    "true token). 0 is perfect; guessing among n tokens gives ln n."),
                 "10_learning", "Training", nullptr, "Batch"},
    GlossaryTerm{N_("step"), "update iteration",
                 N_("One update of the parameters: read a batch, compute the loss, and move every parameter a little "
                    "so that the loss falls."),
                 "10_learning", "Training"},
    GlossaryTerm{N_("gradient"), "derivative backward",
                 N_("For each parameter, how fast the loss grows when the parameter grows. An update moves the "
                    "parameters in the opposite direction."),
                 "10_learning", "Training", nullptr, "Parameters"},
    GlossaryTerm{
        N_("learning rate"), "step size schedule warm-up",
        N_("How far an update moves the parameters, at most. It rises during the first steps and falls towards "
           "the end of the run."),
        "10_learning", "Training"},
    GlossaryTerm{
        N_("schedule"), "learning rate over steps cosine linear constant decay",
        N_("How the learning rate changes over the steps: up during the warm-up, then down along a cosine or a "
           "straight line, so that training ends with small steps."),
        "10_learning", "Training"},
    GlossaryTerm{N_("warm-up"), "warmup learning rate first steps",
                 N_("The first steps, in which the learning rate rises to its peak. Early gradients are large and the "
                    "optimizer has seen few of them, so full steps could move the parameters too far."),
                 "10_learning", "Training"},
    GlossaryTerm{
        N_("optimizer"), "SGD Adam AdamW update rule",
        N_("The rule that turns a gradient into a step: how far each parameter moves, and what it remembers from "
           "earlier steps."),
        "10_learning", "Training", nullptr, "One weight"},
    GlossaryTerm{N_("momentum"), "velocity m beta running mean",
                 N_("A running mean of the gradients. Each step follows it instead of the latest gradient: what all "
                    "batches agree on adds up, and what differs cancels out."),
                 "10_learning", "Training", nullptr, "One weight"},
    GlossaryTerm{N_("gradient norm"), "length size of the gradient",
                 N_("The length of the whole gradient: the root of the sum of its squares over all parameters. It "
                    "jumps where the "
                    "loss is steep."),
                 "10_learning", "Training", nullptr, "Parameters"},
    GlossaryTerm{N_("clipping"), "clip gradient norm largest",
                 N_("A gradient longer than a limit is scaled down to it, so that one unusual batch cannot move the "
                    "parameters too far. “× 0.3” means that it was scaled to 0.3 of its length."),
                 "10_learning", "Training"},
    GlossaryTerm{
        N_("weight decay"), "L2 regularisation lambda shrink",
        N_("Every step also moves the weights of all matrices a little towards 0. Weights that the data does not "
           "need become small."),
        "10_learning", "Training", nullptr, "One weight"},
    GlossaryTerm{
        N_("dropout"), "regularisation random zero",
        N_("In training, a random share of the numbers is set to 0 and the others are scaled up to compensate, so that "
           "the model does not rely on any single number. It is off when you look at the model."),
        "10_learning", "Training", nullptr, "Batch"},
    GlossaryTerm{N_("batch"), "batch size sentences per update",
                 N_("The sentences that one update learns from. A larger batch makes training steadier and slower."),
                 "10_learning", "Training", nullptr, "Batch"},
    GlossaryTerm{N_("epoch"), "pass over the data once through",
                 N_("One pass over all the data. Here every batch is drawn at random, so training is counted in steps, "
                    "and most worlds show the same sentences again and again. Only induction, copying, sorting and "
                    "regression make up new ones."),
                 "10_learning", "Training"},
    GlossaryTerm{
        N_("held-out loss"), "validation test loss generalisation overfitting",
        N_("The loss on sentences that training never sees. If it stays above the training loss, the model has "
           "learned its sentences by heart: it overfits."),
        "10_learning", "Training"},
    GlossaryTerm{N_("tokens per second"), "speed throughput",
                 N_("How many tokens training processes per second, without padding."), "11_against_the_others",
                 "Training"},
    GlossaryTerm{N_("seed"), "random randomness",
                 N_("The number that all random choices start from: the initial parameters and the order of the "
                    "sentences. The same seed gives the same training. A new seed takes effect at the next Reset."),
                 "10_learning", "Training"},
    GlossaryTerm{N_("timeline"), "travel kept steps keyframes",
                 N_("The training steps whose parameters were kept. Go to one, and everything on the screen is "
                    "computed with its parameters."),
                 "10_learning", "Training"},
    GlossaryTerm{
        N_("sense accuracy"), "probe meaning accuracy word sense",
        N_("How often the vectors of a layer tell the two meanings of a word apart, in sentences from templates "
           "that training never saw. Guessing gives 50 %."),
        "1_two_kinds_of_bat", ""},
    GlossaryTerm{
        N_("homonym"), "ambiguous word bat bank bark spring",
        N_("A word with two unrelated meanings, such as “bat”: the animal and the stick. Only the words around "
           "it show which one is meant."),
        "1_two_kinds_of_bat", "Attention", has_homonyms},
    GlossaryTerm{N_("meaning map"), "PCA principal components cloud dots",
                 N_("Every occurrence of a word in the corpus is a dot, placed by its vector. PCA shows the three "
                    "directions in which the dots differ most."),
                 "1_two_kinds_of_bat", ""},
    GlossaryTerm{
        N_("nearest words"), "cosine similarity neighbours",
        N_("The words whose vectors point in nearly the same direction as the chosen word's, by cosine similarity: "
           "1.00 is the same direction. The view Embedding compares embeddings. The panel beside the map compares "
           "residual streams after the chosen block: this word's with the mean of each word's."),
        "1_two_kinds_of_bat", "Embedding", nullptr, "vectors"},

    GlossaryTerm{N_("self-attention"), "XXᵀ XXT X·Xᵀ without matrices no parameters weights attention to itself",
                 N_("A sentence attends to itself: queries, keys and values all come from its own tokens."),
                 "2_weighted_average", "Attention", attends},
    GlossaryTerm{N_("cross-attention"), "source encoder decoder translation",
                 N_("One sentence attends to another: queries come from the sentence being written, keys and values "
                    "from the source sentence."),
                 "13_encoder_decoder", "Attention", translates},
    GlossaryTerm{N_("encoder"), "bidirectional BERT",
                 N_("A model, or half of one, in which each token may attend to all others, before and after it."),
                 "13_encoder_decoder", "Whole model", encodes},
    GlossaryTerm{N_("decoder"), "causal GPT left to right",
                 N_("A model, or half of one, in which each token attends only to itself and the tokens before it. It "
                    "can generate text, one token at a time."),
                 "13_encoder_decoder", "Generate"},
    GlossaryTerm{N_("temperature"), "T sampling random creative",
                 N_("The logits are divided by it before softmax. Below 1 the most likely tokens gain probability, "
                    "above 1 the others do; at 0 the most likely token is always taken."),
                 "9_tokens", "Logit lens"},
    GlossaryTerm{N_("byte pair"), "BPE subword merge piece",
                 N_("A way to build tokens: start with single characters and merge the most frequent pair, again and "
                    "again. Frequent words become one token, rare ones several."),
                 "9_tokens", "Embedding", nullptr, "byte pairs"},
    GlossaryTerm{N_("logit lens"), "layer early exit prediction",
                 N_("What the model would predict if it ended after this block: the residual stream there, passed "
                    "through the final norm and the unembedding."),
                 "9_tokens", "Logit lens"},
    GlossaryTerm{N_("induction head"), "copy repeat prefix matching",
                 N_("A head that finds an earlier occurrence of the same token and attends to the one after it. So the "
                    "model can copy what came next last time."),
                 "14_heads_that_copy", "All heads"},
    GlossaryTerm{"RNN", "recurrent network GRU state",
                 N_("A network that reads one token after another and keeps one vector, its state. Everything it knows "
                    "about earlier tokens must be in that vector."),
                 "11_against_the_others", ""},
    GlossaryTerm{N_("Toeplitz matrix"), "convolution distance diagonal filter",
                 N_("A matrix with one value for each diagonal. Attention with such a pattern depends on distance "
                    "alone, like a convolution."),
                 "11_against_the_others", "Q K V", nullptr, "distance"},
    GlossaryTerm{
        N_("perplexity"), "bits exp loss branching",
        N_("e to the power of the loss: the number of equally likely tokens the model chooses among, on average."),
        "10_learning", "Training"},
    GlossaryTerm{N_("read-out"), "pooling CLS mean last state",
                 N_("The vector that represents a whole sentence when it is classified: the mean over its words, or "
                    "that of the first or last one."),
                 "6_order", ""},
    GlossaryTerm{N_("causal mask"), "triangle left to right future",
                 N_("Hides all later tokens from each token, so that a model that generates text never sees what it "
                    "has to predict."),
                 "4_scale_mask_softmax", "Attention", causal},
    GlossaryTerm{
        N_("rank"), "low rank singular values OV QK circuit",
        N_("How many independent directions a matrix has. The product of a head's two matrices has at most d_head."),
        "3_query_key_value", "Q K V", nullptr, "heads"},
    GlossaryTerm{N_("previous-word head"), "previous token head",
                 N_("A head in which each word attends to the word before it."), "5_many_heads", "All heads"},
    GlossaryTerm{
        N_("phase change"), "sudden jump induction grokking",
        N_("A short part of the training in which the model quickly learns something that it could hardly do before."),
        "14_heads_that_copy", "Training"},
    GlossaryTerm{
        N_("tied weights"), "weight tying W_E W_U shared",
        N_("The embedding matrix is used twice: to read tokens and, transposed, to give each token its logit."),
        "9_tokens", "Logit lens", ties},
    GlossaryTerm{N_("equivariant"), "swap mixed up equivariance permutation order invariant",
                 N_("Reordering the words reorders the results in the same way and changes nothing else."), "6_order",
                 "Positions"},
    GlossaryTerm{N_("rotary"), "RoPE rotary positions turned queries keys",
                 N_("A position encoding that rotates queries and keys by an angle that grows with the position, so "
                    "that a score depends on the distance."),
                 "6_order", "Positions", turns},
    GlossaryTerm{"ALiBi", "linear bias distance penalty",
                 N_("A position encoding that lowers each score in proportion to the distance between the two tokens."),
                 "6_order", "Positions", penalizes},
    GlossaryTerm{N_("batch normalization"), "batch norm BN",
                 N_("Takes the mean and standard deviation of one feature over all tokens of a batch, where LayerNorm "
                    "takes them over the features of one token."),
                 "7_layer_norm", "LayerNorm"},
    GlossaryTerm{N_("backpropagation"), "backward gradient chain rule",
                 N_("Goes backward from the loss through every operation and computes the gradient of each parameter."),
                 "10_learning", "Training", nullptr, "Parameters"},
    GlossaryTerm{"Adam", "optimizer moments adaptive",
                 N_("An optimizer that gives each parameter its own step size, from running means of its gradients and "
                    "of their squares."),
                 "10_learning", "Training", nullptr, "One weight"},
    GlossaryTerm{
        N_("path length"), "steps between two words distance",
        N_("How many steps information takes from one word to another: one in attention, their distance in an RNN."),
        "11_against_the_others", "Training", nullptr, "Path"},
    GlossaryTerm{N_("cost of attention"), "quadratic T² O(T²) squared time memory complexity long",
                 N_("Each token is compared with every token, so T tokens need T · T scores. A text twice as long "
                    "costs four times as much in attention and twice as much in the MLP."),
                 "11_against_the_others", "Training", attends, "Cost"},
    GlossaryTerm{N_("in-context learning"), "prompt examples few shot",
                 N_("The model does a new task from examples in its prompt. No weight changes."), "12_in_context",
                 "Attention"},
    GlossaryTerm{N_("least squares"), "regression ridge line fit",
                 N_("The linear function with the smallest squared error on the given points. Ridge regression also "
                    "pulls its coefficients towards 0."),
                 "12_in_context", "Attention", reads_numbers},
    GlossaryTerm{N_("autoregressive"), "generate next word one by one",
                 N_("Writes one token, appends it to its input, and predicts the next."), "13_encoder_decoder",
                 "Generate"},
    GlossaryTerm{N_("teacher forcing"), "training true words shifted",
                 N_("In training, a decoder reads the true tokens so far, never its own predictions, so that all "
                    "positions learn at once."),
                 "13_encoder_decoder", "Training", nullptr, "Batch"},
};

bool same_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i])))
            return false;
    return true;
}

}  // namespace

std::span<const GlossaryTerm> glossary() { return terms; }

const GlossaryTerm* find_term(std::string_view name) {
    for (const GlossaryTerm& term : terms)
        if (same_ignoring_case(term.name, name)) return &term;
    return nullptr;
}

void term_tip(const Ui& ui, const Box& box, std::string_view name) {
    if (!draw::hovered(box)) return;
    const GlossaryTerm* term = find_term(name);
    if (term) draw::tip(ui, box, std::string(tr(term->name)) + "\n" + std::string(tr(term->meaning)));
}

}  // namespace glassformer::app
