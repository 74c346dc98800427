#include "app/common/glossary.h"

#include <array>
#include <cctype>
#include <string>

namespace glassformer::app {

namespace {

constexpr std::array terms{
    GlossaryTerm{
        "token", "word piece unit",
        "One unit of the text that the model reads. In the small worlds it is a word or a punctuation mark; larger "
        "models cut rare words into pieces."},
    GlossaryTerm{
        "vocabulary", "d_vocab words known",
        "All the tokens that a model knows, each with a number of its own. What is not in it is read as “unknown”."},
    GlossaryTerm{
        "embedding", "W_E embed vector of a word",
        "The list of numbers that stands for a token before it has looked at any other. It is learned: one row of "
        "W_E for each token of the vocabulary."},
    GlossaryTerm{
        "position", "W_pos positional embedding order place",
        "Where a token stands in the sentence. A learned vector for each place is added to the embedding, since "
        "attention alone would not notice the order."},
    GlossaryTerm{
        "residual stream", "hook_resid skip connection x",
        "The vector that runs through the whole model for each token. Every attention and every MLP reads from it and "
        "adds its result to it; nothing is overwritten."},
    GlossaryTerm{
        "block", "layer",
        "One layer of the model: attention, in which tokens read from each other, then an MLP, in which each token is "
        "worked on alone. Both add to the residual stream."},
    GlossaryTerm{
        "LayerNorm", "ln1 ln2 layer norm normalisation",
        "Shifts and scales a token's numbers so that their mean is 0 and their spread is 1, then stretches each by a "
        "learned γ and shifts it by a learned β."},
    GlossaryTerm{"μ", "mu mean average", "The mean of a token's numbers, taken away by LayerNorm."},
    GlossaryTerm{
        "σ", "sigma standard deviation spread",
        "The spread of a token's numbers about their mean: the root of the mean squared distance. LayerNorm divides "
        "by it, with a tiny ε added so that it is never 0."},
    GlossaryTerm{
        "γ", "gamma gain scale",
        "A learned factor of LayerNorm, one for each place of the vector: how much that place is stretched after the "
        "vector was brought to mean 0 and spread 1."},
    GlossaryTerm{"β", "beta bias shift",
                 "A learned number of LayerNorm, one for each place of the vector, added at its end."},
    GlossaryTerm{
        "head", "attention head n_heads",
        "One of several attentions that run side by side in a block. Each has its own queries, keys and values, so "
        "each can look for something else."},
    GlossaryTerm{
        "query", "q W_Q",
        "What a token is looking for: its vector after LayerNorm, times W_Q. It is compared with the keys of all "
        "tokens."},
    GlossaryTerm{
        "key", "k W_K",
        "What a token offers to be found by: its vector after LayerNorm, times W_K. A query that points the same way "
        "gives a high score."},
    GlossaryTerm{"value", "v W_V",
                 "What a token hands over to those that look at it: its vector after LayerNorm, times W_V."},
    GlossaryTerm{
        "score", "q·k dot product raw scaled d_head",
        "How well a query and a key match: their numbers multiplied pair by pair and added up, then divided by √d "
        "(the root of how many there are), so that long vectors do not shout."},
    GlossaryTerm{
        "mask", "hidden causal ▢",
        "Hides tokens from a query: their score becomes −∞ and their weight 0. In training, ▢ also stands for a "
        "hidden word that the model has to guess."},
    GlossaryTerm{
        "softmax", "exp normalise shares",
        "Turns scores into shares: e to the power of each score, divided by the sum of them all. The shares are "
        "positive and add up to 1, and the highest score gets far the most."},
    GlossaryTerm{
        "attention weight", "pattern share attention",
        "How much of another token's value a token reads: a number between 0 and 1, made from the scores by softmax. "
        "The weights of one query add up to 1."},
    GlossaryTerm{
        "pattern", "attention map heat map",
        "All attention weights of a head: a row for each token that asks, a column for each that is looked at."},
    GlossaryTerm{
        "z", "mix weighted sum of values",
        "What a head takes away for a token: the values of all tokens, each times its attention weight, added up."},
    GlossaryTerm{
        "W_O", "output projection result",
        "The learned matrix that turns a head's mix of values back into a vector that can be added to the residual "
        "stream."},
    GlossaryTerm{
        "MLP", "feed forward d_mlp neurons",
        "The second half of a block: each token's vector is widened, bent by an activation, and narrowed again, with "
        "no look at other tokens. Its result is added to the residual stream."},
    GlossaryTerm{
        "neuron", "d_mlp unit feature activation mlp",
        "One of the numbers in the wide middle of an MLP. It is on when the token's vector resembles the pattern of "
        "its incoming weights, and then adds its outgoing weights to the residual stream."},
    GlossaryTerm{
        "activation", "GELU ReLU hook_post nonlinearity",
        "The bend in the MLP: large numbers pass nearly as they are, negative ones become nearly 0. Without it, two "
        "matrices in a row could be one."},
    GlossaryTerm{
        "unembedding", "W_U unembed output",
        "The last matrix: compares the final vector of a token with every word of the vocabulary and gives each a "
        "logit."},
    GlossaryTerm{"logit", "raw output score of a word",
                 "The model's score for one word at one place, before softmax. Only differences between logits count."},
    GlossaryTerm{"probability", "prediction P guess",
                 "The model's share of belief in one word at one place: softmax over the logits of all words."},
    GlossaryTerm{"parameter", "weights learned numbers",
                 "A number of the model that training changes. All that the model knows is in them."},
    GlossaryTerm{
        "loss", "cross-entropy surprise",
        "How surprised the model is by the words it had to guess: the mean of −ln(probability of the true word). 0 "
        "would be perfect; guessing evenly among n words gives ln n."},
    GlossaryTerm{
        "step", "update iteration",
        "One update of the parameters: read a batch, measure the loss, move every parameter a little to where the "
        "loss is lower."},
    GlossaryTerm{
        "gradient", "derivative backward",
        "For each parameter, how fast the loss would grow if it grew. An update moves the parameters against it."},
    GlossaryTerm{
        "learning rate", "step size schedule warm-up",
        "How far each update moves the parameters, at its highest: it rises during the first steps and falls towards "
        "the end of the run."},
    GlossaryTerm{
        "schedule", "learning rate over steps cosine linear constant decay",
        "How the learning rate changes over the steps: up during the warm-up, then down along half a wave or a "
        "straight line, so that training ends in small careful steps."},
    GlossaryTerm{
        "warm-up", "warmup learning rate first steps",
        "The first steps, in which the learning rate rises to its peak. Early gradients are large and the optimizer "
        "knows little of them yet; full steps could throw the parameters far off."},
    GlossaryTerm{
        "optimizer", "SGD Adam AdamW update rule",
        "The rule that turns a gradient into a step: how far each parameter moves, and what is remembered from the "
        "steps before."},
    GlossaryTerm{
        "momentum", "velocity m beta running mean",
        "A running mean of the gradients that each step follows in place of the newest alone. What all batches agree "
        "on adds up; what changes from batch to batch cancels out."},
    GlossaryTerm{
        "gradient norm", "length size of the gradient",
        "The length of the whole gradient: the root of the sum of its squares over all parameters. It jumps where the "
        "loss is steep."},
    GlossaryTerm{
        "clipping", "clip gradient norm largest",
        "A gradient longer than a limit is shortened to it, in the same direction, so that one odd batch cannot throw "
        "the parameters far off. “× 0.3” says that it was shortened to 30 %."},
    GlossaryTerm{
        "weight decay", "L2 regularisation lambda shrink",
        "Every step also pulls the weights of all matrices a little towards 0. What the data does not keep up fades "
        "away."},
    GlossaryTerm{
        "dropout", "regularisation random zero",
        "In training, a share of the numbers is set to 0 at random and the rest enlarged to make up for it, so that no "
        "single one is relied on. It is off when the model is looked at."},
    GlossaryTerm{"batch", "batch size sentences per update",
                 "How many sentences each update learns from. More is steadier and slower."},
    GlossaryTerm{
        "epoch", "pass over the data once through",
        "One pass over all the data. The worlds here draw new sentences for every batch, so training is counted in "
        "steps; a text of your own is passed over again and again."},
    GlossaryTerm{
        "held-out loss", "validation test loss generalisation overfitting",
        "The loss on sentences that training never sees. Where it stays above the loss in training, the model has "
        "learned its sentences by heart: it overfits."},
    GlossaryTerm{"tokens per second", "speed throughput",
                 "How many tokens the training reads each second; padding is not counted."},
    GlossaryTerm{
        "seed", "random randomness",
        "The number that all randomness starts from: the first parameters and the order of the sentences. The same "
        "seed gives the same training. Used at the next Reset."},
    GlossaryTerm{
        "timeline", "travel kept steps keyframes",
        "The steps of the training whose parameters were kept. Going to one computes everything on screen with the "
        "parameters of that time."},
    GlossaryTerm{
        "sense accuracy", "probe meaning accuracy word sense",
        "How often the vectors of a layer tell the two meanings of a word apart, in sentences from templates that "
        "were never trained on. 50 % is guessing."},
    GlossaryTerm{
        "homonym", "ambiguous word bat bank bark spring",
        "One word with two unrelated meanings, such as “bat”, the animal and the stick. Which is meant can only be "
        "known from the words around it."},
    GlossaryTerm{
        "meaning map", "PCA principal components cloud dots",
        "Every occurrence of a word in the corpus as a dot, placed by its vector. The many dimensions are turned so "
        "that the three in which the dots differ most are shown (PCA)."},
    GlossaryTerm{
        "nearest words", "cosine similarity neighbours",
        "The words of the vocabulary whose embedding points most nearly in the direction of the chosen vector."},
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

void term_tip(const Ui& ui, ImVec2 min, ImVec2 max, std::string_view name) {
    if (!draw::hovered(min, max)) return;
    const GlossaryTerm* term = find_term(name);
    if (term) draw::tip(ui, min, max, std::string(term->name) + "\n" + std::string(term->meaning));
}

}  // namespace glassformer::app
