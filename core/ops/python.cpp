#include "core/ops/python.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ops/rotary.h"

namespace glassformer::ops {

namespace {

/// The line of an op. In the expression {0} is an input, {epsilon} an attribute, {rows} {columns} {depth} an axis of
/// the output, {shape} all axes. It is written for NumPy, using names that PyTorch has too; in_library() translates the
/// others.
struct Row {
    std::string_view op;
    int inputs;  // −1: any number
    std::string_view expression;
    std::string_view function = {};
    std::string_view torch = {};  // PyTorch's own expression for it, if any; then no function is needed
};

constexpr std::string_view softmax_source = R"py(
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
)py";

constexpr std::string_view hardmax_source = R"py(
def hardmax(x):  # 1 at the largest, the first of equals
    return np.where(np.arange(x.shape[-1]) == x.argmax(-1)[..., None], 1.0, 0.0)
)py";

constexpr std::string_view alibi_source = R"py(
def alibi(scores):  # [head, query, key]
    heads, queries, keys = scores.shape
    slope = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = abs(np.arange(keys) - (keys - queries) - np.arange(queries)[:, None])
    return scores - slope[:, None, None] * distance
)py";

constexpr std::string_view window_source = R"py(
def near(scores, window):  # [head, query, key]
    heads, queries, keys = scores.shape
    distance = abs(np.arange(keys) - (keys - queries) - np.arange(queries)[:, None])
    return np.where(distance < window, scores, -np.inf)
)py";

constexpr std::string_view causal_source = R"py(
def causal(scores):  # [head, query, key]
    heads, queries, keys = scores.shape
    later = np.arange(keys) - (keys - queries) > np.arange(queries)[:, None]
    return np.where(later, -np.inf, scores)
)py";

constexpr std::string_view gelu_source = R"py(
def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / 2**0.5))
)py";

constexpr std::string_view gelu_tanh_source = R"py(
def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x**3)))
)py";

constexpr std::string_view silu_source = R"py(
def silu(x):
    return x / (1 + np.exp(-x))
)py";

constexpr std::string_view sines_source = R"py(
def sines(positions, width):
    feature = np.arange(width)
    angle = np.arange(positions)[:, None] / 10000.0 ** (feature // 2 * 2 / width)
    return np.where(feature % 2 == 0, np.sin(angle), np.cos(angle))
)py";

constexpr std::string_view rotate_source = R"py(
def rotate(x, turn, even, odd):  # [position, head, feature]
    angle = np.arange(len(x))[:, None, None] * turn
    y = x.copy()
    y[..., even] = x[..., even] * np.cos(angle) - x[..., odd] * np.sin(angle)
    y[..., odd] = x[..., even] * np.sin(angle) + x[..., odd] * np.cos(angle)
    return y
)py";

constexpr std::string_view tanh_states_source = R"py(
def states(x, W, b):  # [position, feature]
    h = np.zeros((len(x) + 1, x.shape[1]))
    for p in range(len(x)):
        h[p + 1] = np.tanh(x[p] + h[p] @ W + b)
    return h[1:]
)py";

constexpr std::string_view gru_states_source = R"py(
def gru(x, W, b):  # [position, feature]
    h = np.zeros((len(x) + 1, W.shape[0]))
    for p in range(len(x)):
        x_r, x_z, x_n = np.split(x[p], 3, -1)
        g_r, g_z, g_n = np.split(h[p] @ W + b, 3, -1)
        r, z = 1 / (1 + np.exp(-(x_r + g_r))), 1 / (1 + np.exp(-(x_z + g_z)))
        h[p + 1] = (1 - z) * np.tanh(x_n + r * g_n) + z * h[p]
    return h[1:]
)py";

constexpr std::string_view gates_source = R"py(
def gates(x, h, W, b):  # [position, feature]: r, z and n side by side
    x_r, x_z, x_n = np.split(x, 3, -1)
    g_r, g_z, g_n = np.split(np.vstack([np.zeros(h.shape[1]), h[:-1]]) @ W + b, 3, -1)
    r, z = 1 / (1 + np.exp(-(x_r + g_r))), 1 / (1 + np.exp(-(x_z + g_z)))
    return np.hstack([r, z, np.tanh(x_n + r * g_n)])
)py";

constexpr std::array rows{
    Row{"add", 2, "{0} + {1}"},
    Row{"alibi", 1, "alibi({0})", alibi_source},
    Row{"attention_values", 2, "np.einsum(\"hqk,khd->qhd\", {0}, {1})"},
    Row{"attention_scores", 2, "np.einsum(\"qhd,khd->hqk\", {0}, {1})"},
    Row{"batch_norm_mean", 2, "{0}.mean(0)"},
    Row{"batch_norm_variance", 3, "(({0} - {2}) ** 2).mean(0)"},
    Row{"batch_norm_choose", 3, "{1}"},
    Row{"batch_norm_normalize", 5, "({0} - {2}) / np.sqrt({3} + {epsilon})"},
    Row{"dropout", 2, "{0}"},
    Row{"embed", 2, "{1}[{0}]"},
    Row{"gelu", 1, "gelu({0})", gelu_source, "torch.nn.functional.gelu({0})"},
    Row{"gelu_tanh", 1, "gelu_tanh({0})", gelu_tanh_source, "torch.nn.functional.gelu({0}, approximate=\"tanh\")"},
    Row{"gru_gates", 4, "gates({0}, {1}, {2}, {3})", gates_source},
    Row{"hardmax", 1, "hardmax({0})", hardmax_source},
    Row{"head_result", 2, "np.einsum(\"phd,hdm->phm\", {0}, {1}.reshape({columns}, -1, {depth}))"},
    Row{"layer_norm_mean", 1, "{0}.mean(-1)"},
    Row{"layer_norm_normalize", 3, "({0} - {1}[..., None]) / {2}[..., None]"},
    Row{"layer_norm_scale", 2, "np.sqrt((({0} - {1}[..., None]) ** 2).mean(-1) + {epsilon})"},
    Row{"linear", 2, "{0} @ {1}"},
    Row{"linear", 3, "{0} @ {1} + {2}"},
    Row{"mask", 2, "np.where({1} > 0, {0}, -np.inf)"},
    Row{"mask_causal", 1, "causal({0})", causal_source},
    Row{"mask_window", 1, "near({0}, {window})", window_source},
    Row{"matmul_transposed", 2, "{0} @ {1}.T"},
    Row{"mean_pool", 2, "{0}.mean(0)"},
    Row{"multiply", 2, "{0} * {1}"},
    Row{"norm_affine", 2, "{0} * {1}"},
    Row{"norm_affine", 3, "{0} * {1} + {2}"},
    Row{"pos_embed", 1, "{0}[:{rows}]"},
    Row{"recurrent_gru", 3, "gru({0}, {1}, {2})", gru_states_source},
    Row{"recurrent_tanh", 3, "states({0}, {1}, {2})", tanh_states_source},
    Row{"relu", 1, "np.maximum({0}, 0)", {}, "torch.relu({0})"},
    Row{"repeat_heads", 1, "np.repeat({0}, {times}, axis=1)", {}, "{0}.repeat_interleave({times}, dim=1)"},
    Row{"reshape", 1, "{0}.reshape({shape})"},
    Row{"rms_norm_normalize", 2, "{0} / {1}[..., None]"},
    Row{"rms_norm_scale", 1, "np.sqrt(({0} ** 2).mean(-1) + {epsilon})"},
    Row{"scale", 1, "{factor} * {0}"},
    Row{"silu", 1, "silu({0})", silu_source, "torch.nn.functional.silu({0})"},
    Row{"sinusoidal_positions", 0, "sines({rows}, {columns})", sines_source},
    Row{"softmax", 1, "softmax({0})", softmax_source, "torch.softmax({0}, -1)"},
    Row{"tanh", 1, "np.tanh({0})"},
};

/// Ops whose line depends on more than the values of their attributes.
PythonLine position_index_line(const Op& op) {
    return {attribute(op, "over_length") > 0 ? "np.arange({rows})[:, None] / {rows}"
                                             : "np.arange({rows}, dtype=float)[:, None]"};
}

PythonLine rotary_line(const Op& op, const Shape& output) {
    const kernel::Rotation rotation = kernel::rotation_of(op, output.back());
    const std::string dims = std::to_string(rotation.dims), half = std::to_string(rotation.dims / 2);
    std::string turn;
    if (rotation.options.scaling == RotaryScaling::none) {
        turn = python_number(rotation.options.base) + " ** (-np.arange(0, " + dims + ", 2) / " + dims + ")";
    } else {
        turn = "np.array([";
        for (std::int64_t pair = 0; pair < rotation.dims / 2; ++pair) {
            char text[32];
            const auto end = std::to_chars(text, text + sizeof text, rotation.turn_per_position(pair)).ptr;
            turn += (pair ? ", " : "") + std::string(text, end);
        }
        turn += "])";
    }
    const std::string pairs = rotation.options.halves ? "slice(0, " + half + "), slice(" + half + ", " + dims + ")"
                                                      : "slice(0, " + dims + ", 2), slice(1, " + dims + ", 2)";
    return {"rotate({0}, " + turn + ", " + pairs + ")", std::string(rotate_source)};
}

PythonLine line_of(const Op& op, std::size_t inputs, const Shape& output, PythonLibrary library) {
    if (op.name() == "position_index") return position_index_line(op);
    if (op.name() == "rotary") return inputs == 1 ? rotary_line(op, output) : PythonLine{};
    if (op.name() == "token_pool") return {attribute(op, "last") > 0 ? "{0}[-1]" : "{0}[0]"};
    const auto row = std::ranges::find_if(rows, [&](const Row& r) {
        return r.op == op.name() && (r.inputs < 0 || r.inputs == static_cast<int>(inputs));
    });
    if (row == rows.end()) return {};
    if (library == PythonLibrary::torch && !row->torch.empty()) return {std::string(row->torch)};
    return {std::string(row->expression), std::string(row->function)};
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

std::string python_number(float value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string in_library(std::string source, PythonLibrary library) {
    if (library == PythonLibrary::numpy) return source;
    replace_all(source, "np.array(", "torch.tensor(");
    replace_all(source, "np.split(", "torch.chunk(");
    replace_all(source, "np.", "torch.");
    replace_all(source, ".copy()", ".clone()");
    return source;
}

PythonLine python_line(const Op& op, std::size_t inputs, const Shape& output, PythonLibrary library) {
    PythonLine line = line_of(op, inputs, output, library);
    line = {in_library(line.expression, library), in_library(line.function, library)};
    for (const OpAttribute& a : op.attributes())
        replace_all(line.expression, "{" + std::string(a.name) + "}", python_number(static_cast<float>(a.value)));
    constexpr std::array axes{"{rows}", "{columns}", "{depth}"};
    std::string shape;
    for (int i = 0; i < output.rank(); ++i) {
        if (i < static_cast<int>(axes.size())) replace_all(line.expression, axes[i], std::to_string(output[i]));
        shape += (i ? ", " : "") + std::to_string(output[i]);
    }
    replace_all(line.expression, "{shape}", shape);
    return line;
}

}  // namespace glassformer::ops
