#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/session/session.h"

namespace glassformer::app {

/// Options to open the model in a folder, or the shipped model of homonyms if that is empty. Sentences not given are
/// replaced with samples of its world.
Session::Options session_options(const std::string& model, const std::optional<std::string>& a = {},
                                 const std::optional<std::string>& b = {});

/// Opens what the last session left in a .glass file. If that cannot be opened, returns null and renames it, because
/// this session's end replaces it; `trouble` then says why, and where it is.
std::unique_ptr<Session> session_left_in(const std::filesystem::path& file, Session::Options options,
                                         std::string& trouble);

/// For a start that opens something else: renames what the last session left in that file if it holds a training that
/// is saved nowhere else, or cannot be read, because this session's end replaces it. Returns where it is, for the user;
/// empty if it may go.
std::string left_training_aside(const std::filesystem::path& file);

}  // namespace glassformer::app
