#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/common/answer_gradient.h"
#include "app/common/provenance.h"
#include "app/common/said_words.h"
#include "app/language/tr.h"
#include "app/views/who_argued/words_page.h"
#include "core/text/utf8.h"

namespace glassformer::app::views::who_argued {

namespace {

/// The sense that a word on screen has or may have, if the probe for senses is available; −1: none.
int sense_of(const Frame& frame, int slot) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const int homonym = frame.model(slot).homonym(sentence.tokens[frame.state.token[slot]].text);
    if (homonym < 0 || !frame.snapshot.is_measured(slot) || !frame.snapshot.probe_of_shown()) return -1;
    return sentence.sense / 2 == homonym && sentence.sense >= 0 ? sentence.sense : 2 * homonym;
}

/// Shortens a token, which may be as long as a line.
std::string beginning_of(const std::string& text) {
    constexpr std::size_t most = 12;
    const std::u32string points = code_points(text);
    return points.size() <= most ? text : to_utf8(std::u32string_view(points).substr(0, most - 1)) + "…";
}

}  // namespace

AskedWordParts asked_about(const Frame& frame, int slot, std::pair<int, int> words, const AnswerChoice& choice) {
    using Instead = AnswerChoice::Instead;
    const ModelInfo& model = frame.model(slot);
    const auto [word, runner_up] = words;
    AskedWordParts asked{.position = frame.state.token[slot], .word = word};
    if (choice.instead == Instead::loss) {
        asked.loss = guess_of(model) == Guess::next ? AnswerLoss::of_next_words : AnswerLoss::of_word;
        return asked;
    }
    const bool of_sense = choice.instead == Instead::sense && model.config.output != OutputKind::classes;
    if (const int sense = of_sense ? sense_of(frame, slot) : -1; sense >= 0)
        return {.position = asked.position, .sense = sense};
    if (choice.against == 2 && runner_up >= 0)
        asked.minus = runner_up;
    else
        asked.less_mean = choice.against != 0;
    return asked;
}

AskedAnswer choose_answer(const Frame& frame, const Box& box, int slot, std::pair<int, int> words,
                          AnswerChoice& choice) {
    using Instead = AnswerChoice::Instead;
    const Ui& ui = frame.ui;
    const ModelInfo& model = frame.model(slot);
    const auto [word, runner_up] = words;
    const bool classes = model.config.output == OutputKind::classes;
    const int sense = classes ? -1 : sense_of(frame, slot);
    std::vector<std::string_view> names = {N_("logit"), N_("− mean")}, shown = {tr("logit"), tr("− mean")};
    if (runner_up >= 0) {
        names.push_back("− other");
        shown.push_back(ui.items->format(
            "− %s", beginning_of(classes ? model.class_name(runner_up) : model.token_text(runner_up)).c_str()));
    }
    const int other = runner_up >= 0 ? 2 : -1, of_sense = sense >= 0 ? int_size(names) : -1;
    if (sense >= 0) names.push_back(N_("sense")), shown.push_back(tr("sense"));
    const int of_loss = int_size(names);
    names.push_back(N_("loss")), shown.push_back(tr("loss"));
    int chosen = choice.against == 2 && other < 0 ? 1 : choice.against;
    if (choice.instead == Instead::loss) chosen = of_loss;
    if (choice.instead == Instead::sense && of_sense >= 0) chosen = of_sense;
    if (segmented(ui, ui.items->of_card(slot, "argued against"), box, names, chosen, shown)) {
        choice.instead = chosen == of_loss ? Instead::loss : chosen == of_sense ? Instead::sense : Instead::none;
        if (choice.instead == Instead::none) choice.against = chosen;
    }
    const AskedWordParts asked = asked_about(frame, slot, words, choice);
    return {asked, answer_name(frame, slot, asked)};
}

std::pair<int, int> class_and_other(const Frame& frame, int slot, int chosen) {
    const std::optional<SaidWords> said = said_words(frame, slot);
    const std::vector<int> order = said ? likeliest(said->now, 2) : std::vector<int>{0};
    const int word = chosen >= 0 ? chosen : order.empty() ? 0 : order[0];
    const auto other = std::ranges::find_if(order, [&](int id) { return id != word; });
    return {word, other == order.end() ? -1 : *other};
}

std::pair<int, int> choose_class(const Frame& frame, const Box& box, int slot, int& chosen) {
    const Ui& ui = frame.ui;
    const ModelInfo& model = frame.model(slot);
    std::vector<std::string> names;
    for (int i = 0; i < model.config.d_output; ++i) names.push_back(model.class_name(i));
    const std::vector<std::string_view> views(names.begin(), names.end());
    const int word = class_and_other(frame, slot, chosen).first;
    draw::text_in(ui, box, tr("Logit of"), {FontRole::body_bold});
    const float left = box.min.x + draw::text_size(ui, tr("Logit of"), FontRole::body_bold).x + ui.px(8);
    const Box field = box.right_of(left).left(ui.px(140));
    if (const int picked =
            dropdown(ui, ui.items->of_card(slot, "argued class"), field, names[word], views, word, views);
        picked >= 0)
        chosen = picked;
    return class_and_other(frame, slot, chosen);
}

}  // namespace glassformer::app::views::who_argued
