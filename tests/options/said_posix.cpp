#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "tests/options/said.h"

namespace glassformer {

Said::Said(const std::filesystem::path& file) {
    std::fflush(nullptr);
    const int out = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        const int stream = static_cast<int>(i) + 1;
        kept_[i] = ::dup(stream);
        ::dup2(out, stream);
    }
    ::close(out);
}

Said::~Said() {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        ::dup2(kept_[i], static_cast<int>(i) + 1);
        ::close(kept_[i]);
    }
}

}  // namespace glassformer
