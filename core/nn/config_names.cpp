#include "core/nn/config_names.h"

#include <array>

namespace glassformer {

namespace {

/// The list must be as long as the enum: `last` is its last value.
template <auto last, std::size_t count>
std::span<const std::string_view> complete(const std::array<std::string_view, count>& names) {
    static_assert(count == static_cast<std::size_t>(last) + 1);
    return names;
}

}  // namespace

template <>
std::span<const std::string_view> names_of<Family>() {
    static constexpr std::array<std::string_view, 5> names{"encoder", "decoder", "encoder_decoder", "rnn", "gru"};
    return complete<Family::gru>(names);
}

template <>
std::span<const std::string_view> names_of<Positions>() {
    static constexpr std::array<std::string_view, 7> names{
        "none", "index", "index_over_length", "learned", "sinusoidal", "rotary", "alibi"};
    return complete<Positions::alibi>(names);
}

template <>
std::span<const std::string_view> names_of<NormPlacement>() {
    static constexpr std::array<std::string_view, 5> names{"pre", "post", "stream_first", "pre_and_post", "none"};
    return complete<NormPlacement::none>(names);
}

template <>
std::span<const std::string_view> names_of<NormKind>() {
    static constexpr std::array<std::string_view, 3> names{"layer_norm", "rms_norm", "batch_norm"};
    return complete<NormKind::batch_norm>(names);
}

template <>
std::span<const std::string_view> names_of<Activation>() {
    static constexpr std::array<std::string_view, 6> names{"relu", "gelu", "gelu_tanh", "swiglu", "geglu_tanh", "none"};
    return complete<Activation::none>(names);
}

template <>
std::span<const std::string_view> names_of<InputKind>() {
    static constexpr std::array<std::string_view, 2> names{"words", "values"};
    return complete<InputKind::values>(names);
}

template <>
std::span<const std::string_view> names_of<OutputKind>() {
    static constexpr std::array<std::string_view, 4> names{"words", "classes", "values", "vectors"};
    return complete<OutputKind::vectors>(names);
}

template <>
std::span<const std::string_view> names_of<Readout>() {
    static constexpr std::array<std::string_view, 3> names{"mean", "first", "last"};
    return complete<Readout::last>(names);
}

template <>
std::span<const std::string_view> names_of<Projections>() {
    static constexpr std::array<std::string_view, 3> names{"separate", "shared", "none"};
    return complete<Projections::none>(names);
}

template <>
std::span<const std::string_view> names_of<OutputBias>() {
    static constexpr std::array<std::string_view, 3> names{"as_others", "yes", "no"};
    return complete<OutputBias::no>(names);
}

template <>
std::span<const std::string_view> names_of<RotaryScaling>() {
    static constexpr std::array<std::string_view, 3> names{"none", "linear", "llama3"};
    return complete<RotaryScaling::llama3>(names);
}

void fail_for_name(std::string_view field, std::string_view name, std::span<const std::string_view> known) {
    std::string list;
    for (const std::string_view word : known) list += (list.empty() ? "" : ", ") + std::string(word);
    throw Error(std::string(field) + " is \"" + std::string(name.substr(0, 60)) + "\"; it must be one of " + list);
}

}  // namespace glassformer
