#include "app/panels/setup/setup_words.h"

#include <array>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

constexpr std::array<SetupChoice, 5> families{{
    {N_("encoder"), N_("Every token attends to the whole sentence, before and after it, as in BERT.")},
    {N_("decoder"), N_("Every token attends only to itself and the tokens before it, as in GPT. Trained to predict the "
                       "next token, the model can continue a text.")},
    {N_("encoder–decoder"),
     N_("The encoder reads the source. The decoder writes and attends to it. The transformer of 2017.")},
    {N_("RNN"), N_("No attention: one vector is passed from token to token and must remember everything.")},
    {N_("GRU"), N_("An RNN with gates that learn what to keep and what to replace.")},
}};
constexpr std::array<SetupChoice, 7> positions{{
    {N_("none"), N_("The model gets no positions. A causal mask or the state of an RNN still shows the order.")},
    {N_("position number"), N_("Adds the position's index times one learned vector: later tokens get longer vectors.")},
    {N_("position ÷ length"), N_("Adds the position in the sentence, from 0 to 1, times one learned vector.")},
    {N_("learned table"), N_("Adds one learned vector for each position, as in BERT and GPT-2.")},
    {N_("sines, cosines"),
     N_("Adds fixed waves of many lengths. Nothing is learned, and every position has its own vector.")},
    {N_("rotary (RoPE)"),
     N_("Rotates queries and keys by an angle that grows with the position: scores depend on distance.")},
    {N_("ALiBi"), N_("Lowers each score by the distance of the two tokens. Each head has its own rate.")},
}};
constexpr std::array<SetupChoice, 5> placements{{
    {N_("before (pre-LN)"), N_("Each part reads a normalized copy of the stream. Trains most easily.")},
    {N_("after (post-LN)"), N_("The stream is normalized after each addition, as in 2017. Needs a warm-up.")},
    {N_("stream first"), N_("The stream is normalized first. The part and the addition both use the result.")},
    {N_("before and after"), N_("Each part reads a normalized copy, and what it adds is normalized too, as in Gemma.")},
    {N_("none"), N_("Nothing is normalized: numbers may grow from block to block.")},
}};
constexpr std::array<SetupChoice, 3> norms{{
    {N_("LayerNorm"), N_("Brings a token's features to mean 0 and standard deviation 1, then scales and shifts them.")},
    {N_("RMSNorm"), N_("Only divides a token's features by their size. No mean is subtracted.")},
    {N_("BatchNorm"), N_("Normalizes each feature over the whole batch, so sentences influence each other.")},
}};
constexpr std::array<SetupChoice, 6> activations{{
    {N_("ReLU"), N_("Negative numbers become 0, the others pass: a neuron is off or on.")},
    {N_("GELU"), N_("A smooth ReLU: small negative numbers pass a little.")},
    {N_("GELU (tanh)"), N_("GELU by the faster formula that GPT-2 used.")},
    {N_("SwiGLU"), N_("Two halves: one decides how much of the other passes. Three matrices instead of two.")},
    {N_("GEGLU (tanh)"), N_("Like SwiGLU, with GELU as the gate, as in Gemma.")},
    {N_("none"), N_("No MLP at all: attention only.")},
}};
constexpr std::array<SetupChoice, 3> projections{{
    {"W_Q, W_K, W_V", N_("Three learned matrices, so that query, key and value can differ.")},
    {N_("one for all"), N_("One matrix makes query, key and value: tokens attend to similar tokens.")},
    {N_("none"), N_("The stream itself is query, key and value. Attention has nothing to learn.")},
}};
constexpr std::array<SetupChoice, 3> readout_words{{
    {N_("mean of all words"), N_("The sentence is classified by the mean of all its tokens' last vectors.")},
    {N_("first word"), N_("The first token's last vector represents the sentence, as [CLS] does in BERT.")},
    {N_("last word"),
     N_("The last token's vector represents the sentence: an RNN's final state, or GPT's last position.")},
}};
constexpr std::array<SetupChoice, 4> optimizers{{
    {N_("SGD"), N_("Each step goes straight down the gradient of its batch.")},
    {N_("momentum"), N_("Steps get faster where gradients agree, and steadier where they do not.")},
    {N_("Adam"), N_("Every parameter gets its own step size, from the mean and spread of its gradients.")},
    {N_("AdamW"), N_("Adam, with weight decay that shrinks the weights themselves.")},
}};
constexpr std::array<SetupChoice, 3> schedules{{
    {N_("constant"), N_("The same learning rate from the first step to the last.")},
    {N_("cosine"), N_("Rises during the warm-up, then falls along a cosine.")},
    {N_("linear"), N_("Rises during the warm-up, then falls in a straight line.")},
}};

}  // namespace

std::span<const SetupChoice> setup_choices(Family) { return families; }
std::span<const SetupChoice> setup_choices(Positions) { return positions; }
std::span<const SetupChoice> setup_choices(NormPlacement) { return placements; }
std::span<const SetupChoice> setup_choices(NormKind) { return norms; }
std::span<const SetupChoice> setup_choices(Activation) { return activations; }
std::span<const SetupChoice> setup_choices(Projections) { return projections; }
std::span<const SetupChoice> setup_choices(Readout) { return readout_words; }
std::span<const SetupChoice> setup_choices(OptimizerKind) { return optimizers; }
std::span<const SetupChoice> setup_choices(ScheduleKind) { return schedules; }

}  // namespace glassformer::app
