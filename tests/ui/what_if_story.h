#pragma once

#include <algorithm>

#include "app/views/registry.h"
#include "tests/same_bytes.h"
#include "tests/ui/story.h"

/// Helpers for stories about changes to the model.
namespace glassformer::app {

inline std::string show(Story& story, const char* view) {
    for (std::size_t i = 0; i < all_views().size(); ++i)
        if (all_views()[i].name == view) story.state().view = static_cast<int>(i);
    story.frames(3);
    return all_views()[story.state().view].name == view ? "" : "there is no such view";
}

inline std::string click(Story& story, const std::string& item) {
    const std::string message = story.play("click \"" + item + "\"");
    story.settle(2);
    return message;
}

inline std::string press(Story& story, const std::string& key) {
    const std::string message = story.play("key " + key);
    story.settle(2);
    return message;
}

inline std::vector<std::vector<float>> everything(const Story& story) {
    std::vector<std::vector<float>> values;
    for (int slot = 0; slot < 2; ++slot) {
        const Trace& trace = story.shown_trace(slot);
        for (std::size_t node = 0; node < trace.graph().nodes().size(); ++node) {
            const auto of = trace.values(static_cast<int>(node));
            values.emplace_back(of.begin(), of.end());
        }
    }
    return values;
}

inline bool same_bytes(const std::vector<std::vector<float>>& a, const std::vector<std::vector<float>>& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return glassformer::same_bytes(x, y); });
}

inline std::vector<WhatIf> changes_of(const Story& story) { return story.snapshot().what_if; }

}  // namespace glassformer::app
