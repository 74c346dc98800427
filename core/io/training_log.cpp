#include "core/io/training_log.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/io/json_fields.h"

namespace glassformer {

namespace {

/// The numbers of a line that may be missing, by their names in the file.
struct OptionalNumber {
    const char* name;
    float MetricPoint::*value;
};
constexpr OptionalNumber optional_numbers[] = {{"accuracy", &MetricPoint::accuracy},
                                               {"held_out_loss", &MetricPoint::held_out_loss},
                                               {"gradient_norm", &MetricPoint::gradient_norm},
                                               {"learning_rate", &MetricPoint::learning_rate},
                                               {"tokens_per_second", &MetricPoint::tokens_per_second},
                                               {"clip_factor", &MetricPoint::clip_factor}};

constexpr std::size_t numbers_of_a_head = 5;

/// Nine digits bring every float back.
std::string number(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    return text;
}

std::string heads_text(std::span<const HeadScore> heads) {
    std::string text = ",\"heads\":[";
    for (const HeadScore& h : heads) {
        if (&h != heads.data()) text += ',';
        text += "[" + std::to_string(h.block) + "," + std::to_string(h.head) + "," + number(h.previous_word) + "," +
                number(h.induction) + "," + number(h.duplicate_token) + "]";
    }
    return text + "]";
}

HeadScore head_of(const nlohmann::json& numbers, const std::string& where) {
    const auto is_number = [](const nlohmann::json& n) { return n.is_number(); };
    if (!numbers.is_array() || numbers.size() != numbers_of_a_head ||
        !std::all_of(numbers.begin(), numbers.end(), is_number) || !numbers[0].is_number_unsigned() ||
        !numbers[1].is_number_unsigned())
        fail_in_field(where, "heads", "must be lists of block, head and three scores");
    return {numbers[0].get<int>(), numbers[1].get<int>(), numbers[2].get<float>(), numbers[3].get<float>(),
            numbers[4].get<float>()};
}

void read_heads(const nlohmann::json& object, std::int64_t step, TrainingLog& log, const std::string& where) {
    if (!has_field(object, "heads")) return;
    if (!object["heads"].is_array()) fail_in_field(where, "heads", "must be a list");
    HeadScoresAt at{step, {}};
    for (const nlohmann::json& numbers : object["heads"]) at.scores.push_back(head_of(numbers, where));
    log.heads.push_back(std::move(at));
}

float finite(const nlohmann::json& object, const char* name, const std::string& where) {
    const auto value = field<float>(object, name, where);
    if (!std::isfinite(value)) throw Error(where + ": \"" + name + "\" is not a finite number");
    return value;
}

void read_line(const std::string& line, TrainingLog& log, const std::string& where) {
    const nlohmann::json object = parse_object(line, where);
    MetricPoint p;
    p.step = field<std::int64_t>(object, "step", where);
    p.loss = finite(object, "loss", where);
    for (const OptionalNumber& o : optional_numbers)
        if (has_field(object, o.name)) p.*o.value = finite(object, o.name, where);
    if (!log.points.empty() && p.step <= log.points.back().step) throw Error(where + ": steps must grow");
    log.points.push_back(p);
    read_heads(object, p.step, log, where);
}

}  // namespace

void TrainingLog::cut_after(std::int64_t step) {
    while (!points.empty() && points.back().step > step) points.pop_back();
    while (!heads.empty() && heads.back().step > step) heads.pop_back();
}

std::string log_line(const MetricPoint& point, std::span<const HeadScore> heads) {
    std::string line = "{\"step\":" + std::to_string(point.step) + ",\"loss\":" + number(point.loss);
    for (const OptionalNumber& o : optional_numbers)
        if (point.*o.value >= 0.0f && std::isfinite(point.*o.value))
            line += std::string(",\"") + o.name + "\":" + number(point.*o.value);
    if (!heads.empty()) line += heads_text(heads);
    return line + "}\n";
}

TrainingLog parse_log(std::string_view text, const std::string& file, PartialLine torn,
                      std::vector<std::size_t>* ends) {
    TrainingLog log;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t found = text.find('\n', begin);
        if (found == std::string_view::npos && torn == PartialLine::pass_over) break;
        const std::size_t end = found == std::string_view::npos ? text.size() : found;
        read_line(std::string(text.substr(begin, end - begin)), log, file + ":" + std::to_string(++number));
        begin = end + 1;
        if (ends) ends->push_back(begin);
    }
    return log;
}

std::string log_as_csv(std::span<const MetricPoint> points) {
    std::string text = "step,loss,held_out_loss,metric,gradient_norm,learning_rate,tokens_per_second,clip_factor\n";
    for (const MetricPoint& p : points) {
        text += std::to_string(p.step) + "," + number(p.loss);
        for (const float value :
             {p.held_out_loss, p.accuracy, p.gradient_norm, p.learning_rate, p.tokens_per_second, p.clip_factor})
            text += "," + (value >= 0.0f ? number(value) : std::string());
        text += "\n";
    }
    return text;
}

}  // namespace glassformer
