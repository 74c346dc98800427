#include "core/io/saved_layout.h"

#include "core/io/config_json.h"
#include "core/io/hugging_face.h"
#include "core/io/hugging_face_family.h"
#include "core/ops/python.h"

namespace glassformer {

TensorLayout saved_layout(const TransformerConfig& config, bool of_words, const Graph& graph) {
    const bool gpt2 = (is_plain_encoder(config) && of_words) || is_gpt2_shaped(config);
    return gpt2 ? find_family(gpt2_type)->layout(config) : own_layout(graph);
}

namespace {

std::string index(std::int64_t from, std::int64_t to) { return std::to_string(from) + ":" + std::to_string(to); }

/// Part `part` of what lies head by head: the first head of every part, the second of every part, …
std::string part_of_heads(const StoredTensor& stored, std::size_t part, const Shape& shape) {
    const bool matrix = shape.rank() == 2;
    const std::string rest = matrix ? ", -1" : "", width = std::to_string(shape.back());
    return std::string(matrix && !stored.transposed ? ".T" : "") + ".reshape(" + std::to_string(stored.heads) + ", " +
           std::to_string(stored.parts.size()) + ", " + std::to_string(shape.back() / stored.heads) + rest + ")[:, " +
           std::to_string(part) + "].reshape(" + width + rest + ")" + (matrix ? ".T" : "");
}

/// A parameter as the array of its tensor, cut and turned.
std::string part_in_python(const StoredTensor& stored, std::size_t part, std::int64_t column, const Shape& shape) {
    const std::string text = "w[\"" + stored.name + "\"]";
    if (stored.heads > 0) return text + part_of_heads(stored, part, shape);
    const std::string rows = stored.unused_rows > 0 ? "[" + std::to_string(stored.unused_rows) + ":]" : "",
                      turned = stored.transposed && shape.rank() == 2 ? ".T" : "",
                      columns = (shape.rank() > 1 ? "[:, " : "[") + index(column, column + shape.back()) + "]";
    return text + rows + turned + (stored.parts.size() > 1 ? columns : "");
}

}  // namespace

std::map<std::string, std::string> parameters_in_python(const Graph& graph, const TensorLayout& layout) {
    std::map<std::string, std::string> python;
    for (const StoredTensor& stored : layout) {
        if (stored.repeated) continue;
        std::int64_t column = 0;
        for (std::size_t part = 0; part < stored.parts.size(); ++part) {
            const Shape& shape = graph[graph.at(stored.parts[part])].shape;
            std::string& text = python[stored.parts[part]] = part_in_python(stored, part, column, shape);
            if (stored.added != 0.0f) text += " + " + ops::python_number(stored.added);
            column += shape.back();
        }
    }
    return python;
}

}  // namespace glassformer
