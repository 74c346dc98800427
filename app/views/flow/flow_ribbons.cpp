#include "app/views/flow/flow_ribbons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace glassformer::app::views::flow {

namespace {

constexpr std::size_t most_strong = 200, most_faint = 260;  // what one draw list of 2^16 vertices can hold
constexpr float least_faint = 0.04f;                        // below this weight, a faint ribbon is invisible

float smooth(float t) { return t * t * (3 - 2 * t); }

/// Adds up the weights of one query over all shown heads, by key.
void add_up(std::vector<float>& sums, const BlockPattern& p, const FlowPlan& plan, int query) {
    sums.assign(static_cast<std::size_t>(p.keys), 0.0f);
    for (int head = plan.first_head; head < plan.end_head; ++head) {
        const float* weights = p.weights.cells(p.offset(head, query, 0), p.keys).data();
        for (std::size_t key = 0; key < sums.size(); ++key) sums[key] += weights[key];
    }
}

/// Adds the ribbons of one query that `wanted` accepts, but none for keys whose weights in all shown heads add up to
/// less than `least`. At both ends they are side by side: at the query by key, at the key by head.
template <class Wanted>
void add_query(std::vector<Ribbon>& ribbons, const BlockPattern& p, const FlowPlan& plan, int query, bool strong,
               float least, const Wanted& wanted) {
    static thread_local std::vector<float> sums;
    add_up(sums, p, plan, query);
    const float total = std::accumulate(sums.begin(), sums.end(), 0.0f);
    float right = plan.row_y(query) - total * plan.unit / 2;
    for (int key = 0; key < p.keys; ++key) {
        const float here = sums[key];
        if (here < least) {
            right += here * plan.unit;
            continue;
        }
        float left = plan.row_y(key) - here * plan.unit / 2;
        for (int head = plan.first_head; head < plan.end_head; ++head) {
            const float weight = p.weight(head, query, key), width = weight * plan.unit;
            if (wanted(key, weight))
                ribbons.push_back({head,
                                   query,
                                   key,
                                   weight,
                                   {plan.left, left + width / 2},
                                   {plan.right, right + width / 2},
                                   width,
                                   strong});
            left += width, right += width;
        }
    }
}

bool thinner(const Ribbon& a, const Ribbon& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    if (a.query != b.query) return a.query < b.query;
    return a.key != b.key ? a.key < b.key : a.head < b.head;
}

/// Keeps the widest; sorts them from thin to wide.
void thin_out(std::vector<Ribbon>& ribbons, std::size_t most) {
    if (ribbons.size() > most) {
        const auto end = ribbons.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(ribbons.begin(), end, ribbons.end(),
                         [](const Ribbon& a, const Ribbon& b) { return thinner(b, a); });
        ribbons.erase(end, ribbons.end());
    }
    std::ranges::sort(ribbons, thinner);
}

std::vector<Ribbon> strong_ribbons(const BlockPattern& p, const FlowPlan& plan) {
    std::vector<Ribbon> strong;
    const auto seen = [&](int query) { return [&p, query](int key, float) { return !p.hidden(query, key); }; };
    if (plan.focus_key < 0) {
        if (plan.focus_query >= 0) add_query(strong, p, plan, plan.focus_query, true, 0, seen(plan.focus_query));
    } else {
        for (int query = plan.first_seen; query < plan.end_seen; ++query)
            add_query(strong, p, plan, query, true, 0,
                      [&](int key, float) { return key == plan.focus_key && !p.hidden(query, key); });
    }
    thin_out(strong, most_strong);
    return strong;
}

}  // namespace

ImVec2 Ribbon::at(float t) const { return {std::lerp(from.x, to.x, t), std::lerp(from.y, to.y, smooth(t))}; }

float Ribbon::distance(ImVec2 point) const {
    const float t = (point.x - from.x) / (to.x - from.x);
    if (!(t >= 0 && t <= 1)) return std::numeric_limits<float>::infinity();
    const float slope = 6 * t * (1 - t) * (to.y - from.y) / (to.x - from.x);
    return std::abs(point.y - at(t).y) / std::sqrt(1 + slope * slope);
}

std::vector<Ribbon> flow_ribbons(const BlockPattern& p, const FlowPlan& plan) {
    std::vector<Ribbon> ribbons;
    for (int query = plan.first_seen; query < plan.end_seen; ++query) {
        if (plan.focus_key < 0 && query == plan.focus_query) continue;
        add_query(ribbons, p, plan, query, false, least_faint,
                  [&](int key, float weight) { return weight >= least_faint && key != plan.focus_key; });
    }
    thin_out(ribbons, most_faint);
    const std::vector<Ribbon> strong = strong_ribbons(p, plan);
    ribbons.insert(ribbons.end(), strong.begin(), strong.end());
    return ribbons;
}

int ribbon_at(const std::vector<Ribbon>& ribbons, ImVec2 point, float reach) {
    int best = -1;
    float nearest = 0;
    for (std::size_t i = 0; i < ribbons.size(); ++i) {
        const float distance = ribbons[i].distance(point);
        if (distance > std::max(reach, ribbons[i].width / 2)) continue;
        const bool stronger = best >= 0 && ribbons[i].strong && !ribbons[best].strong;
        if (best < 0 || stronger || distance < nearest) best = static_cast<int>(i), nearest = distance;
    }
    return best;
}

void draw_ribbon(const Ui& ui, const Ribbon& ribbon, ImU32 colour, float alpha, float least) {
    constexpr std::size_t points = 20;
    std::array<ImVec2, points> line;
    for (std::size_t i = 0; i < points; ++i) line[i] = ribbon.at(to_float(i) / (points - 1));
    const float width = std::max(ribbon.width, least);
    draw::line(ui, line, with_alpha(colour, alpha * std::min(1.0f, std::max(width, 0.2f))), std::max(width, 1.0f));
}

}  // namespace glassformer::app::views::flow
