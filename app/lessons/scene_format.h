#pragma once

/// How a scene is written: line by line in a lesson's file, and as JSON in a .glass file and in homework.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/lesson.h"
#include "app/lessons/view_moment.h"

/// A link holds what is on screen behind its "#": "…#glassformer=1.eyJzZW50…", a version and a scene as JSON (see
/// scene_format.h), in base64 for addresses. Mail programs and browsers pass it on, and no server gets to see it.

namespace glassformer::app {

/// "block 0 head 3 off", "this head v at "bat" from B", "block 1 MLP off", "positions off" …; throws Error naming what
/// there is.
SceneChange parse_change(std::string_view text);
/// "sentence", "heads", "step 0", "model order"; throws Error naming what there is.
Beside parse_beside(std::string_view text);
/// A paragraph of a text, which may begin with "when {…} > 0.5:" or "otherwise:", and may be a picture that is still to
/// be loaded.
Paragraph parse_paragraph(std::string_view source, int line);
/// "positions sinusoidal, longest 8"; throws Error where one is not a name and a value.
std::vector<SetupSwitch> parse_switches(std::string_view text);
/// Throws Error unless the text is a whole number from 0 on.
int whole_number(std::string_view text);
/// Throws Error unless the text is a number.
float decimal(std::string_view text);

/// "Attention", or "Embedding: byte pairs" where a view has pages: its name, and which page (without one, the first).
/// Throws Error naming those that there are.
std::pair<std::string, int> parse_view(std::string_view text);

/// Fields that say one thing about a scene: "A", "head", "view", "generate" …
std::vector<std::string_view> scene_fields();
/// Sets one of them; false where there is none of that name. Throws Error saying what the value should be.
bool set_scene_field(Scene& scene, std::string_view field, std::string_view value, int line);

/// One {…} and nothing else; throws Error with `what` it should be.
Expression one_expression(std::string_view text, int line, const char* what);
/// The index of one of the names, which a person may have chosen from the message.
int one_of_names(std::string_view value, std::initializer_list<std::string_view> names);

/// What is on screen as a step of a lesson's file: every field that its scene has, so that the step does not hang on
/// those before it. What a lesson cannot make (a painted row, a patch of the stream) is in a comment. `title` is the
/// step's; its text is left to the author.
std::string step_of_screen(const Frame& frame, const std::string& title);

/// The lines above the first step.
std::string lesson_head(const std::string& title, const ModelInfo& model);

/// What is on screen, as it is written into a .glass file and into homework: sentences, step, block and head, words,
/// picture, comparison, every change to the model, the explained number. Names of this machine's folders are left out:
/// another model beside this one goes with it only where it is one that comes with the program.
nlohmann::json scene_to_json(const ViewMoment& moment, const Snapshot& snapshot);

/// The way back, for the model of the snapshot, from what anybody may have written. What names a block, word or step
/// that the model does not have is put into range when it is shown. Throws Error naming `file` and the field that is
/// wrong.
ViewMoment scene_from_json(const nlohmann::json& object, const Snapshot& snapshot, const std::string& file);

inline constexpr std::size_t most_link_bytes = 2000;

/// The link at an address, whose own part behind "#" goes; throws Error where it would be too long.
std::string link_with(std::string_view address, const nlohmann::json& scene);
/// What the link in a text holds; throws Error saying what is wrong with it.
nlohmann::json scene_of_link(std::string_view text);

}  // namespace glassformer::app
