#include "core/ops/product.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "core/ops/product_kernels.h"

namespace glassformer::kernel {

namespace {

// A packed block of the right operand takes 256 KiB, so that several fit into the second-level cache. Its depth is
// limited so that one of its panels and the matching rows fit into the first level.
constexpr std::int64_t block_depth = 256, block_columns = packed_columns;
constexpr std::size_t block_slots = 8;
// Rows of the left operand that are multiplied together: few enough to stay in the second-level cache as well.
constexpr std::int64_t block_rows = 126;
// With at most this many tiles of rows, a row-major right operand is read in place, because packing would cost more.
constexpr std::int64_t most_tiles_unpacked = 3;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Packing memory of one thread. Its size is fixed, so that a product allocates nothing.
struct Workspace {
    alignas(64) float right[block_slots][block_depth * block_columns];
    alignas(64) float left[block_depth * block_rows];
    // Which block each slot holds.
    struct Label {
        PackingTicket packing = 0;
        std::int64_t block = 0;
    };
    Label labels[block_slots];
};

/// The calling thread's own workspace, created on its first product. The object itself is not thread_local: 2.2 MB
/// would then be reserved next to the stack of every thread, and where stacks are small no thread could start.
Workspace& workspace() {
    thread_local const std::unique_ptr<Workspace> own = std::make_unique_for_overwrite<Workspace>();
    return *own;
}

const TileKernels& choose_tiles() {
#if defined(GLASSFORMER_AVX512)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        return avx512_tiles;
#endif
    return default_tiles;
}

const TileKernels& tiles() {
    static const TileKernels& chosen = choose_tiles();
    return chosen;
}

#if defined(__AVX__) && (!defined(__clang_major__) ? __GNUC__ >= 12 : true)
#define GLASSFORMER_TRANSPOSE_BY_REGISTERS 1
using Four = float __attribute__((vector_size(16)));
using Eight = float __attribute__((vector_size(32)));

inline Eight two_fours(const float* low, const float* high) {
    Four l, h;
    std::memcpy(&l, low, sizeof l);
    std::memcpy(&h, high, sizeof h);
    return __builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Four columns of eight rows: to[k · to_stride + c] = from[c · from_stride + k].
inline void transpose_8_by_4(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride) {
    const Eight r04 = two_fours(from, from + 4 * from_stride),
                r15 = two_fours(from + from_stride, from + 5 * from_stride),
                r26 = two_fours(from + 2 * from_stride, from + 6 * from_stride),
                r37 = two_fours(from + 3 * from_stride, from + 7 * from_stride);
    const Eight low01 = __builtin_shufflevector(r04, r15, 0, 8, 1, 9, 4, 12, 5, 13),
                high01 = __builtin_shufflevector(r04, r15, 2, 10, 3, 11, 6, 14, 7, 15),
                low23 = __builtin_shufflevector(r26, r37, 0, 8, 1, 9, 4, 12, 5, 13),
                high23 = __builtin_shufflevector(r26, r37, 2, 10, 3, 11, 6, 14, 7, 15);
    const Eight out[4] = {__builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13),
                          __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15),
                          __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13),
                          __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (int k = 0; k < 4; ++k) std::memcpy(to + k * to_stride, &out[k], sizeof out[k]);
}
#endif

/// to[k · width + c] = from[c · from_stride + k].
void transpose(const float* from, std::int64_t from_stride, std::int64_t depth, std::int64_t columns,
               std::int64_t width, float* to) {
    std::int64_t done = 0;
#if defined(GLASSFORMER_TRANSPOSE_BY_REGISTERS)
    for (; done + 8 <= columns; done += 8) {
        const float* source = from + done * from_stride;
        std::int64_t k = 0;
        for (; k + 4 <= depth; k += 4) transpose_8_by_4(source + k, from_stride, to + k * width + done, width);
        for (; k < depth; ++k)
            for (std::int64_t c = 0; c < 8; ++c) to[k * width + done + c] = source[c * from_stride + k];
    }
#endif
    for (; done < columns; ++done)
        for (std::int64_t k = 0; k < depth; ++k) to[k * width + done] = from[done * from_stride + k];
}

/// Writes zeros into the columns of a panel beyond the operand's.
void fill_panel(std::int64_t depth, std::int64_t columns, std::int64_t width, float* to) {
    if (columns < width)
        for (std::int64_t k = 0; k < depth; ++k) std::fill_n(to + k * width + columns, width - columns, 0.0f);
}

template <int width>
void pack_rows(const float* from, std::int64_t from_stride, std::int64_t depth, std::int64_t columns, float* to) {
    if (columns == width) {
        for (std::int64_t k = 0; k < depth; ++k)
            std::memcpy(to + k * width, from + k * from_stride, sizeof(float) * width);
        return;
    }
    for (std::int64_t k = 0; k < depth; ++k)
        for (std::int64_t c = 0; c < width; ++c) to[k * width + c] = c < columns ? from[k * from_stride + c] : 0.0f;
}

/// Packs one panel: the columns of each k in sequence, padded with zeros to `width`.
void pack_panel(const Operand& b, std::int64_t depth_begin, std::int64_t depth, std::int64_t column_begin,
                std::int64_t columns, std::int64_t width, float* to) {
    const float* from = b.data + depth_begin * b.row_stride + column_begin * b.column_stride;
    if (b.column_stride != 1) {
        transpose(from, b.column_stride, depth, columns, width, to);
        return fill_panel(depth, columns, width, to);
    }
    switch (width) {
        case 4:
            return pack_rows<4>(from, b.row_stride, depth, columns, to);
        case 8:
            return pack_rows<8>(from, b.row_stride, depth, columns, to);
        case 16:
            return pack_rows<16>(from, b.row_stride, depth, columns, to);
        default:
            return pack_rows<32>(from, b.row_stride, depth, columns, to);
    }
}

/// The same, widened during packing.
void pack_panel(const TypedMatrix& b, std::int64_t depth_begin, std::int64_t depth, std::int64_t column_begin,
                std::int64_t columns, std::int64_t width, float* to) {
    const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    if (b.column_stride == 1) {
        for (std::int64_t k = 0; k < depth; ++k)
            widen(b, depth_begin + k, column_begin, {to + k * width, count(columns)});
        return fill_panel(depth, columns, width, to);
    }
    constexpr std::int64_t at_once = 8, stride = block_depth + 16;  // keeps the lines out of the same cache sets
    alignas(64) float wide[at_once * stride];
    for (std::int64_t c = 0; c < columns; c += at_once) {
        const std::int64_t few = std::min(at_once, columns - c);
        for (std::int64_t i = 0; i < few; ++i)
            widen(b, depth_begin, column_begin + c + i, {wide + i * stride, count(depth)});
        transpose(wide, stride, depth, few, width, to + c);
    }
    fill_panel(depth, columns, width, to);
}

/// Panels are two registers wide; the last one may be a single register.
std::int64_t panel_width(std::int64_t columns_left, std::int64_t lanes) {
    return columns_left > lanes ? 2 * lanes : lanes;
}

template <class Right>
void pack_block(const Right& b, std::int64_t depth_begin, std::int64_t depth, std::int64_t column_begin,
                std::int64_t columns, std::int64_t lanes, float* to) {
    for (std::int64_t c = 0; c < columns;) {
        const std::int64_t width = panel_width(columns - c, lanes);
        pack_panel(b, depth_begin, depth, column_begin + c, std::min(width, columns - c), width, to);
        to += width * depth;
        c += width;
    }
}

/// One block of the product: depth k … k + depth of a·b, for the columns from `column` on.
struct Block {
    std::int64_t k, depth, column, columns;
};

template <class Right>
const float* packed_block(const Right& b, const Block& block, std::int64_t lanes, PackingTicket packing,
                          std::int64_t number) {
    const std::size_t slot = std::min(static_cast<std::size_t>(number), block_slots - 1);
    Workspace& own = workspace();
    Workspace::Label& label = own.labels[slot];
    float* right = own.right[slot];
    if (packing == 0 || label.packing != packing || label.block != number) {
        pack_block(b, block.k, block.depth, block.column, block.columns, lanes, right);
        label = {packing, number};
    }
    return right;
}

/// Copies rows of a that are not contiguous along the depth, so that a tile reads few cache lines.
void pack_left(const float* from, std::int64_t step, std::int64_t depth, std::int64_t rows, float* to) {
    for (std::int64_t k = 0; k < depth; ++k) copy_few(from + k * step, to + k * rows, rows);
}

/// Where part i begins if 0 … n − 1 is split into nearly equal parts.
std::int64_t part_begin(std::int64_t n, std::int64_t parts, std::int64_t i) { return n * i / parts; }

/// Multiplies at most block_rows rows by one block of the right operand, which is either packed in panels (right_stride
/// 0) or stored row by row (right_stride apart). A panel of the right operand stays in the first-level cache while all
/// rows pass by. The other way round, with rows staying and panels passing, the second level would have to deliver
/// more.
void multiply_rows(const TileKernels& kernels, const Target& target, const Operand& a, const Block& block,
                   const float* right, std::int64_t right_stride) {
    // Tiles of nearly equal height, so that no tile has only a row or two.
    const std::int64_t tile_count = ceil_div(a.rows, kernels.tile_rows);
    const float* left = a.data + block.k * a.column_stride;
    const bool pack = a.column_stride != 1;
    float* const packed = pack ? workspace().left : nullptr;
    if (pack)
        for (std::int64_t i = 0; i < tile_count; ++i) {
            const std::int64_t row = part_begin(a.rows, tile_count, i),
                               rows = part_begin(a.rows, tile_count, i + 1) - row;
            pack_left(left + row, a.column_stride, block.depth, rows, packed + row * block.depth);
        }
    const bool add = target.accumulate || block.k > 0, single = a.rows == 1 && right_stride;
    for (std::int64_t column = 0; column < block.columns;) {
        const std::int64_t left_over = block.columns - column, wide = wide_registers * kernels.lanes,
                           width = single && left_over >= wide ? wide : panel_width(left_over, kernels.lanes);
        TileArgs t{};
        t.b = right;
        t.b_step = right_stride ? right_stride : width;
        t.c_stride = target.row_stride;
        t.columns = std::min(width, block.columns - column);
        t.start_stride = add ? target.row_stride : 0;
        t.depth = block.depth;
        for (std::int64_t i = 0; i < tile_count; ++i) {
            const std::int64_t row = part_begin(a.rows, tile_count, i),
                               rows = part_begin(a.rows, tile_count, i + 1) - row;
            t.a = pack ? packed + row * block.depth : left + row * a.row_stride;
            t.a_row_stride = pack ? 1 : a.row_stride;
            t.a_step = pack ? rows : 1;
            t.c = target.data + row * target.row_stride + block.column + column;
            t.start = add ? t.c : target.bias ? target.bias + block.column + column : nullptr;
            kernels.tile(static_cast<int>(rows), static_cast<int>(width / kernels.lanes), t);
        }
        right += right_stride ? width : width * block.depth;
        column += width;
    }
}

/// target (+)= a·b, block by block of b. `where` returns the address of a block that is read in place; null: pack it.
template <class Right, class Where>
void multiply_blocks(const Target& target, const Operand& a, const Right& b, PackingTicket packing,
                     const Where& where) {
    const TileKernels& kernels = tiles();
    if (a.rows == 0) return;
    const std::int64_t row_blocks = ceil_div(a.rows, block_rows);
    std::int64_t number = 0;
    for (std::int64_t column = 0; column < b.columns; column += block_columns)
        for (std::int64_t k = 0; k == 0 || k < a.columns; k += block_depth, ++number) {
            const Block block{k, std::min(block_depth, a.columns - k), column,
                              std::min(block_columns, b.columns - column)};
            const float* const unpacked = where(block);
            const float* const right = unpacked ? unpacked : packed_block(b, block, kernels.lanes, packing, number);
            for (std::int64_t i = 0; i < row_blocks; ++i) {
                const std::int64_t row = part_begin(a.rows, row_blocks, i),
                                   rows = part_begin(a.rows, row_blocks, i + 1) - row;
                multiply_rows(
                    kernels, {target.data + row * target.row_stride, target.row_stride, target.accumulate, target.bias},
                    a.middle_rows(row, rows), block, right, unpacked ? b.row_stride : 0);
            }
        }
}

/// True for one row times a matrix stored column by column, which is read once and not packed.
template <class Right>
bool is_row_by_columns(const Operand& a, const Right& b) {
    return a.rows == 1 && a.column_stride == 1 && b.row_stride == 1 && b.column_stride != 1;
}

template <class Right>
void multiply_row(const Target& target, const Operand& a, const Right& b, DType type) {
    const float* const start = target.accumulate ? target.data : target.bias;
    tiles().row[static_cast<int>(type)](
        {a.data, b.data, bytes_of(type, b.column_stride), target.data, start, a.columns, b.columns});
}

}  // namespace

PackingTicket new_packing(std::int64_t count) {
    static std::atomic<PackingTicket> last{0};
    return last.fetch_add(static_cast<PackingTicket>(count), std::memory_order_relaxed) + 1;
}

const char* product_instruction_set() { return tiles().name; }

void multiply(const Target& target, const Operand& a, const Operand& b, PackingTicket packing) {
    if (is_row_by_columns(a, b)) return multiply_row(target, a, b, DType::float32);
    const bool few_tiles = a.rows <= most_tiles_unpacked * tiles().tile_rows;
    multiply_blocks(target, a, b, packing, [&](const Block& block) -> const float* {
        const bool unpacked = b.column_stride == 1 && block.columns % tiles().lanes == 0 && few_tiles;
        return unpacked ? b.data + block.k * b.row_stride + block.column : nullptr;
    });
}

void multiply(const Target& target, const Operand& a, const TypedMatrix& b, PackingTicket packing) {
    if (b.type == DType::float32) {
        const auto* floats = reinterpret_cast<const float*>(b.data);
        return multiply(target, a, Operand{floats, b.rows, b.columns, b.row_stride, b.column_stride}, packing);
    }
    if (is_row_by_columns(a, b)) return multiply_row(target, a, b, b.type);
    const auto across = tiles().across[static_cast<int>(b.type)];
    if (across && a.rows == 1 && a.column_stride == 1 && b.column_stride == 1) {
        const float* const start = target.accumulate ? target.data : target.bias;
        return across({a.data, b.data, bytes_of(b.type, b.row_stride), target.data, start, a.columns, b.columns});
    }
    multiply_blocks(target, a, b, packing, [](const Block&) -> const float* { return nullptr; });
}

}  // namespace glassformer::kernel
