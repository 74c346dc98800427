#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/memo.h"
#include "app/views/training/training_pages.h"
#include "core/analysis/budget.h"
#include "core/base/error.h"
#include "core/base/number_text.h"

// What a whole model needs: parameters, memory and multiplications, part by part and to scale.
namespace glassformer::app::views::training {

namespace {

// Pixels at 100 %.
constexpr float model_width = 150, bits_width = 100, row_height = 19, bar_width = 20, picture_most = 300,
                picture_least = 120;
constexpr float table_least = 330, gap = 16;
constexpr std::array<std::string_view, 3> precisions = {"32", "16", "8"};
constexpr double moment_bytes = 4;  // Adam keeps its moments in float32 whatever the weights are

struct PartName {
    const char *item, *name;
    ImU32 Theme::*colour;
    float alpha;
};
constexpr std::array<PartName, budget_parts> names = {{
    {"embedding", N_("embedding"), &Theme::residual, 1},
    {"positions", N_("positions"), &Theme::residual, 0.45f},
    {"Q", "Q", &Theme::query, 1},
    {"K", "K", &Theme::key, 1},
    {"V", "V", &Theme::value, 1},
    {"scores", N_("scores and Σ a·v"), &Theme::attention, 1},
    {"O", "O", &Theme::attention, 0.45f},
    {"mlp", "MLP", &Theme::mlp, 1},
    {"recurrent", N_("recurrent layer"), &Theme::mlp, 0.6f},
    {"norms", N_("norms"), &Theme::text_faint, 1},
    {"head", N_("before the output"), &Theme::text_faint, 0.5f},
    {"unembedding", N_("unembedding"), &Theme::residual, 0.7f},
}};

const PartName& name_of(BudgetPart part) { return names[static_cast<std::size_t>(part)]; }
ImU32 colour_of(const Theme& t, BudgetPart part) { return with_alpha(t.*name_of(part).colour, name_of(part).alpha); }

struct BudgetKey {
    TransformerConfig config;
    int tokens = 0;
    bool operator==(const BudgetKey&) const = default;
};

/// A budget, or why there is none.
struct FoundBudget {
    Budget budget;
    std::string why_not;
};

struct BudgetLook {
    int model = 0;      // index of the choice: the sentences' own models, then the published ones
    int precision = 0;  // index into `precisions`
    std::string told;   // the item whose number is explained; empty: none
    std::string why;    // how that number is computed, from the newest frame
    Memo<BudgetKey, FoundBudget, 4> known;
    Memo<BudgetKey, double, 4> training;  // numbers of a training pass; computed in the frame after the rest
    std::optional<BudgetKey> shown;       // in the previous frame
};

FoundBudget found_budget(const TransformerConfig& config, int tokens) {
    try {
        return {budget_of(config, tokens), {}};
    } catch (const Error& e) {
        return {{}, e.what()};
    }
}

/// The model of a card as it is run, including the changes that rebuild it.
const TransformerConfig& config_of(const Frame& frame, int slot) {
    return frame.trace(slot) ? frame.trace(slot)->model().config : frame.model(slot).config;
}

/// A model that can be chosen.
struct Choice {
    std::string item, shown;
    const TransformerConfig* config;
};

std::vector<Choice> choices_of(const Frame& frame) {
    std::vector<Choice> all{{"this model", tr("this model"), &config_of(frame, 0)}};
    if (!frame.same_model() || !(config_of(frame, 1) == config_of(frame, 0)))
        all.push_back({"model of B", tr("model of B"), &config_of(frame, 1)});
    for (const PublishedShape& shape : published_shapes())
        all.push_back({std::string(shape.name), std::string(shape.name), &shape.config});
    return all;
}

/// In full up to a billion; beyond that with a power of ten.
std::string count_text(double count) {
    return count < 1e9 ? grouped(static_cast<std::int64_t>(count)) : significant(count, 4);
}

std::string whole_number(double count) {
    return count < 9e15 ? grouped(static_cast<std::int64_t>(count)) : significant(count, 6);
}

/// "768 × 768 × 12", preceded by its name.
std::string product_text(const BudgetTerm& term) {
    std::string text;
    for (const std::int64_t factor : term.factors)
        if (factor != 1 || term.factors.size() == 1) text += (text.empty() ? "" : " × ") + grouped(factor);
    if (text.empty()) text = "1";
    if (term.times > 1) text += " × " + grouped(term.times);
    return term.name + ": " + text + " = " + whole_number(term.value());
}

std::string sum_text(std::span<const BudgetTerm> terms) {
    std::string text;
    for (const BudgetTerm& term : terms) text += (text.empty() ? "" : "  +  ") + product_text(term);
    return text;
}

/// The page in one frame.
class BudgetPage {
public:
    BudgetPage(const Frame& frame, BudgetLook& look, const Choice& of, const Budget& budget,
               std::optional<double> training)
        : ui_(frame.ui),
          look_(look),
          of_(of),
          budget_(budget),
          training_(training),
          bytes_(4.0 / (1 << look.precision)) {}

    float draw(const Box& box, double own_parameters) {
        const std::string before = std::exchange(look_.why, {});
        const float told = draw_told(box, before);
        const Box inside = box.below(told);
        const float table_width = ui_.px(table_least);
        const bool beside = inside.width() >= table_width + ui_.px(picture_least + 2 * bar_width + 3 * gap);
        const float room = beside ? inside.width() - table_width - ui_.px(gap) : inside.width();
        const float side =
            std::clamp(room - ui_.px(2 * bar_width + 2 * gap), ui_.px(picture_least), ui_.px(picture_most));
        const float picture = draw_picture(inside.left(room), side, own_parameters);
        const ImVec2 corner =
            beside ? ImVec2{inside.max.x - table_width, inside.min.y} : ImVec2{inside.min.x, picture + ui_.px(gap)};
        return std::max(picture, draw_table({corner, {inside.max.x, inside.max.y}}));
    }

private:
    /// Says how the last clicked number is computed; without one, what the table shows.
    float draw_told(const Box& box, const std::string& why) {
        const TransformerConfig& c = *of_.config;
        std::string text = why;
        if (text.empty())
            text = filled(
                tr("T = {1} · {2}: {3} of width {4}, {5}. Click a number to see how it is computed."),
                {grouped(budget_.tokens), of_.shown,
                 filled(tr("{1} block", "{1} blocks", c.n_layers), {std::to_string(c.n_layers)}), grouped(c.d_model),
                 filled(tr("{1} head", "{1} heads", c.n_heads), {std::to_string(c.n_heads)})});
        if (budget_.tokens > c.n_ctx)
            text += "  " + filled(tr("(This model reads {1} tokens at most.)"), {grouped(c.n_ctx)});
        return box.min.y +
               draw::label_wrapped(ui_, box.min, box.width(), text, {FontRole::small, ui_.theme->text_muted},
                                   {"budget/told"}) +
               ui_.px(8);
    }

    void draw_bar(const Box& box, std::vector<BudgetTerm> BudgetLine::*what, double total, const char* item) {
        float y = box.min.y;
        for (const BudgetLine& line : budget_.lines) {
            const double part = sum_of(line.*what);
            const float bottom = y + box.height() * static_cast<float>(part / std::max(total, 1.0));
            const Box piece = box.between_y(y, bottom);
            ui_.list()->AddRectFilled(piece.min, piece.max, colour_of(*ui_.theme, line.part));
            if (draw::hovered(piece))
                draw::tooltip(ui_, piece,
                              std::string(tr(name_of(line.part).name)) + "\n" + count_text(part) + " · " +
                                  with_decimals(100 * part / std::max(total, 1.0), 1) + " %");
            y = bottom;
        }
        ui_.items->add(item, box, total);
    }

    /// Draws parameters and multiplications as bars of their parts, and all smaller models as squares in this one's.
    float draw_picture(const Box& box, float side, double own_parameters) {
        const Theme& t = *ui_.theme;
        const float line = ui_.line(FontRole::small), wide = ui_.px(bar_width);
        const float top = box.min.y + line + ui_.px(2), bottom = top + side;
        float x = box.min.x;
        const auto bar = [&](std::vector<BudgetTerm> BudgetLine::*what, double total, const char* name,
                             const char* item) {
            const Box at{{x, top}, {x + wide, bottom}};
            draw::text(ui_, {x, box.min.y}, name, {FontRole::small, t.text_muted});
            draw_bar(at, what, total, item);
            x += wide + ui_.px(gap);
        };
        bar(&BudgetLine::parameters, budget_.parameters, tr("par."), "budget/bar/parameters");
        bar(&BudgetLine::multiplications, budget_.multiplications, "×", "budget/bar/multiplications");
        const Box square{{x, top}, {x + side, bottom}};
        draw::rounded_box(ui_, square, t.control, t.control_border, 0);
        draw::text_in(ui_, {{x, box.min.y}, {box.max.x, top}}, tr("area = parameters"),
                      {FontRole::small, t.text_muted});
        ui_.items->add("budget/square", square, budget_.parameters);
        draw_smaller(square, own_parameters);
        const std::string next = next_larger();
        if (next.empty()) return bottom;
        return bottom + ui_.px(4) +
               draw::text_wrapped(ui_, {box.min.x, bottom + ui_.px(4)}, box.width(), next,
                                  {FontRole::small, t.text_muted});
    }

    void draw_smaller(const Box& square, double own_parameters) {
        std::vector<std::pair<double, std::string>> smaller;
        for (const PublishedShape& shape : published_shapes())
            smaller.emplace_back(shape.parameters, std::string(shape.name));
        smaller.emplace_back(own_parameters, tr("this model"));
        std::ranges::sort(smaller, std::ranges::greater{});
        const Theme& t = *ui_.theme;
        const float line = ui_.line(FontRole::small);
        float free_from = square.min.y;
        std::vector<std::pair<Box, std::string>> names;  // drawn over all squares
        for (const auto& [parameters, name] : smaller) {
            if (parameters >= budget_.parameters) continue;
            const float side = square.width() * static_cast<float>(std::sqrt(parameters / budget_.parameters));
            const Box at{{square.min.x, square.max.y - side}, {square.min.x + side, square.max.y}};
            const bool own = name == tr("this model");
            if (side >= 1)
                ui_.list()->AddRectFilled(at.min, at.max, with_alpha(own ? t.accent : t.attention, own ? 1 : 0.12f));
            if (side >= ui_.px(3)) ui_.list()->AddRect(at.min, at.max, t.attention);
            ui_.items->add(ui_.items->format("budget/to scale/%s", own ? "this model" : name.c_str()), at, parameters);
            if (at.min.y < free_from || at.min.y + line > square.max.y) continue;
            // The name of a small square is beside it.
            const float text = draw::text_size(ui_, name, FontRole::small).x + ui_.px(6);
            const float from = text < side ? at.min.x : at.max.x;
            names.push_back({{{from + ui_.px(3), at.min.y}, {square.max.x, at.min.y + line + ui_.px(1)}}, name});
            free_from = at.min.y + line;
        }
        for (const auto& [place, name] : names) {
            const float width = draw::text_size(ui_, name, FontRole::small).x;
            draw::rounded_box(ui_, place.left(width).inset(-ui_.px(2), ui_.px(1)), with_alpha(t.card, 0.8f), 0, 2);
            draw::text_in(ui_, place, name, {FontRole::small, t.text});
        }
    }

    std::string next_larger() const {
        for (const PublishedShape& shape : published_shapes())
            if (shape.parameters > 1.001 * budget_.parameters)
                return filled(tr("{1} has {2} times as many: its square would be {3} times as wide."),
                              {std::string(shape.name), significant(shape.parameters / budget_.parameters),
                               significant(std::sqrt(shape.parameters / budget_.parameters))});
        return {};
    }

    /// Draws a number of the table; a click explains it.
    void number(const Box& box, std::string_view item, double value, const std::string& text, const std::string& why) {
        const Response mouse = link_area(ui_, item, box, value, text);
        const bool told = look_.told == item;
        if (mouse.hovered || told) draw::rounded_box(ui_, box, told ? ui_.theme->selection_tint : ui_.theme->hover);
        if (mouse.clicked) look_.told = told ? std::string() : std::string(item);
        draw::text_in(ui_, box.inset(ui_.px(3), 0), text, {FontRole::small_bold, 0, draw::Align::right});
        if (look_.told == item) look_.why = why;  // shown at the top in the next frame
    }

    float name_cell(Box& table, ImU32 colour, std::string_view name, FontRole font = FontRole::small,
                    float share = 0.42f) {
        const Box row = table.cut_top(ui_.px(row_height));
        if (colour) ui_.list()->AddCircleFilled({row.min.x + ui_.px(5), row.middle_y()}, ui_.px(4), colour);
        draw::text_told(ui_, row.between_x(row.min.x + ui_.px(colour ? 15 : 0), row.min.x + row.width() * share), name,
                        {font});
        return row.min.y;
    }
    Box cell(const Box& table, float top, int column) const {
        const float width = table.width() * 0.29f, right = table.max.x - static_cast<float>(1 - column) * width;
        return Box{{right - width, top}, {right, top + ui_.px(row_height)}};
    }

    float draw_table(Box table) {
        const Theme& t = *ui_.theme;
        const auto heading = [&](int column, const char* text) {
            draw::text_in(ui_, cell(table, table.min.y, column).inset(ui_.px(3), 0), text,
                          {FontRole::small, t.text_muted, draw::Align::right});
        };
        heading(0, tr("parameters"));
        heading(1, tr("multiplications"));
        table.cut_top(ui_.px(row_height));
        for (const BudgetLine& line : budget_.lines) {
            const PartName& part = name_of(line.part);
            const float y = name_cell(table, colour_of(t, line.part), tr(part.name));
            const auto sum = [&](int column, const std::vector<BudgetTerm>& terms, const char* what) {
                if (terms.empty()) return;
                const double value = sum_of(terms);
                number(cell(table, y, column), ui_.items->format("budget/%s/%s", part.item, what), value,
                       count_text(value), std::string(tr(part.name)) + "  " + sum_text(terms));
            };
            sum(0, line.parameters, "parameters");
            sum(1, line.multiplications, "multiplications");
        }
        const float y = name_cell(table, 0, tr("in all"), FontRole::small_bold);
        number(cell(table, y, 0), "budget/parameters", budget_.parameters, count_text(budget_.parameters),
               filled(tr("All parts together: {1} parameters."), {whole_number(budget_.parameters)}));
        number(cell(table, y, 1), "budget/multiplications", budget_.multiplications,
               count_text(budget_.multiplications),
               filled(tr("One pass over {1} token: {2} multiplications. With an addition for each, {3} FLOPs.",
                         "One pass over {1} tokens: {2} multiplications. With an addition for each, {3} FLOPs.",
                         static_cast<std::int64_t>(budget_.tokens)),
                      {grouped(budget_.tokens), whole_number(budget_.multiplications),
                       whole_number(2 * budget_.multiplications)}));
        draw_more_work(table);
        table.cut_top(ui_.px(6));
        draw_memory(table);
        return table.min.y;
    }

    void draw_more_work(Box& table) {
        const auto row = [&](const char* name, const char* item, double value, const std::string& why) {
            const float y = name_cell(table, 0, name, FontRole::small, 0.7f);
            number(cell(table, y, 1), item, value, count_text(value), why);
        };
        if (budget_.kept.value() > 0)
            row(tr("the next token alone"), "budget/next token", budget_.per_token(),
                filled(tr("With a KV cache, one token is computed instead of {1}: {2} / {1} = {3} multiplications."),
                       {grouped(budget_.tokens), whole_number(budget_.multiplications),
                        whole_number(budget_.per_token())}));
        row(tr("learning from this text"), "budget/learning", 3 * budget_.multiplications,
            filled(tr("About three times as many as for reading it: the backward pass needs two products for each one, "
                      "for the gradients of the inputs and of the weights. 3 × {1}"),
                   {whole_number(budget_.multiplications)}));
    }

    void draw_memory(Box& table) {
        const std::string each = significant(bytes_);
        const auto row = [&](const char* name, const char* item, double bytes, const std::string& why) {
            const float y = name_cell(table, 0, name, FontRole::small, 0.7f);
            const Box at = cell(table, y, 1);
            number(at, item, bytes, bytes_text(bytes), why + " = " + bytes_text(bytes));
        };
        const auto counted = [&](double numbers, double size) {
            return whole_number(numbers) + " × " + filled(tr("{1} bytes"), {significant(size)});
        };
        const double p = budget_.parameters;
        name_cell(table, 0, tr("memory"), FontRole::small_bold);
        row(tr("weights"), "budget/memory/weights", p * bytes_, counted(p, bytes_));
        if (budget_.kept.value() > 0)
            row(tr("KV cache"), "budget/memory/kept", budget_.kept.value() * bytes_,
                product_text(budget_.kept) + "; × " + filled(tr("{1} bytes"), {each}));
        if (budget_.weights.value() > 0)
            row(tr("attention of one block"), "budget/memory/attention", budget_.weights.value() * bytes_,
                product_text(budget_.weights) + "; × " + filled(tr("{1} bytes"), {each}));
        row(tr("one pass, at most"), "budget/memory/pass", budget_.forward * bytes_,
            tr("The most numbers that this program holds at one time in a forward pass:") + std::string(" ") +
                counted(budget_.forward, bytes_));
        row(tr("gradients"), "budget/memory/gradients", p * bytes_, counted(p, bytes_));
        row(tr("Adam's two moments"), "budget/memory/moments", 2 * p * moment_bytes, "2 × " + counted(p, moment_bytes));
        if (!training_) return void(name_cell(table, 0, tr("a training pass, at most"), FontRole::small, 0.7f));
        row(tr("a training pass, at most"), "budget/memory/training", *training_ * bytes_,
            tr("The most numbers that this program holds at one time in a forward and backward pass over one text:") +
                std::string(" ") + counted(*training_, bytes_));
    }

    const Ui& ui_;
    BudgetLook& look_;
    const Choice& of_;
    const Budget& budget_;
    std::optional<double> training_;
    double bytes_;
};

}  // namespace

void draw_budget_choices(const Frame& frame, const Box& of_model, const Box& of_bits) {
    const Ui& ui = frame.ui;
    BudgetLook& look = frame.own<BudgetLook>();
    const std::vector<Choice> choices = choices_of(frame);
    look.model = std::min(look.model, static_cast<int>(choices.size()) - 1);
    std::vector<std::string_view> items, shown;
    for (const Choice& choice : choices) items.push_back(choice.item), shown.push_back(choice.shown);
    const int picked = dropdown(ui, "budget/model", of_model.left(std::min(of_model.width(), ui.px(model_width))),
                                shown[look.model], items, look.model, shown);
    if (picked >= 0) look.model = picked;
    Box rest = of_bits;
    draw::text_in(ui, rest.cut_left(draw::text_size(ui, tr("bits"), FontRole::small).x, ui.px(8)), tr("bits"),
                  {FontRole::small, ui.theme->text_muted});
    segmented(ui, "budget/bits", rest.left(std::min(rest.width(), ui.px(bits_width))), precisions, look.precision,
              precisions);
}

float draw_model_budget(const Frame& frame, int tokens, const Box& box) {
    const Ui& ui = frame.ui;
    BudgetLook& look = frame.own<BudgetLook>();
    const std::vector<Choice> choices = choices_of(frame);
    const Choice& chosen = choices[look.model];
    const BudgetKey key{*chosen.config, tokens};
    const FoundBudget& found = look.known(key, [&] { return found_budget(key.config, tokens); });
    if (!found.why_not.empty())
        return box.min.y + draw::text_wrapped(ui, box.min, box.width(), tr_sentence(found.why_not),
                                              {FontRole::small, ui.theme->danger_text});
    std::optional<double> training;
    if (look.shown == key)
        training = look.training(key, [&] { return training_pass(key.config, tokens); });
    else
        frame.state.more_to_compute = true;
    look.shown = key;
    return BudgetPage(frame, look, chosen, found.budget, training)
        .draw(box, static_cast<double>(frame.model(0).parameter_count));
}

}  // namespace glassformer::app::views::training
