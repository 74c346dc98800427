#pragma once

#include <span>

#include "core/base/aligned.h"
#include "core/train/optimizer.h"

namespace glassformer {

/// What an update overwrites, kept so that the update can be looked at afterwards.
class StepWatch {
public:
    /// Before an update: copies the parameters and the moments. Allocates nothing but the first time.
    void keep(std::span<const float> parameters, const Optimizer& optimizer);
    /// Nothing is kept any more.
    void forget() { kept_ = false; }
    bool kept() const { return kept_; }

    /// As they were before the newest update; m and v are empty where the method has none.
    std::span<const float> parameters() const { return parameters_; }
    std::span<const float> m() const { return m_; }
    std::span<const float> v() const { return v_; }

    /// parameters − those before, each.
    std::span<const float> change(std::span<const float> parameters);

private:
    AlignedFloats parameters_, m_, v_, change_;
    bool kept_ = false;
};

}  // namespace glassformer
