#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/session/computing.h"
#include "app/session/embedded_words.h"
#include "app/session/recovery.h"
#include "app/session/setup_preview.h"
#include "core/analysis/neurons.h"
#include "core/analysis/pca.h"
#include "core/analysis/surprise.h"
#include "core/tasks/sense_probe.h"
#include "core/tasks/tasks.h"
#include "core/text/word_tokenizer.h"
#include "core/trace/trace.h"
#include "core/train/timeline.h"
#include "core/train/train_options.h"
#include "core/worlds/grammar.h"

namespace glassformer {
class ResidentTrace;
}

namespace glassformer::app {

struct NearestUses;     // nearest_uses.h
struct TunedLensShown;  // tuned_lens_study.h

/// What does not change while one model is open: the language, its words, the sizes of the model.
struct ModelInfo {
    TransformerConfig config;
    /// Null where the model reads numbers, or where nobody knows its tokens.
    std::shared_ptr<const Tokenizer> tokenizer;
    /// Of the sentences that are translated; null where there are none, or where one tokenizer serves both sides.
    std::shared_ptr<const Tokenizer> source_tokenizer;
    std::string folder;              // it was read from; empty for a fresh model
    std::string world, world_title;  // empty for a model without a world
    bool own_world = false;          // it is of a person's file, which may have the name of one of the program's
    std::shared_ptr<const TrainingSetup> proposed;  // how its world proposes to be learned; null without a world
    std::string token_noun = "word";                // what people call one token: "letter"; "token" where nobody knows
    std::string why_not_trained;                    // empty when it can be trained here
    std::int64_t training_size = 0;    // sentences (of a text: tokens) to train on; 0: the world makes each one anew
    int averaged_sentences = 0;        // held-out ones that a mean over the world is of; 0: there is no such mean
    std::vector<Sense> senses;         // 2h and 2h + 1 belong to one homonym; empty in a world without senses
    std::vector<Sample> samples;       // for the menus
    std::vector<std::string> classes;  // names of the classes, where it sorts sentences into classes
    std::string metric_name;           // "held-out sense accuracy"; empty where nothing is measured
    bool hides_words = false;          // it was taught to fill hidden words, and not what comes next
    bool metric_is_share = true;       // 0 … 1, the larger the better; else an error, the smaller the better
    bool metric_is_loss = false;       // the loss on held-out data: it has the loss's axis
    double metric_level = 0.0;         // at which the world counts as learned
    std::int64_t parameter_count = 0;
    std::string backend;  // "CPU · AVX2 · 2 threads"

    /// Index of the homonym that `word` is, or −1; its senses are 2h and 2h + 1.
    int homonym(const std::string& word) const;
    bool trainable() const { return why_not_trained.empty(); }
    bool translates() const { return config.family == Family::encoder_decoder; }
    /// The tokenizer, if it is one of whole words; else null.
    const WordTokenizer* words() const { return dynamic_cast<const WordTokenizer*>(tokenizer.get()); }
    const WordTokenizer* source_words() const;
    /// A token as the screen shows it, blanks visible; "#12" where nobody knows its text.
    std::string token_text(int id) const;
    std::string source_token_text(int id) const;
    /// "praise", or "class 1", in the chosen language.
    std::string class_name(int index) const;
};

/// One of the two sentences on screen, with everything the model computed for it.
struct WatchedSentence {
    std::string text;                          // as picked or typed
    std::shared_ptr<const ModelInfo> model;    // whose sentence it is; the session always sets it
    std::int64_t step = 0;                     // of the parameters that it was traced with
    std::vector<WordTokenizer::Token> tokens;  // unknown words keep their text and have id unknown; of a
                                               // translation the target, after its first token; of numbers
                                               // their names (x₁ y₁ …), with id −1
    std::vector<WordTokenizer::Token> source;  // the sentence that is translated
    std::vector<float> values;                 // [pos, d_input] where the model reads numbers
    std::vector<float> true_values;  // [pos, d_output] what it should say where it says numbers; NaN: nothing asked
    bool target_given = false;       // the translation was typed; else it is the model's own
    std::vector<std::vector<std::string>> nearest_known;  // by token: for unknown words, known ones to offer
    std::vector<std::string> doubled;  // special tokens that were typed beside those that the tokenizer adds
    std::string error;    // why it cannot be read (empty, too long, not text); then trace is null, unless `refused`
    std::string refused;  // a newer text, which cannot be read: all but `error` is of the one that it was to replace
    std::vector<RemovedHead> removed_heads;         // that write nothing in the model it was traced with
    int sense = -1;                                 // the truth, where the sentence is a sample
    int homonym_pos = -1;                           // the first homonym, or −1
    int first_token = -1;                           // of a sample: the token to look at first, or −1
    int looks_at = -1;                              // of a sample: the token that this one should attend to, or −1
    std::shared_ptr<const Trace> trace;             // with the snapshot's what_if, where there is any
    std::shared_ptr<const Trace> original;          // without; null when nothing was changed. The graphs differ where a
                                                    // change rebuilds the model: nodes correspond by name
    std::shared_ptr<const ResidentTrace> resident;  // what of it lies on the graphics card; null: nothing
    /// [pos, d_vocab]: row p holds the probabilities at p when word p is replaced by <mask>; for models that were
    /// trained to fill masks.
    std::vector<float> masked_probabilities;
    std::vector<float> original_masked_probabilities;  // without the what-ifs; empty when nothing was changed
};

/// How surprised a model from elsewhere that fills masks is by each word of a sentence, with that word masked; filled
/// word by word.
struct MaskedSurprise {
    std::weak_ptr<const Trace> of;      // the sentence's, as it is shown
    std::vector<TokenSurprise> tokens;  // by position; NaN for one that was not masked yet, or cannot be
    std::vector<int> left;              // positions to come
    std::string failure;                // why no more come
};

/// Of what a measured number is: which model, at which step of its training, with which changes. Beside the numbers of
/// the sentences it may stand only where it is of what they are of (Snapshot::of_shown).
struct MeasuredOf {
    std::shared_ptr<const ModelInfo> model;
    std::int64_t step = 0;
    std::vector<WhatIf> changes;  // those of the model, see changes_of_model(); empty: the model as it is
};

/// Every occurrence of one homonym in a part of the training corpus, in the residual stream of each layer.
struct MeaningMap {
    struct Layer {
        Pca pca;
        std::vector<std::array<float, 3>> points;
    };
    std::string homonym;
    int first_sense = 0;            // senses first_sense and first_sense + 1
    std::vector<int> sense;         // by point
    std::vector<std::string> text;  // by point: its sentence
    std::vector<Layer> layers;      // 0 the embedding, then after each block
    MeasuredOf of;
};

/// What every patch of one kind would do to a sentence's answer, as it was asked for; filled run by run.
struct PatchStudy : command::AskPatchGrid {
    PatchGrid grid;                    // of the model without what-ifs; NaN where it was not run yet
    int done = 0, total = 0;           // runs
    std::string refusal;               // why there is no grid (sentences of different lengths); then total is 0
    std::int64_t step = 0;             // of the parameters
    std::array<std::string, 2> texts;  // of the sentences A and B
    bool under_way() const { return done < total; }
};

/// What the world's metric said.
struct Measured {
    Measurement found;
    MeasuredOf of;
};

/// What can be opened: the models that were shipped, and the worlds that a fresh model can be made for.
struct ModelCatalog {
    struct Model {
        std::string name, folder;
        std::string title, summary;      // of its world, or of the model itself; empty where neither says one
        std::vector<std::string> words;  // of its vocabulary; empty where it reads no words
    };
    std::vector<Model> models;
    std::vector<ListedWorld> worlds;
    std::filesystem::path worlds_folder;  // that their files lie in; empty without an assets folder
};

enum class RunState { paused, training };

struct ExperimentInfo;

/// One consistent moment: everything the panels of a frame show. Immutable; made by the worker, read by the window.
struct Snapshot {
    std::uint64_t number = 0;  // grows with every snapshot
    std::shared_ptr<const ModelInfo> model;
    std::shared_ptr<const ModelCatalog> catalog;
    RunState state = RunState::paused;
    std::int64_t step = 0;           // the step that everything below belongs to
    std::int64_t live_step = 0;      // the newest step of the training
    bool live = true;                // step follows live_step; false while looking back
    std::int64_t planned_steps = 0;  // length of the learning-rate schedule
    float loss = 0.0f;               // smoothed over recent steps, at `step`
    float steps_per_second = 0.0f;   // while training
    float learning_rate = 0.0f;      // the peak of the schedule
    int batch = 0;
    std::uint64_t seed = 0;
    std::array<WatchedSentence, 2> sentences;
    Comparing comparing;                        // what sentence B shows
    std::string second_text;                    // of B, where two sentences are compared
    MeasuredOf shown;                           // what the numbers of the sentences are of
    std::shared_ptr<const Measured> measured;   // null where the model's world has no metric
    std::shared_ptr<const Measured> unaltered;  // the same of the model as it is, where `measured` is of the altered
    std::shared_ptr<const SenseProbeResult> probe;  // worlds of senses only
    std::shared_ptr<const MeaningMap> meaning;      // the same; of the homonym that was asked for last
    std::shared_ptr<const NeuronExamples> neurons;  // of the block whose neurons are looked at, or null
    /// By card, while the maps of the embeddings are looked at; else null.
    std::array<std::shared_ptr<const EmbeddedWords>, 2> embeddings;
    /// Of the two sentences, while it is looked at and their masked words are not predicted anyway; else null.
    std::array<std::shared_ptr<const MaskedSurprise>, 2> masked_surprise;
    /// By card, while somebody looks; else null.
    std::array<std::shared_ptr<const WordPartsShown>, 2> word_parts;
    std::shared_ptr<const NearestUses> nearest_uses;   // of the word that was asked for last, while it is looked at
    std::shared_ptr<const TunedLensShown> tuned_lens;  // that was asked for last, of the step that is shown; else null
    std::shared_ptr<const std::vector<MetricPoint>> history;
    std::vector<std::shared_ptr<const RunInfo>> runs;  // trainings on screen; empty where there is nothing to train
    int run = -1;                                      // id of the one at work, which the curves above belong to
    std::shared_ptr<const ExperimentInfo> experiment;  // that was started last (experiment.h); null: none
    std::vector<std::shared_ptr<const RunInfo>> set_aside;  // see command::BringBack
    Running running;
    Computing computing;                            // what the trainings are computed on
    std::shared_ptr<const Trouble> trouble;         // why the training stopped by itself; null: it did not
    std::shared_ptr<const SetupPreview> preview;    // that was asked for last
    std::shared_ptr<const Inspection> inspection;   // of the newest step; null when nothing is being looked at
    std::shared_ptr<const PatchStudy> patch_study;  // that was asked for last; null once a sentence is another
    std::vector<WhatIf> what_if;                    // what was changed in the model, for both sentences; empty: nothing
    std::vector<LostRun> lost_runs;                 // that were not saved when the program was killed last
    DiskSteps disk_steps;                           // whether what memory has no room for is kept as well
    std::vector<std::int64_t> kept_steps;           // steps that can be travelled to, ascending
    bool studying = false;                          // more of the above is coming
    std::string error;                              // of the last command or the training; shown once, dismissible
    std::uint64_t error_number = 0;                 // grows with every new error
    std::uint64_t given_up = 0;                     // how often command::GiveUpOpening was carried out

    /// The run at work; null where there is nothing to train.
    const RunInfo* current_run() const {
        for (const auto& info : runs)
            if (info->id == run) return info.get();
        return nullptr;
    }
    /// Whose sentence a card shows.
    const ModelInfo& model_of(int slot) const {
        const auto& own = sentences[slot].model;
        return own ? *own : *model;
    }
    /// Whether a measured number is of what the sentences show, and not of the model as it was before it was changed.
    /// (While training, what takes long is measured now and then, and lags some steps behind.)
    bool of_shown(const MeasuredOf& of) const { return of.model == shown.model && of.changes == shown.changes; }
    /// Whether the sense probe is there, and of what the sentences show.
    bool probe_of_shown() const { return probe && (!measured || of_shown(measured->of)); }
    /// Whether a card shows the model that is measured, at the same step: another model, or another step, has others.
    bool is_measured(int slot) const {
        const WatchedSentence& sentence = sentences[slot];
        return !sentence.model || (sentence.model == model && sentence.step == step);
    }
    /// Whose text changes when a card's does: where B shows A's, it is A's own.
    int text_slot(int slot) const { return comparing.of_sentences() ? slot : 0; }
    /// The sentence that was picked or typed for a card; B's shows again when two sentences are compared.
    const std::string& text_of(int slot) const {
        return slot == 1 && !comparing.of_sentences() ? second_text : sentences[slot].text;
    }
    /// That was asked for last, whether it could be read or not.
    const std::string& asked_of(int slot) const {
        const std::string& refused = sentences[slot].refused;
        return refused.empty() || (slot == 1 && !comparing.of_sentences()) ? text_of(slot) : refused;
    }
};

}  // namespace glassformer::app
