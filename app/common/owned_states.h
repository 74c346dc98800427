#pragma once

#include <any>
#include <atomic>
#include <cstddef>
#include <deque>

namespace glassformer::app {

/// The private state of views and panels: one value per type, created when first requested. A view declares a plain
/// struct in its own folder and requests it by type, so that no other code has to know of it. State that belongs to one
/// model has a member on_model_changed(); if part of it is card B's, also on_second_model_changed(). Copied with the
/// other choices: a lesson restores them at its end.
class OwnedStates {
public:
    template <class T>
    T& of() {
        const std::size_t place = place_of<T>();
        if (place >= states_.size()) states_.resize(place + 1);
        State& state = states_[place];
        if (!state.value.has_value()) {
            state.value.template emplace<T>();
            if constexpr (requires(T & value) { value.on_model_changed(); })
                state.model_changed = [](std::any& value) { std::any_cast<T>(&value)->on_model_changed(); };
            if constexpr (requires(T & value) { value.on_second_model_changed(); })
                state.second_model_changed = [](std::any& value) {
                    std::any_cast<T>(&value)->on_second_model_changed();
                };
        }
        return *std::any_cast<T>(&state.value);
    }

    /// A default value if none was requested yet.
    template <class T>
    const T& of() const {
        static const T fresh{};
        const std::size_t place = place_of<T>();
        const T* found = place < states_.size() ? std::any_cast<T>(&states_[place].value) : nullptr;
        return found ? *found : fresh;
    }

    /// Calls on_model_changed() of every state that has it: another model is on screen.
    void on_model_changed() {
        for (State& state : states_)
            if (state.model_changed) state.model_changed(state.value);
    }
    /// The same for on_second_model_changed(): card B shows another model.
    void on_second_model_changed() {
        for (State& state : states_)
            if (state.second_model_changed) state.second_model_changed(state.value);
    }

private:
    struct State {
        std::any value;
        void (*model_changed)(std::any&) = nullptr;
        void (*second_model_changed)(std::any&) = nullptr;
    };

    static std::size_t next_place() {
        static std::atomic<std::size_t> places{0};
        return places++;
    }
    template <class T>
    static std::size_t place_of() {
        static const std::size_t place = next_place();
        return place;
    }

    std::deque<State> states_;  // by place_of(); a deque, so that references stay valid while it grows
};

}  // namespace glassformer::app
