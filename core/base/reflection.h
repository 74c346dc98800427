#pragma once

#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/filled.h"

namespace glassformer {

// What files and command lines need to know about enums and structs. A struct that is written to files lists its fields
// in `visit_fields(struct, visit)` beside its declaration, which calls for each field, once and in order,
//
//     visit("d_model", config.d_model);                // a field of every file
//     visit.where_set("window", options.window, 0);    // missing in older files: written only if not 0

/// T or const T: what visit_fields() gets from a reader or from a writer.
template <class Given, class T>
concept MaybeConst = std::same_as<std::remove_const_t<Given>, T>;

/// The names of an enum's values in files and on command lines, in the order of the values. An enum with names
/// specialises this beside its declaration, with names_up_to().
template <class Enum>
inline constexpr std::array<std::string_view, 0> enum_names{};

/// One name for each value up to the enum's last.
template <auto last, class... Names>
consteval auto names_up_to(Names... names) {
    static_assert(sizeof...(names) == static_cast<std::size_t>(last) + 1, "a value without a name");
    return std::array<std::string_view, sizeof...(names)>{names...};
}

/// "decoder" for Family::decoder.
template <class Enum>
requires(!enum_names<Enum>.empty()) constexpr std::string_view name_of(Enum value) {
    return enum_names<Enum>[static_cast<std::size_t>(value)];
}

/// The value with that name. Throws Error: `<field> is "<name>"; it must be one of "encoder", "decoder", …`.
template <class Enum>
Enum value_of(std::string_view name, std::string_view field) {
    std::string known;
    for (std::size_t i = 0; i < enum_names<Enum>.size(); ++i) {
        if (enum_names<Enum>[i] == name) return static_cast<Enum>(i);
        known += (i == 0 ? "" : ", ") + quoted_name(enum_names<Enum>[i]);
    }
    throw Error("{1} is \"{2}\"; it must be one of {3}", field, name.substr(0, 60), known);
}

/// The value with that name. Throws Error: `there is no <kind> "<name>"; there are sgd, momentum, adam and adamw`.
template <class Enum>
Enum choice_of(std::string_view name, std::string_view kind) {
    const auto& names = enum_names<Enum>;
    std::string known;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<Enum>(i);
        if (i + 1 < names.size()) known += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    throw Error("there is no {1} \"{2}\"; there are {3} and {4}", kind, name, known, names.back());
}

}  // namespace glassformer
