#pragma once

/// The formats of a scene: line by line in a lesson's file, and as JSON in a .glass file and in homework.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/lesson.h"
#include "app/lessons/view_moment.h"

/// A link encodes the screen after its "#": "…#glassformer=1.eyJzZW50…" is a version and a scene as JSON, in URL-safe
/// base64. Mail programs and browsers pass it on, and no server sees it.

namespace glassformer::app {

/// Parses "block 0 head 3 off", "this head v at "bat" from B", "block 1 MLP off", "positions off", …; throws Error
/// listing the valid changes.
SceneChange parse_change(std::string_view text);
/// Parses "sentence", "heads", "step 0", "model order"; throws Error listing the valid values.
Beside parse_beside(std::string_view text);
/// Parses a paragraph, which may begin with "when {…} > 0.5:" or "otherwise:" and may be a picture (not yet loaded).
Paragraph parse_paragraph(std::string_view source, int line);
/// Parses "positions sinusoidal, longest 8"; throws Error for an item that is not a name and a value.
std::vector<SetupSwitch> parse_switches(std::string_view text);
/// Throws Error unless the text is a whole number ≥ 0.
int whole_number(std::string_view text);
/// Throws Error unless the text is a number.
float decimal(std::string_view text);

/// Parses a view's name and page: "Attention", or "Embedding: byte pairs" if it has pages (without one, the first).
/// Throws Error listing the known names.
std::pair<std::string, int> parse_view(std::string_view text);

/// Returns the names of the fields that say one thing about a scene: "A", "head", "view", "generate", …
std::vector<std::string_view> scene_fields();
/// Sets one of them; returns false for an unknown name. Throws Error saying what the value should be.
bool set_scene_field(Scene& scene, std::string_view field, std::string_view value, int line);

/// Parses a single {…}; throws Error saying `what` it should be.
Expression one_expression(std::string_view text, int line, const char* what);
/// Returns the index of one of the names; throws Error listing them.
int one_of_names(std::string_view value, std::initializer_list<std::string_view> names);

/// Returns the screen as a step of a lesson's file, with every field of its scene, so that the step does not depend on
/// earlier ones. What a lesson cannot express (a painted row, a patch of the residual stream) becomes a comment.
/// `title` is the step's; its text is left to the author.
std::string step_of_screen(const Frame& frame, const std::string& title);

/// Returns the lines above the first step.
std::string lesson_head(const std::string& title, const ModelInfo& model);

/// Returns the screen as stored in a .glass file and in homework: sentences, step, block and head, words, view,
/// comparison, every change to the model, the explained number. Names of local folders are left out: a second model
/// that is compared is only included if it is a shipped one.
nlohmann::json scene_to_json(const ViewMoment& moment, const Snapshot& snapshot);

/// The inverse for the snapshot's model, for untrusted input. Blocks, words and steps that the model does not have are
/// clamped when shown. Throws Error naming `file` and the offending field.
ViewMoment scene_from_json(const nlohmann::json& object, const Snapshot& snapshot, const std::string& file);

inline constexpr std::size_t most_link_bytes = 2000;

/// Returns a link to the address, whose own "#…" is replaced; throws Error if the link would be too long.
std::string link_with(std::string_view address, const nlohmann::json& scene);
/// Returns the scene in the link inside a text; throws Error saying what is wrong with it.
nlohmann::json scene_of_link(std::string_view text);

}  // namespace glassformer::app
