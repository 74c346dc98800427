#pragma once

#include <imgui.h>

namespace glassformer::app {

enum class ThemeKind { light, dark };

/// The palette by meaning. A colour means one thing everywhere. The plain colours are for fills, lines and dots; the
/// `_text` ones say the same thing in words and keep a contrast of 4.5 or more on a card, on the background and on the
/// tinted fills (tests/ui/theme_test.cpp).
struct Theme {
    ThemeKind kind = ThemeKind::light;

    ImU32 query = 0, key = 0, value = 0;  ///< the three projections of attention
    ImU32 query_text = 0, key_text = 0, value_text = 0;
    ImU32 attention = 0, attention_text = 0;  ///< a full attention weight
    ImU32 attention_tint = 0;                 ///< the faint purple behind a chosen row or an attention chip
    ImU32 accent = 0, accent_hover = 0;       ///< the primary button and the chosen chip: purple with white text
    ImU32 residual = 0, residual_text = 0;
    ImU32 mlp = 0, mlp_text = 0;
    ImU32 selection = 0, selection_text = 0, selection_tint = 0;  ///< gold: what is chosen now
    ImU32 sense_a = 0, sense_a_text = 0;                          ///< orange: sentence A
    ImU32 sense_b = 0, sense_b_text = 0;                          ///< blue: sentence B
    ImU32 good = 0, good_text = 0, good_tint = 0;
    ImU32 danger = 0, danger_text = 0, danger_tint = 0;

    ImU32 text = 0, text_muted = 0, text_faint = 0;  ///< faint is for axis labels and counts, still 4.5 on a card
    ImU32 background = 0;                            ///< behind the cards
    ImU32 card = 0, card_border = 0;
    ImU32 control = 0, control_border = 0;  ///< a chip or button at rest
    ImU32 hover = 0;                        ///< a row or control under the mouse
    ImU32 track = 0;                        ///< the empty part of a bar
    ImU32 grid = 0;                         ///< lines of a plot
    ImU32 focus = 0;                        ///< keyboard focus ring
    ImU32 signed_negative = 0, signed_neutral = 0, signed_positive = 0;
    ImU32 attention_zero = 0;    ///< the ramp's colour at weight 0
    ImU32 attention_middle = 0;  ///< half way up, so that the ramp stays purple and does not go through grey

    ImU32 surprise_zero = 0, surprise = 0;  ///< none, and as much as when any word could come; surprise_text says it
    ImU32 surprise_text = 0;

    /// Colour of a share of the most surprise there is: `surprise_zero` at 0, `surprise` at 1. Monotonic.
    ImU32 surprise_colour(float share) const;

    /// Colour of an attention weight (or any probability): `attention_zero` at 0, `attention` at 1. Monotonic; small
    /// weights are spread (exponent 0.6), since most of them are small. Values outside 0..1 are clamped and
    /// NaN is drawn as danger.
    ImU32 attention_colour(float weight) const;

    /// Blue (negative) through grey to red (positive); |v| >= range is the full colour. NaN is drawn in gold.
    ImU32 signed_colour(float v, float range) const;

    /// Near-black or white, whichever reads better on `fill`: always a contrast of 4.5 or more.
    static ImU32 text_on(ImU32 fill);
};

/// The two palettes; they live as long as the program.
const Theme& theme(ThemeKind kind);

/// `colour` at `alpha` (0..1).
ImU32 with_alpha(ImU32 colour, float alpha);
/// From `a` (t = 0) to `b` (t = 1), channel by channel.
ImU32 mix(ImU32 a, ImU32 b, float t);
/// The WCAG contrast ratio of two opaque colours, 1..21.
double contrast(ImU32 a, ImU32 b);

/// Gives ImGui's own widgets (text fields, popups, scroll bars) the theme's colours and our radii at `scale`.
void apply_style(const Theme& theme, float scale);

}  // namespace glassformer::app
