#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.h"
#include "tests/ops/fence.h"

namespace glassformer::testing {

namespace {

std::string said;
struct sigaction before {};

void tell(int) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, said.data(), said.size());
    sigaction(SIGSEGV, &before, nullptr);  // it gets the signal when the access is repeated
}

}  // namespace

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::shared_ptr<float> fenced_pages(std::size_t cells) {
    const std::size_t page = page_size();
    const std::size_t bytes = cells * sizeof(float) + 2 * page;
    void* const all = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw Error("no memory for a test's buffer");
    char* const first = static_cast<char*>(all) + page;
    mprotect(first, bytes - 2 * page, PROT_READ | PROT_WRITE);
    return {reinterpret_cast<float*>(first), [=](float*) { munmap(all, bytes); }};
}

NamedCrash::NamedCrash(const std::string& name) {
    said = "Read or written beyond the buffers of " + name + "\n";
    struct sigaction action {};
    action.sa_handler = tell;
    sigaction(SIGSEGV, &action, &before);
}

NamedCrash::~NamedCrash() { sigaction(SIGSEGV, &before, nullptr); }

}  // namespace glassformer::testing
