// The config of a case, from JSON: every field under its C++ name, switches as words.
#include <array>
#include <string_view>

#include "core/base/error.h"
#include "tests/golden/golden.h"

namespace glassformer::golden {

namespace {

/// Reads fields of one object, and holds it to have no others.
class Fields {
public:
    explicit Fields(const nlohmann::json& object) : object_(object) {}

    template <class T>
    void operator()(const char* name, T& value) {
        value = object_.at(name).get<T>();
        ++read_;
    }

    /// A switch: its names in the order of its values.
    template <class Enum, std::size_t count>
    void operator()(const char* name, Enum& value, const std::array<std::string_view, count>& words) {
        const std::string word = object_.at(name);
        for (std::size_t i = 0; i < count; ++i)
            if (words[i] == word) {
                value = static_cast<Enum>(i);
                ++read_;
                return;
            }
        throw Error("a golden file has the " + std::string(name) + " \"" + word + "\", which the test does not know");
    }

    void finish() const {
        if (read_ != object_.size()) throw Error("a golden file has fields of the config that the test does not know");
    }

private:
    const nlohmann::json& object_;
    std::size_t read_ = 0;
};

AttentionOptions read_attention(const nlohmann::json& object) {
    AttentionOptions a;
    Fields field(object);
    field("projections", a.projections, std::to_array<std::string_view>({"separate", "shared", "none"}));
    field("biases", a.biases);
    field("d_head", a.d_head);
    field("d_value", a.d_value);
    field("hard", a.hard);
    field("scale", a.scale);
    field("padding_mask", a.padding_mask);
    field.finish();
    return a;
}

void read_switches(Fields& field, TransformerConfig& c) {
    using Words = std::string_view;
    field("family", c.family, std::to_array<Words>({"encoder", "decoder", "encoder_decoder", "rnn", "gru"}));
    field("positions", c.positions,
          std::to_array<Words>({"none", "index", "index_over_length", "learned", "sinusoidal", "rotary", "alibi"}));
    field("norm_placement", c.norm_placement, std::to_array<Words>({"pre", "post", "stream_first", "none"}));
    field("norm", c.norm, std::to_array<Words>({"layer_norm", "rms_norm", "batch_norm"}));
    field("activation", c.activation, std::to_array<Words>({"relu", "gelu", "gelu_tanh", "swiglu", "none"}));
    field("input", c.input, std::to_array<Words>({"words", "values"}));
    field("output", c.output, std::to_array<Words>({"words", "classes", "values"}));
    field("norm_scalar", c.norm_scalar);
    field("residual", c.residual);
    field("tied", c.tied);
}

}  // namespace

TransformerConfig read_config(const nlohmann::json& object) {
    TransformerConfig c;
    Fields field(object);
    nlohmann::json attention;
    field("attention", attention);
    c.attention = read_attention(attention);
    read_switches(field, c);
    field("d_vocab", c.d_vocab);
    field("n_ctx", c.n_ctx);
    field("d_model", c.d_model);
    field("n_heads", c.n_heads);
    field("n_layers", c.n_layers);
    field("d_mlp", c.d_mlp);
    field("layer_norm_epsilon", c.layer_norm_epsilon);
    field("init_std", c.init_std);
    field("dropout", c.dropout);
    field("d_input", c.d_input);
    field("d_output", c.d_output);
    field("d_source_vocab", c.d_source_vocab);
    field("n_encoder_layers", c.n_encoder_layers);
    field.finish();
    return c;
}

}  // namespace glassformer::golden
