#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
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

/// What stays the same while a model is open: the language, its words, the sizes of the model.
struct ModelInfo {
    TransformerConfig config;
    /// Null if the model reads numbers, or if its tokens are unknown.
    std::shared_ptr<const Tokenizer> tokenizer;
    /// For the sentences that are translated; null if there are none or if one tokenizer serves both sides.
    std::shared_ptr<const Tokenizer> source_tokenizer;
    std::string folder;              // where it was read from; empty for a fresh model
    std::string world, world_title;  // empty for a model without a world
    bool own_world = false;          // from a user's file, which may have the name of one of the program's worlds
    std::shared_ptr<const TrainingSetup> proposed;  // how its world proposes to train it; null without a world
    std::string token_noun = "word";                // the word for one token: "letter"; "token" if unknown
    std::string why_not_trained;                    // empty if it can be trained here
    bool has_training = true;        // false: this program neither trained it nor can; it has no steps and no curves
    std::int64_t training_size = 0;  // sentences (for a text: tokens) to train on; 0: the world generates each one anew
    int averaged_sentences = 0;      // held-out sentences that a mean over the world uses; 0: no such mean
    std::vector<Sense> senses;       // 2h and 2h + 1 belong to one homonym; empty in a world without senses
    std::vector<Sample> samples;     // for the menus
    std::vector<std::string> classes;  // names of the classes, if it classifies sentences
    std::string metric_name;           // "held-out sense accuracy"; empty if nothing is measured
    bool hides_words = false;          // trained to fill masked words, not to predict the next one
    bool metric_is_share = true;       // 0 … 1, larger is better; otherwise an error, smaller is better
    bool metric_is_loss = false;       // the loss on held-out data, drawn on the loss's axis
    double metric_level = 0.0;         // at which the world counts as learned
    std::int64_t parameter_count = 0;
    std::string backend;  // "CPU · AVX2 · 2 threads"

    /// Returns the index h of a homonym, −1 for another word; its senses are 2h and 2h + 1.
    int homonym(const std::string& word) const;
    bool trainable() const { return why_not_trained.empty(); }
    /// Returns a step of its training, to be shown; nullopt if it has no training.
    std::optional<std::int64_t> known_step(std::int64_t step) const {
        return has_training ? std::optional(step) : std::nullopt;
    }
    bool translates() const { return config.family == Family::encoder_decoder; }
    /// Returns the tokenizer if it is one of whole words, otherwise null.
    const WordTokenizer* words() const { return dynamic_cast<const WordTokenizer*>(tokenizer.get()); }
    const WordTokenizer* source_words() const;
    /// Returns a token as the screen shows it, with blanks made visible; "#12" if its text is unknown.
    std::string token_text(int id) const;
    std::string source_token_text(int id) const;
    /// Returns "praise", or "class 1", in the chosen language.
    std::string class_name(int index) const;
};

/// One of the two sentences on screen, with everything that the model computed for it.
struct WatchedSentence {
    std::string text;                        // as picked or typed
    std::shared_ptr<const ModelInfo> model;  // the model that reads it; always set by the session
    std::int64_t step = 0;                   // of the parameters it was traced with
    /// Unknown words keep their text and have the id `unknown`; for a translation, the target with its first token; for
    /// numbers, their names (x₁ y₁ …), with id −1.
    std::vector<WordTokenizer::Token> tokens;
    std::vector<WordTokenizer::Token> source;  // the sentence to translate
    std::vector<float> values;                 // [pos, d_input] if the model reads numbers
    std::vector<float> true_values;  // [pos, d_output] right answers, if the model predicts numbers; NaN: nothing asked
    bool target_given = false;       // the translation was typed; otherwise the model made it
    std::vector<std::vector<std::string>> nearest_known;  // by token: for an unknown word, known words to suggest
    std::vector<std::string> doubled;                     // typed special tokens that the tokenizer adds as well
    std::string error;    // why it cannot be read (empty, too long, not text); trace is then null, unless `refused`
    std::string refused;  // a newer text that cannot be read; all but `error` still belongs to the older one
    std::vector<RemovedHead> removed_heads;  // heads that write nothing in the model it was traced with
    int sense = -1;                          // for a sample: the true sense
    int homonym_pos = -1;                    // the first homonym, or −1
    int first_token = -1;                    // for a sample: the token to look at first, or −1
    int looks_at = -1;                       // for a sample: the token that first_token should attend to, or −1
    std::shared_ptr<const Trace> trace;      // with the snapshot's what_if, if there are any
    std::shared_ptr<const Trace> original;  // without; null if nothing was changed. If a change rebuilds the model, the
                                            // graphs differ and nodes correspond by name
    std::shared_ptr<const ResidentTrace> resident;  // the part of it on the GPU; null: none
    /// [pos, d_vocab]: row p holds the probabilities at p with word p replaced by <mask>; for models trained to fill
    /// masks.
    std::vector<float> masked_probabilities;
    std::vector<float> original_masked_probabilities;  // without the what-ifs; empty if nothing was changed

    /// Returns the trace of the model as it is, without the what-ifs.
    const std::shared_ptr<const Trace>& unaltered() const { return original ? original : trace; }
};

/// For a model from elsewhere that fills masks: how surprising each word of a sentence is to it when masked; filled
/// word by word.
struct MaskedSurprise {
    std::weak_ptr<const Trace> of;      // the sentence's, as it is shown
    std::vector<TokenSurprise> tokens;  // by position; NaN if not masked yet, or if it cannot be
    std::vector<int> left;              // positions still to do
    std::string failure;                // why no more will come
};

/// What a measured number belongs to: which model, at which training step, with which changes. It may only be shown
/// beside a sentence's numbers if those belong to the same (Snapshot::of_shown).
struct MeasuredOf {
    std::shared_ptr<const ModelInfo> model;
    std::int64_t step = 0;
    std::vector<WhatIf> changes;  // to the model, see changes_of_model(); empty: the unaltered model
};

/// Every occurrence of one homonym in part of the training corpus, in the residual stream of each layer.
struct MeaningMap {
    struct Layer {
        Pca pca;
        std::vector<std::array<float, 3>> points;
    };
    std::string homonym;
    int first_sense = 0;            // the senses are first_sense and first_sense + 1
    std::vector<int> sense;         // by point
    std::vector<std::string> text;  // by point: its sentence
    std::vector<Layer> layers;      // 0: the embedding, then after each block
    MeasuredOf of;
};

/// The effect that every patch of one kind has on a sentence's answer; filled run by run.
struct PatchStudy : command::AskPatchGrid {
    PatchGrid grid;                    // of the model without what-ifs; NaN if not run yet
    int done = 0, total = 0;           // numbers of runs
    std::string refusal;               // why there is no grid (sentences of different lengths); total is then 0
    std::int64_t step = 0;             // of the parameters
    std::array<std::string, 2> texts;  // of sentences A and B
    bool under_way() const { return done < total; }
};

/// The result of the world's metric.
struct Measured {
    Measurement found;
    MeasuredOf of;
};

/// What can be opened: the shipped models, and the worlds for which a fresh model can be made.
struct ModelCatalog {
    struct Model {
        std::string name, folder;
        std::string title, summary;      // from its world or from the model itself; empty if neither has one
        std::vector<std::string> words;  // of its vocabulary; empty if it reads no words
    };
    std::vector<Model> models;
    std::vector<ListedWorld> worlds;
    std::filesystem::path worlds_folder;  // where their files are; empty without an assets folder
};

enum class RunState { paused, training };

struct ExperimentInfo;

/// One consistent moment: everything that the panels of a frame show. Immutable; made by the worker, read by the
/// window.
struct Snapshot {
    std::uint64_t number = 0;  // increases with every snapshot
    std::shared_ptr<const ModelInfo> model;
    std::shared_ptr<const ModelCatalog> catalog;
    RunState state = RunState::paused;
    std::int64_t step = 0;           // to which everything below belongs
    std::int64_t live_step = 0;      // newest step of the training
    bool live = true;                // step follows live_step; false while looking back
    std::int64_t planned_steps = 0;  // length of the learning-rate schedule
    float loss = 0.0f;               // smoothed over recent steps, at `step`
    float steps_per_second = 0.0f;   // while training
    float learning_rate = 0.0f;      // the peak of the schedule
    int batch = 0;
    std::uint64_t next_seed = 0;  // of the training that a reset begins
    std::array<WatchedSentence, 2> sentences;
    Comparing comparing;                            // what card B shows
    std::string second_text;                        // B's own text, for when two sentences are compared
    MeasuredOf shown;                               // what the sentences' numbers belong to
    std::shared_ptr<const Measured> measured;       // null if the model's world has no metric
    std::shared_ptr<const Measured> unaltered;      // of the unaltered model, if `measured` is of the altered one
    std::shared_ptr<const SenseProbeResult> probe;  // worlds of senses only
    std::shared_ptr<const MeaningMap> meaning;      // the same; of the homonym that was last asked for
    std::shared_ptr<const NeuronExamples> neurons;  // of the block whose neurons are studied; null: none
    /// By card, while the embedding maps are on screen; otherwise null.
    std::array<std::shared_ptr<const EmbeddedWords>, 2> embeddings;
    /// By sentence, while it is on screen and the model does not predict masked words anyway; otherwise null.
    std::array<std::shared_ptr<const MaskedSurprise>, 2> masked_surprise;
    /// By card, while somebody looks; otherwise null.
    std::array<std::shared_ptr<const WordPartsShown>, 2> word_parts;
    std::shared_ptr<const NearestUses> nearest_uses;   // of the word last asked for, while on screen
    std::shared_ptr<const TunedLensShown> tuned_lens;  // last asked for, if of the step shown; otherwise null
    std::shared_ptr<const std::vector<MetricPoint>> history;
    std::vector<std::shared_ptr<const RunInfo>> runs;       // the trainings on screen; empty if nothing can be trained
    int run = -1;                                           // id of the active run, to which the curves above belong
    std::shared_ptr<const ExperimentInfo> experiment;       // last started (experiment.h); null: none
    std::vector<std::shared_ptr<const RunInfo>> set_aside;  // see command::BringBack
    Running running;
    Computing computing;                            // what the trainings run on
    std::shared_ptr<const Trouble> trouble;         // why training stopped by itself; null: it did not
    std::shared_ptr<const SetupPreview> preview;    // last asked for
    std::shared_ptr<const Inspection> inspection;   // of the newest step; null if nothing is inspected
    std::shared_ptr<const PatchStudy> patch_study;  // last asked for; null once a sentence changes
    std::vector<WhatIf> what_if;                    // changes to the model, for both sentences; empty: none
    std::vector<LostRun> lost_runs;                 // unsaved when the program was last killed
    DiskSteps disk_steps;                           // whether steps that do not fit in memory are kept on disk
    std::vector<std::int64_t> kept_steps;           // steps that can be visited, ascending
    bool studying = false;                          // more of the above is coming
    std::string error;                              // from the last command or the training; shown once, dismissible
    std::uint64_t error_number = 0;                 // increases with every new error
    std::uint64_t given_up = 0;                     // how often command::GiveUpOpening was carried out

    /// Returns the active run; null if nothing can be trained.
    const RunInfo* current_run() const {
        for (const auto& info : runs)
            if (info->id == run) return info.get();
        return nullptr;
    }
    /// Returns the model whose sentence a card shows.
    const ModelInfo& model_of(int slot) const {
        const auto& own = sentences[slot].model;
        return own ? *own : *model;
    }
    /// True if a measured number belongs to what the sentences show, and not to the model before it was changed.
    /// (During training, slow measurements are made now and then and lag some steps behind.)
    bool of_shown(const MeasuredOf& of) const { return of.model == shown.model && of.changes == shown.changes; }
    /// True if the sense probe exists and belongs to what the sentences show.
    bool probe_of_shown() const { return probe && (!measured || of_shown(measured->of)); }
    /// True if a card shows the measured model at the same step; another model or step has other numbers.
    bool is_measured(int slot) const {
        const WatchedSentence& sentence = sentences[slot];
        return !sentence.model || (sentence.model == model && sentence.step == step);
    }
    /// Returns the slot whose text changes with a card's: 0 while B shows A's text.
    int text_slot(int slot) const { return comparing.of_sentences() ? slot : 0; }
    /// Returns the sentence picked or typed for a card; B's is shown again once two sentences are compared.
    const std::string& text_of(int slot) const {
        return slot == 1 && !comparing.of_sentences() ? second_text : sentences[slot].text;
    }
    /// Returns the text that was last asked for, whether it could be read or not.
    const std::string& asked_of(int slot) const {
        const std::string& refused = sentences[slot].refused;
        return refused.empty() || (slot == 1 && !comparing.of_sentences()) ? text_of(slot) : refused;
    }
};

}  // namespace glassformer::app
