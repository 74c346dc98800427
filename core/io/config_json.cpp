#include "core/io/config_json.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/io/json_fields.h"
#include "core/nn/config.h"

namespace glassformer {

namespace {

using nlohmann::json;

// The lists of fields stand once, for writing and reading. The structured bindings do not compile when a struct has
// gained a field that is not here.

template <class Options, class Visit>
void visit_attention(Options& options, const Visit& visit) {
    auto& [projections, biases, d_head, d_value, hard, scale, padding_mask, n_key_value_heads, output_bias, qk_norm,
           scale_width, window, window_layers, causal_mask] = options;
    if (!causal_mask) throw Error("a model whose causal mask is off is only looked at; it cannot be saved");
    visit("projections", projections);
    visit("biases", biases);
    visit("d_head", d_head);
    visit("d_value", d_value);
    visit("hard", hard);
    visit("scale", scale);
    visit("padding_mask", padding_mask);
    visit.where_set("n_key_value_heads", n_key_value_heads, 0);
    visit.where_set("output_bias", output_bias, OutputBias::as_others);
    visit.where_set("qk_norm", qk_norm, false);
    visit.where_set("scale_width", scale_width, 0);
    visit.where_set("window", window, 0);
    visit.where_set("window_layers", window_layers, std::string());
}

template <class Options, class Visit>
void visit_rotary(Options& options, const Visit& visit) {
    auto& [base, halves, scaling, factor, low_frequency_factor, high_frequency_factor, original_length] = options;
    visit("base", base);
    visit("halves", halves);
    visit("scaling", scaling);
    visit("factor", factor);
    visit("low_frequency_factor", low_frequency_factor);
    visit("high_frequency_factor", high_frequency_factor);
    visit("original_length", original_length);
}

template <class Config, class Visit>
void visit_config(Config& config, const Visit& visit) {
    auto& [d_vocab, n_ctx, d_model, n_heads, n_layers, d_mlp, norm_epsilon, init_std, family, attention, positions,
           rotary_pct, rotary, rotary_window_base, norm_placement, norm, norm_scalar, activation, residual,
           mlp_residual, parallel, embedding_scale, embedding_norm, d_token_types, sentence_end, head_transform, pooler,
           unembed_bias, dropout, tied, input, d_input, output, d_output, readout, d_source_vocab, n_encoder_layers] =
        config;
    visit("d_vocab", d_vocab);
    visit("n_ctx", n_ctx);
    visit("d_model", d_model);
    visit("n_heads", n_heads);
    visit("n_layers", n_layers);
    visit("d_mlp", d_mlp);
    visit("layer_norm_epsilon", norm_epsilon);
    visit("init_std", init_std);
    visit("family", family);
    visit("attention", attention);
    visit("positions", positions);
    visit.where_set("rotary_pct", rotary_pct, 1.0f);
    visit.where_set("rotary", rotary, RotaryOptions{});
    visit.where_set("rotary_window_base", rotary_window_base, 0.0f);
    visit("norm_placement", norm_placement);
    visit("norm", norm);
    visit("norm_scalar", norm_scalar);
    visit("activation", activation);
    visit("residual", residual);
    visit.where_set("mlp_residual", mlp_residual, true);
    visit.where_set("parallel", parallel, false);
    visit.where_set("embedding_scale", embedding_scale, 1.0f);
    visit.where_set("embedding_norm", embedding_norm, false);
    visit.where_set("d_token_types", d_token_types, 0);
    visit.where_set("sentence_end", sentence_end, -1);
    visit.where_set("head_transform", head_transform, false);
    visit.where_set("pooler", pooler, false);
    visit.where_set("unembed_bias", unembed_bias, false);
    visit("dropout", dropout);
    visit("tied", tied);
    visit("input", input);
    visit("d_input", d_input);
    visit("output", output);
    visit("d_output", d_output);
    visit.where_set("readout", readout, Readout::mean);
    visit("d_source_vocab", d_source_vocab);
    visit("n_encoder_layers", n_encoder_layers);
}

/// Writes one field into an object.
struct Writer {
    json& object;

    void operator()(const char* name, int value) const { object[name] = value; }
    void operator()(const char* name, bool value) const { object[name] = value; }
    void operator()(const char* name, float value) const { object[name] = shortest(value); }
    void operator()(const char* name, const std::string& value) const { object[name] = value; }
    void operator()(const char* name, const RotaryOptions& value) const {
        visit_rotary(value, Writer{object[name] = json::object()});
    }
    void operator()(const char* name, const AttentionOptions& value) const {
        visit_attention(value, Writer{object[name] = json::object()});
    }
    template <class Enum>
    void operator()(const char* name, Enum value) const {
        object[name] = name_of(value);
    }
    /// A field that older files do not have is written where it is not as it was for them.
    template <class T>
    void where_set(const char* name, const T& value, const T& otherwise) const {
        if (value != otherwise) (*this)(name, value);
    }
};

/// Reads one field from an object, and keeps its name.
struct Reader {
    const json& object;
    const std::string& file;
    std::vector<std::string>& known;

    template <class T>
    void operator()(const char* name, T& value) const {
        known.emplace_back(name);
        if constexpr (std::is_enum_v<T>)
            value = value_of<T>(field<std::string>(object, name, file), file + ": \"" + name + "\"");
        else
            value = field<T>(object, name, file);
    }
    template <class T>
    void where_set(const char* name, T& value, const T& otherwise) const {
        value = otherwise;
        if (has_field(object, name))
            (*this)(name, value);
        else
            known.emplace_back(name);
    }
    void operator()(const char* name, AttentionOptions& value) const {
        read_inner(name, [&](const Reader& inner) { visit_attention(value, inner); });
    }
    void operator()(const char* name, RotaryOptions& value) const {
        read_inner(name, [&](const Reader& inner) { visit_rotary(value, inner); });
    }
    template <class Visit>
    void read_inner(const char* name, const Visit& visit) const {
        known.emplace_back(name);
        const auto found = object.find(name);
        if (found == object.end() || !found->is_object()) fail_in_field(file, name, "must be an object");
        std::vector<std::string> inner;
        visit(Reader{*found, file, inner});
        require_known(*found, inner);
    }
    void require_known(const json& fields, const std::vector<std::string>& names) const {
        for (const auto& [name, value] : fields.items())
            if (std::ranges::find(names, name) == names.end())
                fail_in_field(file, name, "is not known to this version; was it written by a newer one?");
    }
};

}  // namespace

json config_to_json(const TransformerConfig& config) {
    json object = json::object();
    visit_config(config, Writer{object});
    return object;
}

TransformerConfig config_from_json(const json& object, const std::string& file,
                                   const std::vector<std::string>& other_fields) {
    TransformerConfig config;
    std::vector<std::string> known = other_fields;
    const Reader reader{object, file, known};
    visit_config(config, reader);
    reader.require_known(object, known);
    validate_in(file, config);
    return config;
}

bool is_plain_encoder(const TransformerConfig& config) {
    TransformerConfig plain;
    plain.d_vocab = config.d_vocab;
    plain.n_ctx = config.n_ctx;
    plain.d_model = config.d_model;
    plain.n_heads = config.n_heads;
    plain.n_layers = config.n_layers;
    plain.d_mlp = config.d_mlp;
    plain.norm_epsilon = config.norm_epsilon;
    plain.init_std = config.init_std;
    return plain == config;
}

json encoder_to_json(const TransformerConfig& config) {
    return {{"activation_function", "gelu"},
            {"tie_word_embeddings", true},
            {"vocab_size", config.d_vocab},
            {"n_positions", config.n_ctx},
            {"n_embd", config.d_model},
            {"n_head", config.n_heads},
            {"n_layer", config.n_layers},
            {"n_inner", config.d_mlp},
            {"layer_norm_epsilon", config.norm_epsilon},
            {"initializer_range", config.init_std}};
}

TransformerConfig encoder_from_json(const json& object, const std::string& file) {
    TransformerConfig config;
    config.d_vocab = field<int>(object, "vocab_size", file);
    config.n_ctx = field<int>(object, "n_positions", file);
    config.d_model = field<int>(object, "n_embd", file);
    config.n_heads = field<int>(object, "n_head", file);
    config.n_layers = field<int>(object, "n_layer", file);
    config.d_mlp = field<int>(object, "n_inner", file);
    config.norm_epsilon = field<float>(object, "layer_norm_epsilon", file);
    config.init_std = field<float>(object, "initializer_range", file);
    validate_in(file, config);
    return config;
}

void validate_in(const std::string& file, const TransformerConfig& config) {
    try {
        validate(config);
    } catch (const Error& e) {
        throw Error(file + ": " + e.what());
    }
}

}  // namespace glassformer
