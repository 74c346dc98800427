#include "core/base/filled.h"

namespace glassformer {

std::string filled(std::string_view pattern, std::initializer_list<std::string_view> pieces) {
    std::string whole;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t piece = static_cast<std::size_t>(i + 2 < pattern.size() ? pattern[i + 1] - '1' : 0);
        if (pattern[i] != '{' || i + 2 >= pattern.size() || pattern[i + 2] != '}' || piece >= pieces.size()) {
            whole += pattern[i];
            continue;
        }
        whole += pieces.begin()[piece];
        i += 2;
    }
    return whole;
}

}  // namespace glassformer
