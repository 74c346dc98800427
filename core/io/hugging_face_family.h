#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/io/json_fields.h"
#include "core/io/tensor_layout.h"
#include "core/nn/config.h"

namespace glassformer {

/// Reads the fields of a foreign config.json and collects all errors, so that one message can name them all; for use in
/// core/io only.
class HuggingFaceConfig {
public:
    HuggingFaceConfig(const nlohmann::json& object, std::string file) : object_(object), file_(std::move(file)) {}

    /// Reads a required field.
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

    /// Adds `"<name>" <problem>` to the errors; the problem is an Error's pattern and arguments.
    template <typename... Places>
    void refuse_field(const char* name, std::string_view pattern, const Places&... places) {
        problems_.push_back(filled_with(N_("\"{1}\" {2}"), name, filled_with(pattern, places...)));
    }
    /// Adds an error if the switch is on.
    void refuse_if_on(const char* name);
    /// The activation in that field, by Transformers' name; adds an error if it is not among `known`.
    Activation activation(const char* name, const char* otherwise, const std::map<std::string, Activation>& known);
    /// Reads rope_theta and rope_scaling, or rope_parameters; if those are given by layer type, for `layer_type`.
    RotaryOptions rotary(const char* layer_type, float default_base);
    /// The weights' type, "float32" by default. A scalar that multiplies bfloat16 vectors is rounded to bfloat16.
    std::string weight_type() const;

    /// Throws Error listing all errors, one per line; otherwise throws as validate() does.
    void finish(const TransformerConfig& config) const;

private:
    template <class T, class Read>
    T read(const Read& read) {
        try {
            return read();
        } catch (const Error& e) {
            const std::string_view what = e.what();
            problems_.emplace_back(what.starts_with(file_ + ": ") ? what.substr(file_.size() + 2) : what);
            return T{};
        }
    }
    void read_scaling(const nlohmann::json& from, const char* name, RotaryOptions& options);

    const nlohmann::json& object_;
    std::string file_;
    std::vector<std::string> problems_;  // without the file name
};

/// Activations of GPT-like MLPs, by Transformers' names.
const std::map<std::string, Activation>& plain_activations();

/// One architecture of Transformers: how to read its config.json and its tensors; for use in core/io only.
struct HuggingFaceFamily {
    /// The value of "model_type" in config.json or, if that is missing, of "architectures".
    std::string model_type, architecture;
    TransformerConfig (*config)(HuggingFaceConfig& fields);
    TensorLayout (*layout)(const TransformerConfig& config);
    /// The layout's name for a tensor in a file; empty if the tensor is to be ignored.
    std::string (*name)(const std::string& in_file);
    /// Sets what only the tensors' names reveal, not config.json; null if there is nothing.
    void (*complete)(TransformerConfig& config, const std::set<std::string>& names) = nullptr;
};

/// All supported families, GPT-2 first: that one is written as well (core/io/hugging_face.h).
const std::vector<HuggingFaceFamily>& hugging_face_families();
std::vector<HuggingFaceFamily> llama_families();  // Llama, Mistral, Qwen2, Qwen3, Gemma, Gemma 3
std::vector<HuggingFaceFamily> gpt_families();    // GPT-2, GPT-NeoX, GPT-Neo
std::vector<HuggingFaceFamily> bert_families();   // BERT, DistilBERT, RoBERTa, XLM-R, CamemBERT

/// The family with that model_type, or null.
const HuggingFaceFamily* find_family(const std::string& model_type);

/// Adds the tensors of one of Transformers' blocks to a layout.
class BlockTensors {
public:
    /// `conv1d`: linear maps are GPT-2's Conv1D, whose weights are [in, out] like ours rather than [out, in].
    BlockTensors(TensorLayout& list, std::string theirs, std::string ours, bool conv1d = false)
        : list_(list), theirs_(std::move(theirs)), ours_(std::move(ours)), conv1d_(conv1d) {}

    /// A linear map; "attn" and "Q" stand for our W_Q and b_Q of attn. Several letters are stored side by side.
    void linear(const std::string& name, const std::string& part, const std::vector<std::string>& letters, bool bias,
                int heads = 0);
    /// A norm's γ and, with `bias`, β.
    void norm(const std::string& name, const std::string& part, bool bias, float added = 0.0f);

private:
    TensorLayout& list_;
    std::string theirs_, ours_;
    bool conv1d_;
};

/// The unembedding. If tied it equals the embedding, and only some files have a tensor for it.
void add_unembedding(TensorLayout& list, const std::string& name, bool tied);

/// True if the name is the prefix, a number, then the ending: "h.", "3", ".attn.bias".
bool is_of_layer(const std::string& name, const std::string& prefix, const std::string& ending);

}  // namespace glassformer
