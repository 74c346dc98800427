#include <windows.h>

#include "core/base/error.h"
#include "tests/ops/fence.h"

namespace glassformer::testing {

namespace {

std::string said;
void* handler = nullptr;

LONG CALLBACK tell(EXCEPTION_POINTERS* exception) {
    if (exception->ExceptionRecord->ExceptionCode == EXCEPTION_ACCESS_VIOLATION) {
        DWORD written = 0;
        ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), said.data(), static_cast<DWORD>(said.size()), &written, nullptr);
    }
    return EXCEPTION_CONTINUE_SEARCH;
}

}  // namespace

std::size_t page_size() {
    SYSTEM_INFO info{};
    ::GetSystemInfo(&info);
    return info.dwPageSize;
}

std::shared_ptr<float> fenced_pages(std::size_t cells) {
    const std::size_t page = page_size(), bytes = cells * sizeof(float);
    auto* const all = static_cast<char*>(::VirtualAlloc(nullptr, bytes + 2 * page, MEM_RESERVE, PAGE_NOACCESS));
    // A buffer without cells has nothing to commit.
    if (!all || (bytes > 0 && !::VirtualAlloc(all + page, bytes, MEM_COMMIT, PAGE_READWRITE)))
        throw Error("no memory for a test's buffer");
    return {reinterpret_cast<float*>(all + page), [all](float*) { ::VirtualFree(all, 0, MEM_RELEASE); }};
}

NamedCrash::NamedCrash(const std::string& name) {
    said = "Read or written beyond the buffers of " + name + "\n";
    handler = ::AddVectoredExceptionHandler(1, tell);
}

NamedCrash::~NamedCrash() { ::RemoveVectoredExceptionHandler(handler); }

}  // namespace glassformer::testing
