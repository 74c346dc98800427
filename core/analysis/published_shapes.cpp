#include <array>

#include "core/analysis/budget.h"

// Sizes and parameter counts as published by the makers, looked up in the papers and model cards that each line names.
// Models of one family differ only in size.
namespace glassformer {

namespace {

TransformerConfig gpt2(int d_model, int heads, int layers, int context = 1024) {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = 50257, c.n_ctx = context;
    c.d_model = d_model, c.n_heads = heads, c.n_layers = layers, c.d_mlp = 4 * d_model;
    c.activation = Activation::gelu_tanh;
    return c;
}

TransformerConfig bert(int d_model, int heads, int layers) {
    TransformerConfig c;
    c.d_vocab = 30522, c.n_ctx = 512;
    c.d_model = d_model, c.n_heads = heads, c.n_layers = layers, c.d_mlp = 4 * d_model;
    c.norm_placement = NormPlacement::post;
    c.embedding_norm = c.pooler = true;
    c.d_token_types = 2;
    c.output = OutputKind::vectors, c.d_output = d_model;
    return c;
}

struct LlamaSizes {
    int words, context, d_model, heads, key_value_heads, layers, d_mlp;
};

TransformerConfig llama(const LlamaSizes& s) {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = s.words, c.n_ctx = s.context;
    c.d_model = s.d_model, c.n_heads = s.heads, c.n_layers = s.layers, c.d_mlp = s.d_mlp;
    c.attention.biases = false;
    c.attention.n_key_value_heads = s.key_value_heads;
    c.positions = Positions::rotary;
    c.norm = NormKind::rms_norm;
    c.activation = Activation::swiglu;
    c.tied = false;
    return c;
}

}  // namespace

std::span<const PublishedShape> published_shapes() {
    constexpr std::string_view gpt2_card = "huggingface.co/openai-community/gpt2", bert_paper = "arXiv:1810.04805";
    static const std::array shapes = {
        PublishedShape{"BERT-base", bert(768, 12, 12), 109'482'240, 0, "huggingface.co/google-bert/bert-base-uncased"},
        PublishedShape{"GPT-2 small", gpt2(768, 12, 12), 124'439'808, 0, gpt2_card},
        PublishedShape{"BERT-large", bert(1024, 16, 24), 340e6, 5e6, bert_paper},
        PublishedShape{"GPT-2 medium", gpt2(1024, 16, 24), 354'823'168, 0, gpt2_card},
        PublishedShape{"GPT-2 large", gpt2(1280, 20, 36), 774'030'080, 0, gpt2_card},
        PublishedShape{"GPT-2 XL", gpt2(1600, 25, 48), 1'557'611'200, 0, gpt2_card},
        PublishedShape{"Llama 2 7B", llama({32000, 4096, 4096, 32, 32, 32, 11008}), 6'738'415'616, 0,
                       "huggingface.co/meta-llama/Llama-2-7b-hf"},
        PublishedShape{"Mistral 7B", llama({32000, 32768, 4096, 32, 8, 32, 14336}), 7'241'732'096, 0,
                       "huggingface.co/mistralai/Mistral-7B-v0.1"},
        PublishedShape{"Llama 3 8B", llama({128256, 8192, 4096, 32, 8, 32, 14336}), 8'030'261'248, 0,
                       "huggingface.co/meta-llama/Meta-Llama-3-8B"},
        PublishedShape{"Llama 3 70B", llama({128256, 8192, 8192, 64, 8, 80, 28672}), 70'553'706'496, 0,
                       "huggingface.co/meta-llama/Meta-Llama-3-70B"},
        PublishedShape{"GPT-3", gpt2(12288, 96, 96, 2048), 174.6e9, 5e7, "arXiv:2005.14165, table D.1"},
    };
    return shapes;
}

}  // namespace glassformer
