#include "app/views/word_alignment.h"

#include <algorithm>

namespace glassformer::app {

std::vector<AlignedWord> align_words(std::span<const std::string> a, std::span<const std::string> b) {
    // common[i][j]: how many words a[i…] and b[j…] have in common at most.
    const std::size_t width = b.size() + 1;
    std::vector<int> common((a.size() + 1) * width, 0);
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                                 : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    std::vector<AlignedWord> aligned;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        const bool left_a = i < a.size(), left_b = j < b.size();
        if (left_a && left_b && a[i] == b[j])
            aligned.push_back({static_cast<int>(i++), static_cast<int>(j++)});
        else if (left_a && (!left_b || common[(i + 1) * width + j] >= common[i * width + j + 1]))
            aligned.push_back({static_cast<int>(i++), -1});
        else
            aligned.push_back({-1, static_cast<int>(j++)});
    }
    return aligned;
}

}  // namespace glassformer::app
