#include <emscripten.h>

#include "app/ui/glyphs/web/canvas_face.h"

namespace glassformer::app {

namespace {

// clang-format off
/// Called by the font finder's thread; the canvas belongs to the page's thread.
int on_canvas(char32_t character) {
    return MAIN_THREAD_EM_ASM_INT({
        if (!Module.glyphPen) {
            const canvas = document.createElement('canvas');
            canvas.width = 1000;  // a glyph may be a whole word
            canvas.height = 512;
            const pen = canvas.getContext('2d', {willReadFrequently: true});
            let font = "";
            Module.glyphPen = (em, bold) => {
                const wanted = (bold ? '600 ' : '400 ') + em + 'px sans-serif';
                if (font != wanted) pen.font = font = wanted;
                pen.fillStyle = 'white';
                return pen;
            };
            Module.glyphSeen = (text) => {
                const pen = Module.glyphPen(24, 0);
                pen.clearRect(0, 0, 64, 48);
                pen.fillText(text, 8, 32);
                return pen.getImageData(0, 0, 64, 48).data.join();
            };
            Module.glyphMissing = new Set(['\u{10FFFD}', '\u{FDD0}', '\u{0378}'].map(Module.glyphSeen));
        }
        return Module.glyphMissing.has(Module.glyphSeen(String.fromCodePoint($0))) ? 0 : 1;
    }, static_cast<int>(character));
}
// clang-format on

}  // namespace

bool canvas_has(char32_t character) { return on_canvas(character) != 0; }

std::optional<FontFace> find_system_font(char32_t character, bool bold) {
    if (!canvas_has(character)) return std::nullopt;
    return canvas_face(bold);
}

}  // namespace glassformer::app
