#pragma once

#include <string>
#include <vector>

#include "tests/ops/op_harness.h"

/// Every op at odd sizes, for backends to be compared on.
namespace glassformer::testing {

struct NamedCase {
    std::string name;  // the op's
    OpCase c;
};

const std::vector<NamedCase>& op_cases();

}  // namespace glassformer::testing
