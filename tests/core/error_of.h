#pragma once

#include <concepts>
#include <string>

#include "core/base/error.h"
#include "tests/contains.h"

namespace glassformer {

/// Returns the message of the Error that the call throws; empty if it throws none.
template <std::invocable Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace glassformer
