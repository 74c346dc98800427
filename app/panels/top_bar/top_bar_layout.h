#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// The texts of the top bar and which of them fit, in real pixels. Computed once; lives for one frame.
class TopBarLayout {
public:
    /// The parts of the bar, from left to right. Those from `lessons` on are right-aligned.
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
    /// Shortened if there is little room.
    const std::string& text(Part part) const { return text_[part]; }
    float width_of(Part part) const;
    float space_before(Part part) const;
    ButtonStyle style_of(Part part) const;
    /// Returns true if there are models and worlds to choose from; `world` is then a list.
    bool offers() const { return s_.catalog && !(s_.catalog->models.empty() && s_.catalog->worlds.empty()); }

private:
    static constexpr Part first_right = lessons;

    std::vector<Part> shown_between(int first, int last) const;
    void write_texts();
    void choose_parts(float width);
    void choose_steady_parts(float room);
    static bool left_of_status(Part part);
    float reserved_width(Part part) const;
    float usual_width() const;
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

/// Returns a short name for what computes the training: "GPU · NVIDIA H200", "CPU · AVX2", "testing the GPU…".
std::string backend_name(const Frame& frame);
/// Draws the top bar's list of backends, under the label "backend"; its tooltip says which one is used, and why.
void draw_backend_choice(const Frame& frame, const Box& box, std::string_view shown);

/// Starts over with fresh weights: at once if there is nothing to lose, otherwise after a question. Call this every
/// frame; pass `asked` = true in the frame in which the user requests it. The question opens with its top left corner
/// at `at`.
void draw_reset_question(const Frame& frame, bool asked, ImVec2 at);

}  // namespace glassformer::app
