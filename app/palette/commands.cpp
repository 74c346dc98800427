#include <array>

#include "app/common/changed_words.h"
#include "app/common/copy_python.h"
#include "app/common/hidden_word.h"
#include "app/common/links.h"
#include "app/common/predict_first.h"
#include "app/common/sentence_edit.h"
#include "app/common/text_size.h"
#include "app/language/tr.h"
#include "app/palette/entries.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/help/key_names.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/meaning/measured_senses.h"
#include "app/panels/meaning/nearest_uses_view.h"
#include "app/panels/model_check/model_check_panel.h"
#include "app/panels/runs/run_branch.h"
#include "app/panels/setup/setup_view.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/session/nearest_uses.h"
#include "app/views/registry.h"
#include "app/views/training/training_view.h"
#include "app/views/whole_model/forward_story.h"
#include "core/io/glass_file.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

bool training(const Frame& f) { return f.snapshot.state == RunState::training; }
bool can_train(const Frame& f) { return f.snapshot.model->trainable(); }
bool resting(const Frame& f) { return !training(f); }
bool looking_back(const Frame& f) { return !f.snapshot.live; }
bool on_disk(const Frame& f) { return f.snapshot.disk_steps.on; }
bool memory_only(const Frame& f) { return can_train(f) && !on_disk(f); }
bool filming(const Frame& f) { return f.state.own<TimelineState>().recording.total > 0; }
bool can_film(const Frame& f) { return f.snapshot.kept_steps.size() > 1 && !filming(f); }
bool can_film_forward(const Frame& f) { return f.trace(f.state.slot) && !filming(f); }
bool has_kept_steps(const Frame& f) { return !f.snapshot.kept_steps.empty(); }
/// Returns true if the window shows one panel at a time.
bool narrow(const Frame& f) { return largest_wide_scale(ImGui::GetIO().DisplaySize) < f.ui.scale; }
bool wide(const Frame& f) { return !narrow(f); }
bool light(const Frame& f) { return f.state.theme == ThemeKind::light; }
bool dark(const Frame& f) { return !light(f); }
bool can_predict(const Frame& f) { return f.state.own<PredictFirst>().possible && f.state.window.lessons.open < 0; }
bool may_predict(const Frame& f) { return can_predict(f) && !f.state.own<PredictFirst>().on; }
bool predicts(const Frame& f) { return can_predict(f) && f.state.own<PredictFirst>().on; }
bool moves(const Frame& f) { return !f.state.reduce_motion; }
bool moves_less(const Frame& f) { return f.state.reduce_motion; }
bool writes_lesson(const Frame& f) { return !f.state.window.authoring.file.empty(); }
bool keeps_session(const Frame& f) { return f.state.window.keep_session; }
bool forgets_session(const Frame& f) { return !keeps_session(f); }
bool opens_glass_files(const Frame&) { return platform::opens_glass_files(); }
bool may_open_glass_files(const Frame& f) { return platform::may_open_glass_files() && !opens_glass_files(f); }
bool plays_lesson(const Frame& f) { return f.state.window.lessons.open >= 0; }
bool explains_number(const Frame& f) { return !f.state.trail.empty() && f.trace(f.state.trail.back().slot); }
bool deep(const Frame& f) { return f.state.trail.size() > 1; }
bool can_undo(const Frame& f) { return f.state.window.undo.can_undo; }
bool can_redo(const Frame& f) { return f.state.window.undo.can_redo; }
int chosen_token(const Frame& f) { return f.state.token[f.state.slot]; }
bool may_hide(const Frame& f) { return can_hide_word(f, f.state.slot, chosen_token(f)); }
bool may_show(const Frame& f) { return can_show_word(f, f.state.slot, chosen_token(f)); }
template <bool yes>
void set_double_click(const Frame& f) {
    const std::string why = platform::open_glass_files(yes);
    constexpr const char* done = yes ? N_("A double click on a .glass file opens this program.")
                                     : N_("A double click on a .glass file no longer opens this program.");
    f.state.window.notice = {why.empty() ? tr(done) : filled(tr("Windows refuses it: {1}"), {why}), why.empty()};
}
template <BackendPreference preference>
void compute_on(const Frame& f) {
    f.send(command::ChooseBackend{preference});
}
template <BackendPreference preference>
bool computes_otherwise(const Frame& f) {
    return f.snapshot.computing.preference != preference;
}

void show_word_parts(const Frame& f) {
    f.state.view = view_index("Logit attribution");
    all_views()[f.state.view].page(f.state) = 1;
}
template <WordColour colour>
void colour_words(const Frame& f) {
    f.state.word_colour = colour;
}
template <WordColour colour>
bool coloured_otherwise(const Frame& f) {
    return f.state.word_colour != colour && f.model().config.output == OutputKind::words;
}

/// Opens a card of the timeline; if the window shows one panel at a time, switches to the timeline.
void show_runs(const Frame& f) {
    f.state.narrow_panel = Panel::timeline;
    f.state.own<TimelineState>().panel_open = true;
    f.state.own<TimelineState>().branch.open = false;
}
void branch_here(const Frame& f) {
    f.state.narrow_panel = Panel::timeline;
    f.state.own<TimelineState>().panel_open = false;
    if (!f.state.own<TimelineState>().branch.open) open_branch(f);
}

void type_sentence(const Frame& f, int card) {
    const int slot = f.snapshot.text_slot(card);
    SentenceEdit& edit = f.state.own<SentenceEdits>().of[slot];
    f.state.slot = slot;
    f.state.narrow_panel = card_panel(slot);
    edit.open = edit.take_focus = true;
    edit.sent.reset();
    edit.draft = f.sentence(slot).text;
}

/// Replaces the palette's page by another one.
void turn_page(const Frame& f, PaletteState::Page page, std::string query) {
    f.state.window.palette.open_page(page, std::move(query));
}

/// Shows a panel, like its tab in a narrow window.
template <Panel panel>
void show_panel(const Frame& f) {
    f.state.narrow_panel = panel;
}
template <Panel side>
void show_side(const Frame& f) {
    f.state.side_panel = side;
}

constexpr std::array commands{
    WindowCommand{N_("Train"), "start go on learn run", key_name::train,
                  [](const Frame& f) { f.send(command::Train{}); }, resting},
    WindowCommand{N_("Pause the training"), "stop train halt", key_name::train,
                  [](const Frame& f) { f.send(command::Pause{}); }, training},
    WindowCommand{N_("Reset the training…"), "start over fresh weights step 0 untrained", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::reset, ""); }},
    WindowCommand{N_("Save the model…"), "write checkpoint folder export disk", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::save, suggested_name_with_step(f.snapshot)); }},
    WindowCommand{N_("Save for students…"), "hand on share glass file send class lecture session take along",
                  key_name::hand_on,
                  [](const Frame& f) {
                      turn_page(f, PaletteState::Page::hand_on, suggested_name(*f.snapshot.model) + glass_ending);
                  }},
    WindowCommand{N_("Copy link"), "share address url state send web browser clipboard", "",
                  [](const Frame& f) { f.own<Links>().copy = true; }},
    WindowCommand{N_("Hand in homework…"), "task answers student name teacher file lesson", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::homework, ""); }, plays_lesson},
    WindowCommand{N_("Start the homework over"), "task answers again reset begin anew lesson", "",
                  [](const Frame& f) { f.state.window.lessons.ask = LessonMenu::Ask::over; }, plays_lesson},
    WindowCommand{N_("Leave the lesson"), "end stop quit close exit", "",
                  [](const Frame& f) { f.state.window.lessons.ask = LessonMenu::Ask::leave; }, plays_lesson},
    WindowCommand{N_("All lessons…"), "course learn teach overview list", "",
                  [](const Frame& f) { f.state.window.lessons.course = true; }},
    WindowCommand{N_("A lesson about this view"), "teach learn course explain show", "",
                  [](const Frame& f) {
                      LessonMenu& menu = f.state.window.lessons;
                      menu.ask = LessonMenu::Ask::start;
                      menu.of_view = true;
                  }},
    WindowCommand{N_("Open lesson…"), "load file own teach", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::open_lesson, ""); }},
    WindowCommand{N_("New lesson…"), "write author teach own begin", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::new_lesson, ""); }},
    WindowCommand{N_("Add this scene to the lesson"), "write author teach own step", "",
                  [](const Frame& f) { f.state.window.authoring.add_scene = true; }, writes_lesson},
    WindowCommand{N_("Open model…"), "load file folder checkpoint run recent dialog hugging face", key_name::open_model,
                  [](const Frame& f) { turn_page(f, PaletteState::Page::open_model, ""); }},
    WindowCommand{N_("Check this model"), "verify test trust numbers explanations report right error", "",
                  start_model_check, can_check_model},
    WindowCommand{N_("Measure meanings on this model"), "bat bank homonyms senses probe layers bert map tell apart", "",
                  [](const Frame& f) {
                      f.state.window.panels.number = true;  // the panel that shows them
                      start_measuring_senses(f);
                  },
                  offers_senses},
    WindowCommand{N_("New run…"),
                  "set up train world model optimizer switches fresh pre-LN post-LN heads layers residual norm place",
                  key_name::new_run, open_setup},
    WindowCommand{N_("Runs, film and events"), "show trainings branches curves events markers", "", show_runs,
                  can_train},
    WindowCommand{N_("Experiment…"), "sweep seeds is it luck compare many runs vary hyperparameter grid side by side",
                  "", open_experiment},
    WindowCommand{N_("Branch from here…"), "go on other settings learning rate seed head removed", "", branch_here,
                  can_train},
    WindowCommand{N_("What if the learning rate were 10 × as high?"),
                  "branch diverge too large step both curves beside the old one experiment", "",
                  branch_ten_times_as_fast, can_train},
    WindowCommand{N_("Train one step"), "update single next", key_name::one_step,
                  [](const Frame& f) { f.send(command::MakeSteps{1}); }, can_train},
    WindowCommand{N_("Save this run in a folder…"), "keep training checkpoint resume disk", "", ask_where_to_keep,
                  can_train},
    WindowCommand{N_("Open a run…"), "resume kept folder training load", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::open_run, ""); }},
    WindowCommand{N_("Save this panel…"), "svg png pdf csv npz picture image figure export numbers table film mp4 gif",
                  key_name::save_panel, [](const Frame& f) { f.state.window.save_panel_asked = true; }},
    WindowCommand{N_("Save metrics as CSV…"), "table curves log export loss", "",
                  [](const Frame& f) {
                      turn_page(f, PaletteState::Page::metrics, suggested_name(*f.snapshot.model) + "-metrics.csv");
                  },
                  can_train},
    WindowCommand{N_("Train on the GPU"), "compute backend opengl graphics card shaders fast", "",
                  compute_on<BackendPreference::gl>, computes_otherwise<BackendPreference::gl>},
    WindowCommand{N_("Train on the CPU"), "compute backend processor", "", compute_on<BackendPreference::cpu>,
                  computes_otherwise<BackendPreference::cpu>},
    WindowCommand{N_("Train on the faster one"), "compute backend automatic gpu cpu", "",
                  compute_on<BackendPreference::automatic>, computes_otherwise<BackendPreference::automatic>},
    WindowCommand{N_("Save the film as pictures…"), "png sequence video frames movie training export", "",
                  ask_where_to_film, can_film},
    WindowCommand{N_("Save the forward pass as pictures…"), "png whole model play story video export", "",
                  [](const Frame& f) { views::whole_model::ask_where_to_film_forward(f.state); }, can_film_forward},
    WindowCommand{N_("Stop saving pictures of the film"), "cancel png sequence", "",
                  [](const Frame& f) { f.state.own<TimelineState>().recording.asked_to_stop = true; }, filming},
    WindowCommand{N_("Keep more steps on disk"), "timeline spill memory folder cache", "",
                  [](const Frame& f) {
                      f.send(command::KeepOnDisk{{true, f.snapshot.disk_steps.gigabytes}});
                  },
                  memory_only},
    WindowCommand{N_("Keep steps in memory only"), "timeline spill disk folder cache off", "",
                  [](const Frame& f) {
                      f.send(command::KeepOnDisk{{false, f.snapshot.disk_steps.gigabytes}});
                  },
                  on_disk},
    WindowCommand{N_("Export for Hugging Face…"), "save transformers pytorch safetensors folder", "",
                  [](const Frame& f) { turn_page(f, PaletteState::Page::save, suggested_name_with_step(f.snapshot)); }},
    WindowCommand{N_("Copy this number as Python (PyTorch)"), "torch code program reproduce check clipboard script", "",
                  [](const Frame& f) { copy_python(f, f.state.trail.back(), ops::PythonLibrary::torch); },
                  explains_number},
    WindowCommand{N_("Copy this number as Python (NumPy)"), "code program reproduce check clipboard script", "",
                  [](const Frame& f) { copy_python(f, f.state.trail.back(), ops::PythonLibrary::numpy); },
                  explains_number},
    WindowCommand{N_("Undo the last change"), "back take revert", key_name::undo,
                  [](const Frame& f) { --f.state.window.undo.asked; }, can_undo},
    WindowCommand{N_("Redo the change"), "again forward repeat", key_name::redo,
                  [](const Frame& f) { ++f.state.window.undo.asked; }, can_redo},
    WindowCommand{N_("Back to the previous number"), "explanation trail", key_name::back,
                  [](const Frame& f) { explain_back(f.state); }, deep},
    WindowCommand{N_("Go to the newest step"), "timeline travel now live follow end", "",
                  [](const Frame& f) { f.send(command::FollowLive{}); }, looking_back},
    WindowCommand{N_("Go to the first step"), "timeline travel start beginning untrained", "",
                  [](const Frame& f) { travel_to(f, f.snapshot.kept_steps.front()); }, has_kept_steps},
    WindowCommand{N_("Type a sentence in A"), "write edit own text", "", [](const Frame& f) { type_sentence(f, 0); }},
    WindowCommand{N_("Type a sentence in B"), "write edit own text", "", [](const Frame& f) { type_sentence(f, 1); }},
    WindowCommand{
        N_("Swap two words, or replace one"), "exchange drag chip change word edit order", "",
        [](const Frame& f) {
            f.state.window.notice = {
                tr("Drag a word of a sentence onto another one to swap the two; double-click it to replace it."), true};
        },
        [](const Frame& f) { return can_change_words(f, f.state.slot); }},
    WindowCommand{N_("Mask the chosen word"), "hide ▢ guess fill bert", "",
                  [](const Frame& f) { hide_word(f, f.state.slot, chosen_token(f)); }, may_hide},
    WindowCommand{N_("Unmask the word"), "show hidden guess back bert", "",
                  [](const Frame& f) { show_word(f, f.state.slot, chosen_token(f)); }, may_show},
    WindowCommand{N_("Colour the words by surprise (bits)"), "perplexity entropy probability log loss nats unsure", "",
                  colour_words<WordColour::surprise>, coloured_otherwise<WordColour::surprise>},
    WindowCommand{N_("Colour the words by entropy (bits)"), "surprise perplexity uncertainty unsure probability", "",
                  colour_words<WordColour::entropy>, coloured_otherwise<WordColour::entropy>},
    WindowCommand{N_("Colour the words by attention"), "weights head surprise off", "",
                  colour_words<WordColour::attention>, coloured_otherwise<WordColour::attention>},
    WindowCommand{N_("Budget: parameters, memory, multiplications"),
                  "FLOPs size weights count gigabytes GB cost quadratic T² KV cache GPT-2 BERT Llama GPT-3", "",
                  [](const Frame& f) { views::training::show_model_budget(f.state); }},
    WindowCommand{N_("Each word's contribution to the answer"),
                  "leave out attribution saliency integrated gradients rollout importance occlusion input word words",
                  "", show_word_parts},
    WindowCommand{N_("Panel: model map"), "tab show architecture", "", show_panel<Panel::map>, narrow},
    WindowCommand{N_("Panel: sentence A"), "tab show", key_name::sentence_a, show_panel<Panel::sentence_a>, narrow},
    WindowCommand{N_("Panel: sentence B"), "tab show", key_name::sentence_b, show_panel<Panel::sentence_b>, narrow},
    WindowCommand{N_("Panel: number"), "tab show explanation where from", "", show_panel<Panel::number>, narrow},
    WindowCommand{N_("Panel: meaning"), "tab show senses words accuracy map", "", show_panel<Panel::meaning>, narrow},
    WindowCommand{N_("Panel: timeline"), "tab show training loss curve", "", show_panel<Panel::timeline>, narrow},
    WindowCommand{N_("Panel: meaning map"), "show side cloud", "", show_side<Panel::meaning>, wide},
    WindowCommand{N_("Panel: nearest words"), "show side meaning", "", show_side<Panel::words>, wide},
    WindowCommand{N_("Nearest uses of the chosen word"),
                  "similar sentences memorised memorized seen in training data corpus neighbours template", "",
                  [](const Frame& f) {
                      f.state.side_panel = Panel::words;
                      f.state.narrow_panel = Panel::meaning;
                      f.own<UsesLook>().on = true;
                  },
                  [](const Frame& f) { return can_compare_uses(f.model()); }},
    WindowCommand{N_("Dark theme"), "colours night black", "", [](const Frame& f) { f.state.theme = ThemeKind::dark; },
                  light},
    WindowCommand{N_("Light theme"), "colours day white", "", [](const Frame& f) { f.state.theme = ThemeKind::light; },
                  dark},
    WindowCommand{N_("Larger text"), "size zoom in bigger font", key_name::larger,
                  [](const Frame& f) { change_text_size(f.state, text_scale::step); }},
    WindowCommand{N_("Smaller text"), "size zoom out font", key_name::smaller,
                  [](const Frame& f) { change_text_size(f.state, -text_scale::step); }},
    WindowCommand{N_("Text at 100 %"), "size zoom normal reset font", key_name::normal_size,
                  [](const Frame& f) { reset_text_size(f.state); }},
    WindowCommand{N_("Presenter"), "audience larger projector talk stage full screen leave end", key_name::presenter,
                  [](const Frame& f) { f.state.presenter = !f.state.presenter; }},
    WindowCommand{N_("Presenter's console"), "lecturer notes timer clock next step second screen swap audience drawer",
                  "",
                  [](const Frame& f) {
                      PresenterConsole& console = f.state.window.console;
                      console.on = !console.on || !f.state.presenter;
                      f.state.presenter = f.state.presenter || console.on;
                  }},
    WindowCommand{N_("Predict first"), "guess before hide numbers quiz class", key_name::predict,
                  [](const Frame& f) { toggle_prediction(f.state); }, may_predict},
    WindowCommand{N_("Show without guessing"), "predict first off numbers", key_name::predict,
                  [](const Frame& f) { toggle_prediction(f.state); }, predicts},
    WindowCommand{N_("Reduce motion"), "animation off still accessibility", "",
                  [](const Frame& f) { f.state.reduce_motion = true; }, moves},
    WindowCommand{N_("Allow motion"), "animation on reduce accessibility", "",
                  [](const Frame& f) { f.state.reduce_motion = false; }, moves_less},
    WindowCommand{N_("Always start where I left off"), "session autosave restore begin exit", "",
                  [](const Frame& f) { f.state.window.keep_session = true; }, forgets_session},
    WindowCommand{N_("Always start with the two bats"), "session autosave restore begin exit", "",
                  [](const Frame& f) { f.state.window.keep_session = false; }, keeps_session},
    WindowCommand{N_("Open .glass files by double click"), "explorer file type association registry", "",
                  set_double_click<true>, may_open_glass_files},
    WindowCommand{N_("Do not open .glass files by double click"), "explorer file type association registry", "",
                  set_double_click<false>, opens_glass_files},
    WindowCommand{N_("Help"), "keys shortcuts what is this", key_name::help,
                  [](const Frame& f) { f.state.window.help = true; }},
};

}  // namespace

std::span<const WindowCommand> window_commands() { return commands; }

}  // namespace glassformer::app
