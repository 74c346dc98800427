// Says in one sentence that the processor is too old for this build, before anything else of the program runs. This
// file alone is compiled for every processor, so it uses nothing of ours, and of the standard library only what C has.
#include <cstdio>
#include <cstdlib>
#ifdef _WIN32
#include "app/window/windows/message_box.h"
#endif

namespace {

constexpr char message[] =
    "glassformer: this program was built for processors with AVX2 and FMA (from about 2013 on), and this processor has "
    "none."
#ifndef _WIN32
    " Build it here, or with -DGLASSFORMER_ISA=portable for any processor."
#endif
    "\n";

/// Runs before the constructors of global objects, which may use those instructions already.
__attribute__((constructor(101))) void refuse_old_processor() {
    __builtin_cpu_init();
    // What -march=x86-64-v3 brings, as far as GCC 11 can ask for it.
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return;
#ifdef _WIN32
    show_where_nobody_reads(message);
#endif
    std::_Exit(std::fputs(message, stderr) < 0 ? 2 : 1);  // stderr keeps nothing back
}

}  // namespace
