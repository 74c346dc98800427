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

    /// `"<name>" <problem>`, among what is wrong; the problem is an Error's pattern and places.
    template <typename... Places>
    void refuse_field(const char* name, std::string_view pattern, const Places&... places) {
        problems_.push_back(filled_with(N_("\"{1}\" {2}"), name, filled_with(pattern, places...)));
    }
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
            const std::string_view what = e.what();
            problems_.emplace_back(what.starts_with(file_ + ": ") ? what.substr(file_.size() + 2) : what);
            return T{};
        }
    }
    void read_scaling(const nlohmann::json& from, const char* name, RotaryOptions& options);

    const nlohmann::json& object_;
    std::string file_;
    std::vector<std::string> problems_;  // without the file
};

/// The functions of GPT-like MLPs by Transformers' names.
const std::map<std::string, Activation>& plain_activations();

/// One architecture of Transformers: how its config.json and its tensors are read; for the files of core/io only.
struct HuggingFaceFamily {
    /// What config.json says in "model_type", or where that is missing in "architectures".
    std::string model_type, architecture;
    TransformerConfig (*config)(HuggingFaceConfig& fields);
    TensorLayout (*layout)(const TransformerConfig& config);
    /// The layout's name for a tensor of a file; empty for one to be ignored.
    std::string (*name)(const std::string& in_file);
    /// Sets what config.json does not say and the names of the tensors do; null where there is nothing.
    void (*complete)(TransformerConfig& config, const std::set<std::string>& names) = nullptr;
};

/// All that are known, GPT-2 first: that one is written as well (core/io/hugging_face.h).
const std::vector<HuggingFaceFamily>& hugging_face_families();
std::vector<HuggingFaceFamily> llama_families();  // Llama, Mistral, Qwen2, Qwen3, Gemma, Gemma 3
std::vector<HuggingFaceFamily> gpt_families();    // GPT-2, GPT-NeoX, GPT-Neo
std::vector<HuggingFaceFamily> bert_families();   // BERT, DistilBERT, RoBERTa, XLM-R, CamemBERT

/// The one whose model_type that is; null where there is none.
const HuggingFaceFamily* find_family(const std::string& model_type);

/// Tensors of one block of Transformers, as they are added to a layout.
class BlockTensors {
public:
    /// `conv1d`: linear maps are GPT-2's Conv1D, whose weights lie as ours do, [in, out], and not as [out, in].
    BlockTensors(TensorLayout& list, std::string theirs, std::string ours, bool conv1d = false)
        : list_(list), theirs_(std::move(theirs)), ours_(std::move(ours)), conv1d_(conv1d) {}

    /// A linear map; "attn" and "Q" are our W_Q and b_Q of attn. Several letters: side by side.
    void linear(const std::string& name, const std::string& part, const std::vector<std::string>& letters, bool bias,
                int heads = 0);
    /// A norm's γ, and β where there is one.
    void norm(const std::string& name, const std::string& part, bool bias, float added = 0.0f);

private:
    TensorLayout& list_;
    std::string theirs_, ours_;
    bool conv1d_;
};

/// The unembedding: tied, it is the embedding again, and has a tensor of its own in some files only.
void add_unembedding(TensorLayout& list, const std::string& name, bool tied);

/// Whether the name is that prefix, a number, and then that ending: "h.", "3", ".attn.bias".
bool is_of_layer(const std::string& name, const std::string& prefix, const std::string& ending);

}  // namespace glassformer
