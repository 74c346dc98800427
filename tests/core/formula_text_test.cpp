// The lines of live numbers that explain an update must add up: each is evaluated from its own text.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/train/optimizer.h"
#include "tests/contains.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Evaluates "0.9 · 0.125 + (1 − 0.9^3) / √0.04": sums, products, quotients, brackets, roots and powers.
class Arithmetic {
public:
    explicit Arithmetic(std::string_view text) : rest_(text) {}

    /// Returns NaN if anything is left over that is not arithmetic.
    double value() {
        const double found = sum();
        return rest_.empty() ? found : std::nan("");
    }

private:
    bool take(std::string_view sign) {
        if (!rest_.starts_with(sign)) return false;
        rest_.remove_prefix(sign.size());
        return true;
    }

    double sum() {
        double found = product();
        for (;;) {
            if (take(" + "))
                found += product();
            else if (take(" − "))
                found -= product();
            else
                return found;
        }
    }

    double product() {
        double found = power();
        for (;;) {
            if (take(" · "))
                found *= power();
            else if (take(" / "))
                found /= power();
            else
                return found;
        }
    }

    double power() {
        const double base = single();
        if (take("²")) return base * base;
        return take("^") ? std::pow(base, single()) : base;
    }

    double single() {
        if (take("√")) return std::sqrt(single());
        if (take("(")) {
            const double found = sum();
            return take(")") ? found : std::nan("");
        }
        const std::string text(rest_);
        char* end = nullptr;
        const double found = std::strtod(text.c_str(), &end);
        const std::size_t used = end - text.c_str();
        rest_.remove_prefix(used);
        return used > 0 ? found : std::nan("");
    }

    std::string_view rest_;
};

/// A line such as "m = 0.9 · 0.125 + 0.1 · -0.25 = 0.0875": its middle evaluated, and its end as written.
struct Line {
    std::string name;
    double computed = 0.0, written = 0.0;
};

Line line_of(const std::string& text) {
    const std::size_t first = text.find(" = "), last = text.rfind(" = ");
    REQUIRE(first != std::string::npos);
    REQUIRE(last > first);
    return {text.substr(0, first), Arithmetic(text.substr(first + 3, last - first - 3)).value(),
            std::strtod(text.c_str() + last + 3, nullptr)};
}

}  // namespace

TEST_CASE("this test's own arithmetic is correct") {
    CHECK(Arithmetic("0.5 − 2 · (3 + √4) / 5 + 3²").value() == doctest::Approx(7.5));
    CHECK(Arithmetic("(-2)² / (1 − 0.5^2)").value() == doctest::Approx(4.0 / 0.75));
    CHECK(std::isnan(Arithmetic("1 + x").value()));
}

TEST_CASE("every line of an update's numbers computes to what it says, with every optimizer") {
    const TransformerGraph model = build_transformer(training_config(), {1, 4});
    const CellBefore before{.weight = 0.8,
                            .gradient = -0.5,
                            .factor = 0.5,
                            .m = 0.3,
                            .v = 0.2,
                            .weight_decay = 0.25,
                            .learning_rate = 0.4,
                            .update = 3};
    for (const OptimizerKind kind : all_optimizers) {
        OptimizerOptions options{.kind = kind, .beta1 = 0.75f, .beta2 = 0.5f, .momentum = 0.5f, .epsilon = 0.125f};
        const std::unique_ptr<Optimizer> optimizer = make_optimizer(*model.graph, options);
        CAPTURE(optimizer->name());
        const CellUpdate update = optimizer->explain(before);
        CHECK(update.weight == doctest::Approx(before.weight + update.change));
        REQUIRE(update.numbers.size() >= 2);
        for (const std::string& text : update.numbers) {
            CAPTURE(text);
            if (text.starts_with("m = ")) CHECK(!contains(text, "("));  // only a negative number's square needs them
            if (text.starts_with("t = ")) {  // given, not computed
                CHECK(text == "t = 3");
                continue;
            }
            const Line line = line_of(text);
            CHECK(line.computed == doctest::Approx(line.written).epsilon(0.01));
            const bool in_formula =
                contains(optimizer->formula(), line.name + " ←") || contains(optimizer->formula(), line.name + " =");
            CHECK((in_formula || line.name == "g"));
        }
        CHECK(line_of(update.numbers.front()).name == "g");
        CHECK(line_of(update.numbers.back()).name == "w");
        CHECK(line_of(update.numbers.back()).written == doctest::Approx(update.weight).epsilon(0.01));
    }
}
