#pragma once

#include <any>
#include <atomic>
#include <cstddef>
#include <deque>

namespace glassformer::app {

/// What views and panels remember, each for itself: one value of each type, made when it is first asked for. A view
/// declares a plain struct in its own folder and asks for it by type, so that nobody else has to know of it. What is of
/// one model alone has a member on_model_changed(). Copies with the rest of the choices: a lesson puts them back at its
/// end.
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
        }
        return *std::any_cast<T>(&state.value);
    }

    /// A fresh value where none was asked for yet.
    template <class T>
    const T& of() const {
        static const T fresh{};
        const std::size_t place = place_of<T>();
        const T* found = place < states_.size() ? std::any_cast<T>(&states_[place].value) : nullptr;
        return found ? *found : fresh;
    }

    /// Tells every state that has a member of that name: another model is on screen.
    void on_model_changed() {
        for (State& state : states_)
            if (state.model_changed) state.model_changed(state.value);
    }

private:
    struct State {
        std::any value;
        void (*model_changed)(std::any&) = nullptr;
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
