#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/platform/process.h"
#include "core/platform/system_error.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

/// Calls the function for each kind of arguments.
struct RunCommand {
    int operator()(const Answer& a) const {
        std::fputs(a.text.c_str(), stdout);
        return 0;
    }
    int operator()(const TrainArgs& a) const { return run_train(a); }
    int operator()(const SweepArgs& a) const { return run_sweep(a); }
    int operator()(const TraceArgs& a) const { return run_trace(a); }
    int operator()(const GenerateArgs& a) const { return run_generate(a); }
    int operator()(const TokenizeArgs& a) const { return run_tokenize(a); }
    int operator()(const CheckArgs& a) const { return run_check(a); }
    int operator()(const ExportArgs& a) const { return run_export(a); }
    int operator()(const PackArgs& a) const { return run_pack(a); }
    int operator()(const GradeArgs& a) const { return run_grade(a); }
    int operator()(const MetricsArgs& a) const { return run_metrics(a); }
    int operator()(const ShotArgs& a) const { return run_shot(a); }
    int operator()(const GalleryArgs& a) const { return run_gallery(a); }
    int operator()(const FilmArgs& a) const { return run_film(a); }
    int operator()(const LessonArgs& a) const { return run_lesson(a); }
    int operator()(const WindowArgs& a) const { return run_window(a); }
};

/// The system's language if none is named; English if that has no catalogue.
void choose_language(const std::string& language) {
    const std::filesystem::path folder = locale_folder();
    if (use_language(language, folder) || language.empty() || language == "en") return;
    use_language({}, folder);
    throw UsageError("--language: there is no language \"{1}\" in {2}", language, folder);
}

int fail(const std::string& what, int code) {
    tell(what);
    return code;
}

/// The exit code, once all that was printed has arrived: standard output may be a file on a full disk.
int printed(int code) {
    errno = 0;
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    if (errno == 0) return fail(N_("cannot write to standard output: is the disk full?"), 1);
    return fail(filled_with(N_("cannot write to standard output: {1}"), std::generic_category().message(errno)), 1);
}

}  // namespace

void tell(const std::string& english) {
    const std::string message = tr_sentence(english);
    constexpr std::string_view reason = "\n  ";  // one of several
    std::string shown;
    for (std::size_t begin = 0; begin < message.size();) {
        const std::size_t end = std::min(message.find(reason, begin + 1), message.size());
        const bool listed = std::string_view(message).substr(begin).starts_with(reason);
        shown +=
            (listed ? "\n" : "") + shown_bytes(std::string_view(message).substr(begin + listed, end - begin - listed));
        begin = end;
    }
    platform::write_error("glassformer: " + shown + "\n");
}

int run_cli(int argc, char** argv) {
    platform::ignore_file_size_signal();
    try {
        choose_language(language_in(argc, argv));  // --help and usage errors are in it too
        return printed(std::visit(RunCommand{}, read_command_line(argc, argv)));
    } catch (const UsageError& e) {
        return fail(filled_with(N_("{1} (see glassformer --help)"), e.what()), 2);
    } catch (const Error& e) {
        return fail(e.what(), 1);
    } catch (const std::filesystem::filesystem_error& e) {
        return fail(glassformer::describe(e), 1);
    } catch (const std::bad_alloc&) {
        return fail(N_("there is not enough memory for this; close other programs, or choose a smaller model or batch"),
                    1);
    } catch (const std::exception& e) {
        return fail(filled_with(N_("stopped by an unexpected problem: {1}"), e.what()), 1);
    }
}

}  // namespace glassformer::app
