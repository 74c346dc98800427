#include "tests/ops/variants.h"

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"

namespace glassformer::testing {

namespace {

TransformerConfig small() {
    TransformerConfig c;
    c.d_vocab = 11, c.n_ctx = 8, c.d_model = 8, c.n_heads = 2, c.n_layers = 2, c.d_mlp = 12, c.init_std = 0.4f;
    return c;
}

template <class Change>
Variant with(const std::string& name, Change change) {
    Variant v{name, small()};
    change(v.config);
    return v;
}

using Config = TransformerConfig;

std::vector<Variant> attention_variants() {
    return {
        with("encoder", [](Config&) {}),
        with("no parameters", [](Config& c) { c.attention.projections = Projections::none; }),
        with("shared projections", [](Config& c) { c.attention.projections = Projections::shared; }),
        with("no biases", [](Config& c) { c.attention.biases = false; }),
        with("d_k 3, d_v 5", [](Config& c) { c.attention.d_head = 3, c.attention.d_value = 5; }),
        with("hard attention", [](Config& c) { c.attention.hard = true; }),
        with("no scale", [](Config& c) { c.attention.scale = false; }),
        with("no padding mask", [](Config& c) { c.attention.padding_mask = false; }),
        with("no scale, no mask", [](Config& c) { c.attention.scale = c.attention.padding_mask = false; }),
        with("one head", [](Config& c) { c.n_heads = 1; }),
        with("eight heads", [](Config& c) { c.n_heads = 8; }),
        with("grouped queries", [](Config& c) { c.n_heads = 4, c.attention.n_key_value_heads = 2; }),
        with("one key head for all", [](Config& c) { c.n_heads = 4, c.attention.n_key_value_heads = 1; }),
        with("bias on q, k, v only", [](Config& c) { c.attention.output_bias = OutputBias::no; }),
        with("bias on the output only",
             [](Config& c) { c.attention.biases = false, c.attention.output_bias = OutputBias::yes; }),
        with("queries and keys normalized", [](Config& c) { c.attention.qk_norm = true; }),
        with("scale width", [](Config& c) { c.attention.scale_width = 3; }),
        with("window", [](Config& c) { c.attention.window = 2; }),
        with("window in every other block",
             [](Config& c) { c.attention.window = 2, c.attention.window_layers = "-w"; }),
    };
}

std::vector<Variant> position_variants() {
    return {
        with("no positions", [](Config& c) { c.positions = Positions::none; }),
        with("index", [](Config& c) { c.positions = Positions::index; }),
        with("index over length", [](Config& c) { c.positions = Positions::index_over_length; }),
        with("sinusoidal", [](Config& c) { c.positions = Positions::sinusoidal; }),
        with("rotary", [](Config& c) { c.positions = Positions::rotary; }),
        with("rotary on half of the features", [](Config& c) { c.positions = Positions::rotary, c.rotary_pct = 0.5f; }),
        with("rotary, shared projections",
             [](Config& c) { c.positions = Positions::rotary, c.attention.projections = Projections::shared; }),
        with("rotary in halves, Llama 3's angles",
             [](Config& c) {
                 c.positions = Positions::rotary;
                 c.rotary = {.halves = true, .scaling = RotaryScaling::llama3, .factor = 8, .original_length = 16};
             }),
        with("rotary in halves, linear",
             [](Config& c) {
                 c.positions = Positions::rotary;
                 c.rotary = {.base = 500, .halves = true, .scaling = RotaryScaling::linear, .factor = 2};
             }),
        with("alibi", [](Config& c) { c.positions = Positions::alibi; }),
    };
}

std::vector<Variant> block_variants() {
    return {
        with("post-LN", [](Config& c) { c.norm_placement = NormPlacement::post; }),
        with("stream normalized first", [](Config& c) { c.norm_placement = NormPlacement::stream_first; }),
        with("norm before and after", [](Config& c) { c.norm_placement = NormPlacement::pre_and_post; }),
        with("parallel", [](Config& c) { c.parallel = true; }),
        with("parallel, no norm", [](Config& c) { c.parallel = true, c.norm_placement = NormPlacement::none; }),
        with("GEGLU by tanh", [](Config& c) { c.activation = Activation::geglu_tanh; }),
        with("no norm", [](Config& c) { c.norm_placement = NormPlacement::none; }),
        with("one γ and one β", [](Config& c) { c.norm_scalar = true; }),
        with("RMSNorm", [](Config& c) { c.norm = NormKind::rms_norm; }),
        with("RMSNorm, one γ", [](Config& c) { c.norm = NormKind::rms_norm, c.norm_scalar = true; }),
        with("batch normalization", [](Config& c) { c.norm = NormKind::batch_norm; }),
        with("ReLU", [](Config& c) { c.activation = Activation::relu; }),
        with("GELU by tanh", [](Config& c) { c.activation = Activation::gelu_tanh; }),
        with("SwiGLU", [](Config& c) { c.activation = Activation::swiglu; }),
        with("attention only", [](Config& c) { c.activation = Activation::none; }),
        with("no residual", [](Config& c) { c.residual = false; }),
        with("no residual, post-LN", [](Config& c) { c.residual = false, c.norm_placement = NormPlacement::post; }),
        with("residual at attention only", [](Config& c) { c.mlp_residual = false; }),
        with("residual at attention only, no norm",
             [](Config& c) { c.mlp_residual = false, c.norm_placement = NormPlacement::none; }),
        with("residual at attention only, post-LN",
             [](Config& c) { c.mlp_residual = false, c.norm_placement = NormPlacement::post; }),
        with("dropout", [](Config& c) { c.dropout = 0.3f; }),
    };
}

std::vector<Variant> end_variants() {
    return {
        with("untied", [](Config& c) { c.tied = false; }),
        with("embedding scaled", [](Config& c) { c.embedding_scale = 2.5f; }),
        with("embedding with norm and token types", [](Config& c) { c.embedding_norm = true, c.d_token_types = 2; }),
        with("bias of the words", [](Config& c) { c.unembed_bias = true; }),
        with("head transform, untied", [](Config& c) { c.head_transform = c.unembed_bias = true, c.tied = false; }),
        with("classes", [](Config& c) { c.output = OutputKind::classes, c.d_output = 3; }),
        with("classes, read at the first word",
             [](Config& c) { c.output = OutputKind::classes, c.d_output = 3, c.readout = Readout::first; }),
        with("classes, read at the last word",
             [](Config& c) { c.output = OutputKind::classes, c.d_output = 3, c.readout = Readout::last; }),
        with("values out", [](Config& c) { c.output = OutputKind::values, c.d_output = 2; }),
        with("vectors out", [](Config& c) { c.output = OutputKind::vectors, c.d_output = c.d_model; }),
        with("values in and out",
             [](Config& c) {
                 c.input = InputKind::values, c.output = OutputKind::values, c.d_input = 3, c.d_output = 1;
                 c.d_vocab = 0, c.family = Family::decoder;
             }),
        with("values in, words out", [](Config& c) { c.input = InputKind::values, c.d_input = 3, c.tied = false; }),
    };
}

std::vector<Variant> family_variants() {
    const auto classic = [](Config& c, Family family) {
        c.family = family, c.positions = Positions::none, c.activation = Activation::none, c.residual = false;
        c.norm_placement = NormPlacement::none;
    };
    return {
        with("decoder", [](Config& c) { c.family = Family::decoder; }),
        with("GPT-2-shaped", [](Config& c) { c.family = Family::decoder, c.activation = Activation::gelu_tanh; }),
        with("LLaMA-shaped",
             [](Config& c) {
                 c.family = Family::decoder, c.activation = Activation::swiglu, c.norm = NormKind::rms_norm;
                 c.positions = Positions::rotary, c.attention.biases = false, c.tied = false;
             }),
        with("Qwen3-shaped",
             [](Config& c) {
                 c.family = Family::decoder, c.activation = Activation::swiglu, c.norm = NormKind::rms_norm;
                 c.positions = Positions::rotary, c.rotary.halves = true, c.attention.biases = false;
                 c.n_heads = 4, c.attention.n_key_value_heads = 2, c.attention.qk_norm = true, c.attention.d_head = 6;
             }),
        with("GPT-NeoX-shaped",
             [](Config& c) {
                 c.family = Family::decoder, c.positions = Positions::rotary, c.rotary.halves = true;
                 c.rotary_pct = 0.5f, c.parallel = true, c.tied = false;
             }),
        with("Gemma-shaped",
             [](Config& c) {
                 c.family = Family::decoder, c.activation = Activation::geglu_tanh, c.norm = NormKind::rms_norm;
                 c.positions = Positions::rotary, c.rotary = {.base = 5000, .halves = true}, c.rotary_window_base = 100;
                 c.norm_placement = NormPlacement::pre_and_post, c.embedding_scale = 2.5f;
                 c.attention = {.biases = false,
                                .d_head = 6,
                                .n_key_value_heads = 1,
                                .qk_norm = true,
                                .scale_width = 7,
                                .window = 2,
                                .window_layers = "w-"};
             }),
        with("BERT-shaped",
             [](Config& c) {
                 c.norm_placement = NormPlacement::post, c.embedding_norm = true, c.d_token_types = 2;
                 c.head_transform = c.unembed_bias = c.pooler = true;
             }),
        with("decoder, hard, alibi",
             [](Config& c) { c.family = Family::decoder, c.positions = Positions::alibi, c.attention.hard = true; }),
        with("encoder-decoder", [](Config& c) { c.family = Family::encoder_decoder; }),
        with("encoder-decoder, own source words, post-LN",
             [](Config& c) {
                 c.family = Family::encoder_decoder, c.d_source_vocab = 9, c.n_encoder_layers = 1, c.tied = false;
                 c.norm_placement = NormPlacement::post;
             }),
        with("encoder-decoder, attention only, shared projections",
             [](Config& c) {
                 c.family = Family::encoder_decoder, c.activation = Activation::none;
                 c.attention.projections = Projections::shared;
             }),
        with("encoder-decoder without parameters in attention",
             [](Config& c) { c.family = Family::encoder_decoder, c.attention.projections = Projections::none; }),
        with("recurrent network", [=](Config& c) { classic(c, Family::rnn); }),
        with("GRU", [=](Config& c) { classic(c, Family::gru); }),
        with("GRU with norm and residual", [](Config& c) { c.family = Family::gru, c.activation = Activation::none; }),
    };
}

std::vector<float> whole(Rng& rng, std::size_t count, int below) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(rng.below(static_cast<std::uint64_t>(below)));
    return values;
}

std::vector<float> normal(Rng& rng, std::size_t count) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(rng.normal());
    return values;
}

/// Returns a mask for sentences of different lengths.
std::vector<float> padded(int batch, int positions) {
    std::vector<float> mask(static_cast<std::size_t>(batch * positions), 1.0f);
    for (int b = 0; b < batch; ++b)
        for (int p = positions - b % 3; p < positions; ++p) mask[b * positions + p] = 0.0f;
    return mask;
}

Batch random_batch(const TransformerConfig& c, int batch) {
    Rng rng(17);
    const auto words = static_cast<std::size_t>(batch * VariantModel::positions),
               source = static_cast<std::size_t>(batch * VariantModel::source_positions),
               targets = c.output == OutputKind::classes ? static_cast<std::size_t>(batch) : words;
    Batch out;
    if (c.input == InputKind::words) out.tokens = whole(rng, words, c.d_vocab);
    out.values = normal(rng, words * static_cast<std::size_t>(c.d_input));
    out.key_mask = padded(batch, VariantModel::positions);
    out.source_tokens = whole(rng, source, c.d_source_vocab > 0 ? c.d_source_vocab : std::max(c.d_vocab, 1));
    out.source_key_mask = padded(batch, VariantModel::source_positions);
    out.targets = whole(rng, targets, c.output == OutputKind::classes ? c.d_output : std::max(c.d_vocab, 1));
    out.target_values = normal(rng, words * static_cast<std::size_t>(c.d_output));
    for (std::size_t i = 0; i < targets; ++i)
        out.loss_weights.push_back(i % 3 == 2 ? 0.0f : 0.5f + static_cast<float>(i % 2));
    return out;
}

double cross_entropy(const float* logits, std::int64_t width, int target) {
    const double top = static_cast<double>(*std::max_element(logits, logits + width));
    double sum = 0.0;
    for (std::int64_t i = 0; i < width; ++i) sum += std::exp(static_cast<double>(logits[i]) - top);
    return std::log(sum) + top - static_cast<double>(logits[target]);
}

double squared_error(const float* prediction, const float* target, std::int64_t width) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < width; ++i) {
        const double e = static_cast<double>(prediction[i]) - static_cast<double>(target[i]);
        sum += e * e;
    }
    return sum / static_cast<double>(width);
}

}  // namespace

const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> list;
        for (auto& group :
             {attention_variants(), position_variants(), block_variants(), end_variants(), family_variants()})
            list.insert(list.end(), group.begin(), group.end());
        return list;
    }();
    return all;
}

VariantModel::VariantModel(const Variant& variant, int batch, bool in_training)
    : model(build_transformer(variant.config, {batch, positions, source_positions})),
      graph(*model.graph),
      inputs(random_batch(variant.config, batch)),
      training(in_training) {
    const std::vector<float> fresh = initial_parameters(graph, 1);
    parameters.assign(fresh.begin(), fresh.end());
    Rng rng(5);
    for (const int id : graph.parameters())
        for (std::int64_t i = 0; i < graph[id].shape.elements(); ++i)
            // A variance stays positive.
            parameters[graph[id].offset + i] += static_cast<float>(
                0.1 * (graph[id].name.ends_with("running_var") ? std::abs(rng.normal()) : rng.normal()));
}

std::unique_ptr<Execution> VariantModel::prepare(Backend& backend, const PlanRequest& request) const {
    std::unique_ptr<Execution> run = backend.prepare(model.graph, request);
    set_inputs(*run, model, inputs);
    const float state[] = {training ? 1.0f : 0.0f, 3.0f, 4.0f};
    if (model.state >= 0) run->set_input(model.state, state);
    return run;
}

std::vector<int> VariantModel::all_nodes() const {
    std::vector<int> ids;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) ids.push_back(id);
    return ids;
}

std::vector<float> VariantModel::read(const Execution& run, int id) const {
    std::vector<float> values(static_cast<std::size_t>(graph[id].shape.elements()));
    run.read(id, values);
    return values;
}

double VariantModel::loss(const Execution& run) const {
    const std::vector<float> logits = read(run, model.logits);
    const std::int64_t width = graph[model.logits].shape.back();
    double sum = 0.0, total = 0.0;
    for (std::size_t row = 0; row < inputs.loss_weights.size(); ++row) {
        const float* at = logits.data() + static_cast<std::int64_t>(row) * width;
        const auto weight = static_cast<double>(inputs.loss_weights[row]);
        sum += weight *
               (model.config.outputs_numbers()
                    ? squared_error(at, inputs.target_values.data() + static_cast<std::int64_t>(row) * width, width)
                    : cross_entropy(at, width, static_cast<int>(inputs.targets[row])));
        total += weight;
    }
    return sum / total;
}

}  // namespace glassformer::testing
