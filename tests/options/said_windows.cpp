#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <cstdio>

#include "tests/options/said.h"

namespace glassformer {

Said::Said(const std::filesystem::path& file) {
    std::fflush(nullptr);
    const int out = ::_wopen(file.c_str(), _O_RDWR | _O_CREAT | _O_TRUNC | _O_BINARY, _S_IREAD | _S_IWRITE);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        const int stream = static_cast<int>(i) + 1;
        kept_[i] = ::_dup(stream);
        ::_dup2(out, stream);
    }
    ::_close(out);
}

Said::~Said() {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        ::_dup2(kept_[i], static_cast<int>(i) + 1);
        ::_close(kept_[i]);
    }
}

}  // namespace glassformer
