#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace glassformer {

/// While this exists, this thread's arithmetic treats numbers below 1.2e-38 (denormals) as 0. They mean nothing to a
/// model, yet a processor may take a hundred times longer for them: a padding token's attention weight of 1e-39 made a
/// training step thirty times slower.
class FlushDenormals {
public:
    FlushDenormals() : before_(read()) { write(before_ | bits); }
    ~FlushDenormals() { write(before_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
#if defined(__SSE__)
    static constexpr std::uint64_t bits = 0x8040;  // flush to zero, denormals are zero
    static std::uint64_t read() { return _mm_getcsr(); }
    static void write(std::uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
    static constexpr std::uint64_t bits = std::uint64_t{1} << 24;
    static std::uint64_t read() {
        std::uint64_t value;
        asm volatile("mrs %0, fpcr" : "=r"(value));
        return value;
    }
    static void write(std::uint64_t value) { asm volatile("msr fpcr, %0" ::"r"(value)); }
#else
    static constexpr std::uint64_t bits = 0;
    static std::uint64_t read() { return 0; }
    static void write(std::uint64_t) {}
#endif
    std::uint64_t before_;
};

}  // namespace glassformer
