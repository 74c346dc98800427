// Models whose numbers have diverged, as after a learning rate that is too high: every view draws them and says what
// they are.
#include <cctype>
#include <set>

#include "app/ui/input.h"
#include "app/views/registry.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr std::size_t between_hovered = 9;  // every ninth item is hovered: hovering all would take minutes

/// True if a number is in C's raw format: "inf", "-nan", "-0.00", or more digits in a row than anyone reads.
bool is_raw(std::string_view text) {
    std::string word;
    int digits = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const unsigned char c = i < text.size() ? static_cast<unsigned char>(text[i]) : ' ';
        if (std::isdigit(c)) {
            if (++digits > 8) return true;
        } else {
            digits = 0;
        }
        if (std::isalpha(c)) {
            word += static_cast<char>(c);
            continue;
        }
        if (word == "inf" || word == "nan") return true;
        word.clear();
    }
    for (const std::string_view minus : {"-0.0", "−0.0"})
        for (std::size_t at = text.find(minus); at != std::string_view::npos; at = text.find(minus, at + 1))
            if (text.substr(at + minus.size()).substr(0, 8).find_first_of("123456789") == std::string_view::npos)
                return true;
    return false;
}

void look(const Story& story, std::set<std::string>& raw) {
    for (const Items::DrawnText& drawn : story.host.items().texts())
        if (is_raw(drawn.text)) raw.insert(std::string(drawn.text));
}

/// The shipped model with every parameter times `factor`.
std::string wild_model(const TemporaryFolder& folder, float factor) {
    Checkpoint wild = reference().shipped();
    auto parameters = std::make_shared<ParameterValues>(*wild.parameters);
    for (float& p : *parameters) p *= factor;
    wild.parameters = std::move(parameters);
    wild.keyframes.clear();
    save_checkpoint(folder / "wild", wild);
    return (folder / "wild").string();
}

}  // namespace

TEST_CASE("is_raw recognizes numbers in C's format") {
    for (const char* raw : {"loss inf", "-nan", "nan %", "−0.00", "x -0.000 y", "123456789.00"}) CHECK(is_raw(raw));
    for (const char* good : {"infer", "−0.04", "-0.001", "∞", "NaN", "12345678", "0.00", "finance"})
        CHECK_FALSE(is_raw(good));
}

TEST_CASE("story: the numbers of a diverged model are readable in every view") {
    for (const float factor : {60.0f, 3e9f}) {
        CAPTURE(factor);
        const TemporaryFolder folder;
        Story story({.model = wild_model(folder, factor)});
        story.settle();
        CHECK(story.snapshot().error == "");
        story.host.ui().items->keep_texts(true);
        std::set<std::string> raw;
        for (std::size_t view = 0; view < all_views().size(); ++view) {
            story.state().view = static_cast<int>(view);
            story.settle(3);
            look(story, raw);
            std::vector<ImVec2> places;
            for (const Item& item : story.host.items().all()) places.push_back(item.centre());
            for (std::size_t i = view % between_hovered; i < places.size(); i += between_hovered) {
                story.frames_at(places[i], 2);
                look(story, raw);
            }
        }
        std::string found;
        for (const std::string& text : raw) found += text + "\n";
        CHECK(found == "");
    }
}
