// Prints one sentence if the processor is too old for this build, before anything else in the program runs. Only this
// file is compiled for every processor, so it uses none of our code, and only the C part of the standard library.
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

/// Runs before the constructors of global objects, which may already use those instructions.
__attribute__((constructor(101))) void refuse_old_processor() {
    __builtin_cpu_init();
    // The features of -march=x86-64-v3 that GCC 11 can test for.
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return;
#ifdef _WIN32
    show_where_nobody_reads(message);
#endif
    std::_Exit(std::fputs(message, stderr) < 0 ? 2 : 1);  // stderr is unbuffered
}

}  // namespace
