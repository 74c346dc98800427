#include "app/common/number_controls.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/draw.h"
#include "app/ui/items.h"
#include "app/ui/numbers.h"
#include "core/base/number_text.h"

namespace glassformer::app {

std::optional<float> usual_numbers(const Ui& ui, std::string_view item, const Box& box, std::span<const float> usual,
                                   float current, std::string_view more) {
    std::vector<float> values(usual.begin(), usual.end());
    const auto same = [&](float value) { return std::abs(value - current) <= 1e-3f * value; };
    auto at = std::ranges::find_if(values, same);
    if (at == values.end()) at = values.insert(std::ranges::lower_bound(values, current), current);
    const int now = static_cast<int>(at - values.begin());
    std::vector<std::string_view> names;
    for (const float value : values) names.push_back(ui.items->format("%s", typed_number(value).c_str()));
    if (!more.empty()) names.push_back(more);
    const std::string_view shown = names[now];
    const int chosen = dropdown(ui, item, box, shown, names, now);
    ui.items->add(item, box, item_state(current), shown);
    if (chosen < 0) return std::nullopt;
    return chosen < int_size(values) ? values[chosen] : NAN;
}

bool seed_field(const Ui& ui, std::string_view item, const Box& box, std::uint64_t& seed) {
    const std::uint64_t before = seed;
    const float side = box.height();
    const std::string_view less = ui.items->format("%.*s minus", int_size(item), item.data());
    const std::string_view more = ui.items->format("%.*s plus", int_size(item), item.data());
    if (button(ui, less, box.left(side), "−", {.tone = Tone::quiet, .enabled = seed > 0})) --seed;
    if (button(ui, more, box.right(side), "+", {.tone = Tone::quiet, .enabled = seed < UINT64_MAX})) ++seed;
    const std::string_view shown = ui.items->format("%llu", static_cast<unsigned long long>(seed));
    draw::label(ui, box.inset(side, 0), shown, {FontRole::body, 0, draw::Align::centre}, {item, item_state(seed)});
    return seed != before;
}

}  // namespace glassformer::app
