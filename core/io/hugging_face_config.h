#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/io/json_fields.h"
#include "core/nn/config.h"

namespace glassformer {

/// Reads the fields of a config.json from elsewhere and keeps everything that is wrong, so that one message names all
/// of it; for the files of core/io only.
class HuggingFaceConfig {
public:
    HuggingFaceConfig(const nlohmann::json& object, std::string file) : object_(object), file_(std::move(file)) {}

    /// A field that must be there.
    template <class T>
    T get(const char* name) {
        return read<T>([&] { return field<T>(object_, name, file_); });
    }
    template <class T>
    T get_or(const char* name, const T& otherwise) {
        return read<T>([&] { return field_or(object_, name, otherwise, file_); });
    }
    bool has(const char* name) const { return has_field(object_, name); }
    const nlohmann::json& operator[](const char* name) const { return object_.at(name); }

    /// `"<name>" <problem>`, among what is wrong.
    void refuse(const char* name, const std::string& problem);
    /// Refuses a switch that is on.
    void refuse_if_on(const char* name);
    /// The activation of that field by Transformers' name; refuses those that are not among `known`.
    Activation activation(const char* name, const char* otherwise, const std::map<std::string, Activation>& known);
    /// rope_theta and rope_scaling, or rope_parameters, of the layers of that type where the file says it by type.
    RotaryOptions rotary(const char* layer_type, float default_base);
    /// Vectors of weights in bfloat16 or float16, which round what they are multiplied by.
    std::string weight_type() const;

    /// Throws Error naming all that is wrong, a line each; or as validate() does.
    void finish(const TransformerConfig& config) const;

private:
    template <class T, class Read>
    T read(const Read& read) {
        try {
            return read();
        } catch (const Error& e) {
            problems_.push_back(e.what());
            return T{};
        }
    }
    void read_scaling(const nlohmann::json& from, const char* name, RotaryOptions& options);

    const nlohmann::json& object_;
    std::string file_;
    std::vector<std::string> problems_;
};

/// The functions of GPT-like MLPs by Transformers' names.
const std::map<std::string, Activation>& plain_activations();

}  // namespace glassformer
