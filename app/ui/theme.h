#pragma once

#include <imgui.h>

namespace glassformer::app {

enum class ThemeKind { light, dark };

/// The palette, named by meaning: a colour means one thing everywhere. The plain colours are for fills, lines and dots;
/// the `_text` ones are for words of the same meaning and keep a contrast of at least 4.5 on cards, on the background
/// and on the tinted fills (tests/ui/theme_test.cpp).
struct Theme {
    ThemeKind kind = ThemeKind::light;

    ImU32 query = 0, key = 0, value = 0;  ///< the three projections of attention
    ImU32 query_text = 0, key_text = 0, value_text = 0;
    ImU32 attention = 0, attention_text = 0;  ///< a full attention weight
    ImU32 attention_tint = 0;                 ///< the faint purple behind a selected row or an attention chip
    ImU32 accent = 0, accent_hover = 0;       ///< the primary button and the selected chip: purple with white text
    ImU32 residual = 0, residual_text = 0;
    ImU32 mlp = 0, mlp_text = 0;
    ImU32 selection = 0, selection_text = 0, selection_tint = 0;  ///< gold: the current selection
    ImU32 sense_a = 0, sense_a_text = 0;                          ///< orange: sentence A
    ImU32 sense_b = 0, sense_b_text = 0;                          ///< blue: sentence B
    ImU32 good = 0, good_text = 0, good_tint = 0;
    ImU32 danger = 0, danger_text = 0, danger_tint = 0;

    ImU32 text = 0, text_muted = 0, text_faint = 0;  ///< faint is for axis labels and counts: still 4.5 on a card
    ImU32 background = 0;                            ///< behind the cards
    ImU32 card = 0, card_border = 0;
    ImU32 control = 0, control_border = 0;  ///< a chip or button at rest
    ImU32 hover = 0;                        ///< a row or control under the mouse
    ImU32 track = 0;                        ///< the empty part of a bar
    ImU32 grid = 0;                         ///< lines of a plot
    ImU32 focus = 0;                        ///< keyboard focus ring
    ImU32 signed_negative = 0, signed_neutral = 0, signed_positive = 0;
    ImU32 attention_zero = 0;    ///< the ramp's colour at weight 0
    ImU32 attention_middle = 0;  ///< the ramp's middle, so that it stays purple instead of passing through grey

    ImU32 surprise_zero = 0, surprise = 0;  ///< no surprise, and as much as if every word were equally likely
    ImU32 surprise_text = 0;

    /// Colour of a share of the maximum surprise: `surprise_zero` at 0, `surprise` at 1. Monotonic.
    ImU32 surprise_colour(float share) const;

    /// Colour of an attention weight (or any probability): `attention_zero` at 0, `attention` at 1. Monotonic. Most
    /// weights are small, so small ones are spread out (exponent 0.6). Values outside 0..1 are clamped; NaN has the
    /// danger colour.
    ImU32 attention_colour(float weight) const;

    /// Blue (negative) through grey to red (positive); full colour at |v| >= range. NaN is gold.
    ImU32 signed_colour(float v, float range) const;

    /// Near-black or white, whichever is more readable on `fill`; the contrast is always at least 4.5.
    static ImU32 text_on(ImU32 fill);
};

/// The two palettes; the references stay valid for the whole program.
const Theme& theme(ThemeKind kind);

/// `colour` with opacity `alpha` (0..1).
ImU32 with_alpha(ImU32 colour, float alpha);
/// Interpolates each channel from `a` (t = 0) to `b` (t = 1).
ImU32 mix(ImU32 a, ImU32 b, float t);
/// The WCAG contrast ratio of two opaque colours, 1..21.
double contrast(ImU32 a, ImU32 b);

/// Sets the colours, radii and sizes of ImGui's own widgets (text fields, popups, scroll bars) at `scale`.
void apply_style(const Theme& theme, float scale);

}  // namespace glassformer::app
