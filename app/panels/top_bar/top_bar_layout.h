#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// What the top bar says and how much of it fits, in pixels on screen. Chosen once; lives for one frame.
class TopBarLayout {
public:
    /// What can stand in the bar, from left to right. The last three groups are right-aligned.
    enum Part {
        logo,
        name,
        train,
        reset,
        world,
        model,
        step,
        loss,
        rate,
        follow,
        altered,
        backend,
        lessons,
        compare,
        presenter,
        colours,
        smaller,
        larger,
        help,
        part_count
    };
    static constexpr float gap = 6, margin = 16, logo_size = 24, badge_height = 26;  // pixels at 100 %

    TopBarLayout(const Frame& frame, float width);

    /// The parts that fit, from left to right: those at the left end of the bar, and those at the right.
    std::vector<Part> left() const { return shown_between(0, first_right); }
    std::vector<Part> right() const { return shown_between(first_right, part_count); }
    /// In short where there is little room.
    const std::string& text(Part part) const { return text_[part]; }
    float width_of(Part part) const;
    float space_before(Part part) const;
    ButtonStyle style_of(Part part) const;
    /// Whether there are models and worlds to choose from: then `world` is a list.
    bool offers() const { return s_.catalog && !(s_.catalog->models.empty() && s_.catalog->worlds.empty()); }

private:
    static constexpr Part first_right = lessons;

    std::vector<Part> shown_between(int first, int last) const;
    void write_texts();
    void choose_parts(float width);
    void choose_steady_parts(float room);
    static bool left_of_status(Part part);
    float reserved_width(Part part) const;
    float reserved_after(Part part) const;
    float number_width(Part part) const;
    std::string short_text(Part part) const;
    bool wanted(Part part) const;

    const Frame& frame_;
    const ViewState& state_;
    const Ui& ui_;
    const Snapshot& s_;
    const std::vector<WhatIf>& changes_;
    std::array<std::string, part_count> text_;
    std::array<bool, part_count> shown_{};
};

/// What computes the trainings, in short: "GPU · NVIDIA H200", "CPU · AVX2", "testing the GPU…".
std::string backend_name(const Frame& frame);
/// The top bar's list of what can compute them, under the label "backend"; pointing at it tells which does, and why.
void draw_backend_choice(const Frame& frame, const Box& box, std::string_view shown);

/// Starts over with fresh weights: at once when there is nothing to lose, else after a question. Call it in every
/// frame; `asked` is true in the one where the person wants to, and the question opens with its top left at `at`.
void draw_reset_question(const Frame& frame, bool asked, ImVec2 at);

}  // namespace glassformer::app
