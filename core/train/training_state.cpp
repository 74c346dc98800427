#include "core/train/training_state.h"

namespace glassformer {

namespace {

std::size_t bytes_of(const Parameters& values) { return values ? values->size() * sizeof(float) : 0; }

}  // namespace

bool OptimizerState::complete() const {
    switch (kind) {
        case OptimizerKind::sgd:
            return true;
        case OptimizerKind::momentum:
            return m != nullptr;
        case OptimizerKind::adam:
        case OptimizerKind::adamw:
            break;
    }
    return m != nullptr && v != nullptr;
}

std::size_t TrainingState::bytes() const {
    return bytes_of(parameters) + bytes_of(optimizer.m) + bytes_of(optimizer.v);
}

}  // namespace glassformer
