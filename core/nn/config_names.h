#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/nn/config.h"

namespace glassformer {

// The switches of TransformerConfig as words, for files and command lines: the same words as in C++.

/// All the names of one switch, in the order of its values; defined for each enum of core/nn/config.h.
template <class Enum>
std::span<const std::string_view> names_of();

template <>
std::span<const std::string_view> names_of<Family>();
template <>
std::span<const std::string_view> names_of<Positions>();
template <>
std::span<const std::string_view> names_of<NormPlacement>();
template <>
std::span<const std::string_view> names_of<NormKind>();
template <>
std::span<const std::string_view> names_of<Activation>();
template <>
std::span<const std::string_view> names_of<InputKind>();
template <>
std::span<const std::string_view> names_of<OutputKind>();
template <>
std::span<const std::string_view> names_of<Readout>();
template <>
std::span<const std::string_view> names_of<Projections>();
template <>
std::span<const std::string_view> names_of<OutputBias>();
template <>
std::span<const std::string_view> names_of<RotaryScaling>();

/// "decoder" for Family::decoder.
template <class Enum>
std::string_view name_of(Enum value) {
    return names_of<Enum>()[static_cast<std::size_t>(value)];
}

/// Throws Error: `<field> is "<name>"; it must be one of encoder, decoder, …`.
[[noreturn]] void fail_for_name(std::string_view field, std::string_view name, std::span<const std::string_view> known);

/// The value of that name. Throws Error naming the field and all the names it knows.
template <class Enum>
Enum value_of(std::string_view name, std::string_view field) {
    const std::span<const std::string_view> known = names_of<Enum>();
    for (std::size_t i = 0; i < known.size(); ++i)
        if (known[i] == name) return static_cast<Enum>(i);
    fail_for_name(field, name, known);
}

}  // namespace glassformer
