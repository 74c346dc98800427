#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/io/hugging_face_config.h"
#include "core/io/tensor_layout.h"

namespace glassformer {

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

/// All that are known besides GPT-2, which is written as well (core/io/gpt2_config.h).
const std::vector<HuggingFaceFamily>& hugging_face_families();
std::vector<HuggingFaceFamily> llama_families();  // Llama, Mistral, Qwen2, Qwen3, Gemma, Gemma 3
std::vector<HuggingFaceFamily> gpt_families();    // GPT-NeoX, GPT-Neo
std::vector<HuggingFaceFamily> bert_families();   // BERT, DistilBERT, RoBERTa, XLM-R, CamemBERT

/// The one whose model_type that is; null where there is none.
const HuggingFaceFamily* find_family(const std::string& model_type);

/// Tensors of one block of Transformers, as they are added to a layout.
class BlockTensors {
public:
    BlockTensors(TensorLayout& list, std::string theirs, std::string ours)
        : list_(list), theirs_(std::move(theirs)), ours_(std::move(ours)) {}

    /// A linear map, whose weight is stored with its columns as rows; "attn" and "Q" are our W_Q and b_Q of attn.
    void linear(const std::string& name, const std::string& part, const std::vector<std::string>& letters, bool bias,
                int heads = 0);
    /// A norm's γ, and β where there is one.
    void norm(const std::string& name, const std::string& part, bool bias, float added = 0.0f);

private:
    TensorLayout& list_;
    std::string theirs_, ours_;
};

/// Whether the name is that prefix, a number, and then that ending: "h.", "3", ".attn.bias".
bool is_of_layer(const std::string& name, const std::string& prefix, const std::string& ending);

}  // namespace glassformer
