#include <algorithm>
#include <utility>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/tasks/world_data.h"
#include "core/tasks/world_kind.h"
#include "core/text/words.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"
#include "core/worlds/coreference.h"
#include "core/worlds/corpus.h"

namespace glassformer {

namespace {

constexpr std::size_t training_coreference = 6000, held_out_coreference = 400, training_people = 1500,
                      held_out_people = 100;
constexpr double asked_share = 0.75;           // probability that a place with a question is asked in a batch
constexpr double hidden_pronoun_share = 0.25;  // share of the asked pronouns that are replaced by <mask>

/// A question at one place of a sentence: which word is meant?
struct Asked {
    std::size_t place;
    int meant;
    bool hidden;  // the word itself is there ("it means the chicken") and is always masked
};

struct Question {
    std::vector<int> ids;
    std::vector<Asked> asked;
    std::size_t other = 0;  // the noun that is not meant
    bool of_people = false, means_animal = false;
};

std::vector<Question> questions(const CoreferenceWorld& world, const WordTokenizer& tokenizer, Split split,
                                std::size_t count, std::size_t of_people) {
    std::vector<Question> all;
    for (const CoreferenceSentence& s : distinct_sentences(world, split, count, corpus_seed)) {
        Question q{word_ids(tokenizer, s.words), {}, static_cast<std::size_t>(s.other_pos), false, s.means_animal};
        const int meant = q.ids[s.antecedent_pos];
        q.asked.push_back({static_cast<std::size_t>(s.pronoun_pos), meant, false});
        if (s.answer_pos >= 0) q.asked.push_back({static_cast<std::size_t>(s.answer_pos), meant, true});
        all.push_back(std::move(q));
    }
    if (!world.people()) return all;
    for (const PeopleSentence& s : distinct_sentences(*world.people(), split, of_people, corpus_seed)) {
        Question q{word_ids(tokenizer, s.words), {}, 0, true, false};
        for (const PeopleSentence::Reference& r : s.references)
            q.asked.push_back({static_cast<std::size_t>(r.pronoun), q.ids[r.antecedent], false});
        all.push_back(std::move(q));
    }
    return all;
}

void put_words(const Question& question, std::size_t row, const BatchShape& shape, Batch& out) {
    put_row(question.ids, row, shape.positions, out.tokens, out.key_mask);
    put_row(question.ids, row, shape.positions, out.targets);
    put_row(question.ids, row, shape.positions, out.unmasked);
}

/// Masked words as in MaskedWords. In addition, most sentences ask what a pronoun means, at the pronoun and where the
/// sentence says it.
struct QuestionRows {
    using Row = Question;
    static void clear(const BatchShape& shape, Batch& out) {
        clear_rows(shape, out);
        out.unmasked.assign(out.tokens.size(), 0.0f);
    }
    static void put(const Question& question, std::size_t row, const BatchShape& shape, Batch& out, Rng& rng) {
        put_words(question, row, shape, out);
        for (std::size_t p = 0; p < question.ids.size(); ++p) {
            const auto here = std::ranges::find(question.asked, p, &Asked::place);
            const bool is_asked = here != question.asked.end();
            const bool predict = rng.uniform() < (is_asked ? asked_share : MaskedWords::predicted);
            const double replaced = !is_asked ? MaskedWords::replaced : here->hidden ? 1.0 : hidden_pronoun_share;
            const bool replace = rng.uniform() < replaced;
            const std::size_t cell = row * static_cast<std::size_t>(shape.positions) + p;
            if (is_asked) out.targets[cell] = static_cast<float>(here->meant);
            if (predict) out.loss_weights[cell] = 1.0f;
            if (predict && replace) out.tokens[cell] = WordTokenizer::mask;
        }
    }
};
using CoreferenceBatches = DrawnRows<QuestionRows>;

/// The same with every question asked, and masked where the sentence itself gives the answer.
struct AskedRows : QuestionRows {
    static void put(const Question& question, std::size_t row, const BatchShape& shape, Batch& out) {
        put_words(question, row, shape, out);
        for (const Asked& asked : question.asked) {
            const std::size_t cell = row * static_cast<std::size_t>(shape.positions) + asked.place;
            if (asked.hidden) out.tokens[cell] = WordTokenizer::mask;
            out.targets[cell] = static_cast<float>(asked.meant);
            out.loss_weights[cell] = 1.0f;
        }
    }
};

/// Counts how many answers were right.
struct AskedShare {
    double right = 0.0, asked = 0.0;
    void add(bool is_right) { right += is_right, asked += 1.0; }
    double value() const { return asked > 0.0 ? right / asked : 0.0; }
};

class AntecedentMetric final : public Metric {
public:
    AntecedentMetric(Backend& backend, const TransformerConfig& config, std::vector<Question> questions)
        : questions_(std::move(questions)),
          batch_(backend, config, {static_cast<int>(questions_.size()), config.n_ctx},
                 batch_of<AskedRows>(questions_, {static_cast<int>(questions_.size()), config.n_ctx})) {}

    Measurement measure(std::span<const float> parameters) override {
        batch_.run(parameters);
        AskedShare all, animals, places, pronouns, people, others;
        for (std::size_t row = 0; row < questions_.size(); ++row) {
            const Question& question = questions_[row];
            for (const Asked& asked : question.asked) {
                const int said = argmax(batch_.logits(row, asked.place));
                const bool right = said == asked.meant;
                all.add(right);
                if (!asked.hidden) pronouns.add(right);
                if (question.of_people) {
                    people.add(right);
                } else {
                    (question.means_animal ? animals : places).add(right);
                    others.add(said == question.ids[question.other]);
                }
            }
        }
        Measurement found{all.value(),
                          {{N_("where the animal is meant"), animals.value()},
                           {N_("where the place is meant"), places.value()},
                           {N_("asked at the pronoun itself"), pronouns.value()},
                           {N_("the other noun said"), others.value()}}};
        if (people.asked > 0.0) found.details.insert(found.details.begin() + 3, {N_("among people"), people.value()});
        return batch_.nan_if_diverged(std::move(found));
    }

private:
    std::vector<Question> questions_;
    FixedBatch batch_;
};

/// Each sample with its answer hidden, then with its answer, then those that ask at the pronoun. The token asked about
/// should attend to the word that is meant.
std::vector<Sample> samples_of(const CoreferenceWorld& world) {
    std::vector<Sample> hidden, whole, at_pronoun;
    for (const CoreferenceSentence& sentence : world.samples()) {
        std::vector<std::string> words = sentence.words;
        if (sentence.answer_pos < 0) {
            at_pronoun.push_back({join_words(words), -1, sentence.pronoun_pos, sentence.antecedent_pos});
            continue;
        }
        whole.push_back({join_words(words), -1, sentence.answer_pos, sentence.antecedent_pos});
        words[sentence.answer_pos] = "▢";
        hidden.push_back({join_words(words), -1, sentence.answer_pos, sentence.antecedent_pos});
    }
    if (world.people())
        for (const PeopleSentence& sentence : world.people()->samples())
            at_pronoun.push_back({join_words(sentence.words), -1, sentence.references.front().pronoun,
                                  sentence.references.front().antecedent});
    hidden.insert(hidden.end(), whole.begin(), whole.end());
    hidden.insert(hidden.end(), at_pronoun.begin(), at_pronoun.end());
    return hidden;
}

Task make_coreference(const WorldFile& file) {
    const auto world = std::make_shared<const CoreferenceWorld>(CoreferenceWorld::parse(file.text, file.name));
    const auto tokenizer = std::make_shared<const WordTokenizer>(world->vocabulary());
    const BatchShape shape{1, world->longest_sentence()};
    const auto tested = [world, tokenizer] {
        return questions(*world, *tokenizer, Split::held_out, held_out_coreference, held_out_people);
    };
    Task task = task_in_words(*world, tokenizer);
    task.options.schedule.total = 440;
    task.batches = std::make_shared<CoreferenceBatches>(
        questions(*world, *tokenizer, Split::train, training_coreference, training_people), shape);
    task.make_held_out = [tested, shape] { return std::make_shared<CoreferenceBatches>(tested(), shape); };
    task.samples = samples_of(*world);
    task.metric_name = filled_with(N_("held-out {1}"), N_("antecedents right"));
    task.metric_level = 0.98;
    task.make_metric = [tested](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<AntecedentMetric>(backend, config, tested());
    };
    return task;
}

}  // namespace

/// What does a pronoun mean? Masked-word prediction that also asks what "it", "he", "my" mean, at the pronoun itself
/// and at "it means the ▢". It is measured on combinations of animal, place and adjective that the model never saw.
extern constinit const WorldKind coreference_world{
    .name = "coreference",
    .summary = N_("What does “it” refer to? Only the last adjective tells."),
    .reads = "“… because it was too tired. it means the ▢.”",
    .learns = "tell which noun “it” refers to",
    .make = make_coreference,
    .file = "coreference.words",
    .own_list = "of_animal",
};

}  // namespace glassformer
