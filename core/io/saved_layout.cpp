#include "core/io/saved_layout.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/io/config_json.h"
#include "core/io/gpt2_layout.h"
#include "core/io/hugging_face.h"
#include "core/io/safetensors_file.h"
#include "core/io/safetensors_header.h"

namespace glassformer {

TensorLayout saved_layout(const TransformerConfig& config, bool of_words, const Graph& graph) {
    const bool gpt2 = (is_plain_encoder(config) && of_words) || is_gpt2_shaped(config);
    return gpt2 ? gpt2_layout(config) : own_layout(graph);
}

std::map<std::string, std::string> parameters_in_python(const Graph& graph, const TensorLayout& layout) {
    std::map<std::string, std::string> python;
    for (const StoredTensor& stored : layout) {
        if (stored.repeated) continue;
        std::int64_t column = 0;
        for (const std::string& part : stored.parts) {
            const Shape& shape = graph[graph.at(part)].shape;
            const std::string from = std::to_string(column), to = std::to_string(column + shape.back());
            std::string text = "w[\"" + stored.name + "\"]";
            if (stored.transposed && shape.rank() == 2) text += ".T";
            if (stored.parts.size() > 1) text += (shape.rank() > 1 ? "[:, " : "[") + from + ":" + to + "]";
            python[part] = text;
            column += shape.back();
        }
    }
    return python;
}

bool holds_layout(const std::filesystem::path& file, const TensorLayout& layout) {
    try {
        const SafetensorsFile found(file);
        return std::ranges::all_of(layout, [&](const StoredTensor& stored) {
            return stored.repeated || std::ranges::any_of(found.entries(), [&](const TensorEntry& entry) {
                       return entry.name == stored.name && entry.dtype == Dtype::F32;
                   });
        });
    } catch (const Error&) {
        return false;
    }
}

}  // namespace glassformer
