#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors_header.h"

namespace glassformer {

/// A tensor that a pickle names, and where its cells lie; for the reader of pytorch_model.bin only.
struct PickledTensor {
    std::string name{};
    FileDType dtype = FileDType::F32;
    /// The file beside the pickle that holds the cells, one after the other, so many of them.
    std::string storage{};
    std::int64_t storage_cells = 0;
    /// The first cell of the tensor in it, and how far the next one lies along each axis; all of them are inside.
    std::int64_t first = 0;
    Shape shape{};
    std::vector<std::int64_t> strides{};
};

/// Reads what torch.save wrote for a dictionary from names to tensors (Python's pickle, protocols 2 to 5:
/// Lib/pickletools.py lists the opcodes). A pickle is a program; this one may only make texts, numbers, lists, tuples,
/// dictionaries and tensors. Nothing of it is run. Throws Error naming `file` and what it asks for beyond that (another
/// class or function by its name), or how the pickle is broken.
std::vector<PickledTensor> read_torch_pickle(std::string_view bytes, const std::string& file);

}  // namespace glassformer
