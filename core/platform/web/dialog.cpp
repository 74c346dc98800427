#include "core/platform/dialog.h"

#include <emscripten.h>

#include <cstdlib>

// clang-format off
// The browser's own dialog; the chosen files are copied to where the program finds them. A browser opens it only shortly
// after the user did something, and Safari not at all for a click() of the frame after that: then a button asks for a
// click that opens it.
EM_JS(void, glassformer_ask_for_files, (int number, int folder, const char* title), {
    const input = document.createElement('input');
    input.type = 'file';
    input.webkitdirectory = folder != 0;
    Module.chosen = {number: number};
    const answer = (path) => {
        if (Module.chosen.number == number) Module.chosen.path = path;
    };
    input.addEventListener('cancel', () => answer(""));
    input.addEventListener('change', async () => {
        const into = '/chosen/' + number, files = [...input.files];
        const parts = (file) => (file.webkitRelativePath || file.name).split('/');
        try {
            for (const file of files) {
                FS.mkdirTree([into, ...parts(file).slice(0, -1)].join('/'));
                FS.writeFile([into, ...parts(file)].join('/'), new Uint8Array(await file.arrayBuffer()), {canOwn: true});
            }
        } catch (why) {
            console.warn('Not read:', why);  // the program says that it is not there
        }
        answer(files.length ? into + '/' + parts(files[0])[0] : "");
    });
    try {
        input.showPicker();
    } catch (why) {
        console.warn('Asks by a button:', why);
        const over = document.createElement('dialog');
        const button = document.createElement('button');
        button.textContent = UTF8ToString(title);
        button.style.cssText = 'font: 18px sans-serif; padding: 0.6em 1em';
        let asked = false;
        button.addEventListener('click', () => {
            asked = true;
            input.click();
            over.close();
        });
        over.addEventListener('click', (e) => e.target == over && over.close());  // beside the button
        over.addEventListener('keydown', (e) => e.key == 'Escape' ? over.close() : e.key == 'Enter' && button.click());
        over.addEventListener('close', () => {
            over.remove();
            if (!asked) answer("");
        });
        over.append(button);
        document.body.append(over);
        over.showModal();
    }
});
// The chosen path, "" if none was chosen; the caller must free it. 0 while the dialog is open.
EM_JS(char*, glassformer_chosen_file, (int number), {
    const chosen = Module.chosen;
    return chosen.number == number && chosen.path === undefined ? 0 : stringToNewUTF8(chosen.path || "");
});
// clang-format on

namespace glassformer::platform {

struct FileDialog::Open {
    int number;          // of the dialog; 0 if none is open
    std::string answer;  // if no dialog is needed
};

bool FileDialog::there() { return true; }

std::unique_ptr<FileDialog> FileDialog::open(For what, const std::string& title, const std::filesystem::path& start) {
    static int number = 0;
    if (what == For::saving)  // saving is a download, and the browser asks for its place
        return std::unique_ptr<FileDialog>(new FileDialog(std::make_unique<Open>(Open{0, start.string()})));
    glassformer_ask_for_files(++number, what == For::folder, title.c_str());
    return std::unique_ptr<FileDialog>(new FileDialog(std::make_unique<Open>(Open{number, {}})));
}

FileDialog::FileDialog(std::unique_ptr<Open> open) : open_(std::move(open)) {}
FileDialog::~FileDialog() = default;

std::optional<std::string> FileDialog::poll() {
    if (open_->number == 0) return open_->answer;
    char* const chosen = glassformer_chosen_file(open_->number);
    if (!chosen) return std::nullopt;
    std::string path = chosen;
    std::free(chosen);
    return path;
}

}  // namespace glassformer::platform
