#pragma once

#include <imgui.h>

#include <deque>
#include <map>
#include <vector>

#include "app/window/kept_picture.h"

namespace glassformer::app {

/// Draws ImGui's lists with ImGui's backend, but what has no picture in it without reading one. ImGui draws everything
/// as a picture, a plain rectangle as one white texel; for a renderer in software that is half of its time. Looks the
/// same. Parts that a camera looks at may be shown as they were drawn last while it moves. Needs a current OpenGL
/// context whenever it is used, and when it ends.
class FramePainter {
public:
    FramePainter();
    ~FramePainter();
    FramePainter(const FramePainter&) = delete;
    FramePainter& operator=(const FramePainter&) = delete;

    void paint(ImDrawData& frame);
    void keep_pictures(KeptPictures when);

    /// The last frame shows a kept picture: draw another one, until the camera rests.
    bool moves() const { return kept_shown_ > 0; }
    /// Of the last frame: how many pictures were kept ones.
    int kept_shown() const { return kept_shown_; }
    /// Of the last frame: how many triangles were drawn without a picture.
    int plain_triangles() const { return plain_triangles_; }

private:
    /// How triangles are drawn; each can also be drawn as those before it.
    enum class Kind {
        picture,  ///< by ImGui: text, images
        shape,    ///< of the corners' colours
        opaque    ///< without what is behind it
    };
    /// A line that ImGui keeps in its picture, as wide as `width` texels from `begin` on; of a shape, width is 0.
    struct Line {
        float begin = 0, width = 0;
        bool operator==(const Line&) const = default;
    };
    /// Triangles that follow one another and are drawn in one way.
    struct Piece {
        Kind kind = Kind::picture;
        Line line;
        unsigned first = 0, count = 0;  // indices
        ImVec4 around{};                // its corners

        bool in_the_way_of(const Piece& o) const { return kind == o.kind && line == o.line; }
    };
    /// How OpenGL draws the commands that follow.
    struct Way {
        FramePainter* painter;
        Kind kind;
        Line line;
    };
    struct Program {
        unsigned id = 0;
        int projection = -1, texels = -1, width = -1;
    };

    static void set_up(const ImDrawList* list, const ImDrawCmd* command);
    void begin(const Way& way);
    void link(Program& program);

    void split(ImDrawList& list);
    void go_on(const Piece& piece);
    void call(ImDrawCallback what, KeptPicture& picture);
    /// A command, as far as it lies in a box.
    void add(const ImDrawList& list, const ImDrawCmd& command, const ImVec4& within);
    void add_all(const ImDrawList& list, std::span<const ImDrawCmd> commands, const ImVec4& within);
    void add_moving(const ImDrawList& list, const draw::MovingPicture& moving, std::span<const ImDrawCmd> commands);
    void find_pieces(const ImDrawList& list, const ImDrawCmd& command);
    Piece piece_of(const ImDrawList& list, const ImDrawCmd& command, unsigned index) const;
    static void grow(Piece& piece, const Piece& by);
    /// Short pieces of a kind become such of another, which they can be drawn as, too.
    void join_short(Kind of, Kind to, unsigned least);

    unsigned vertex_ = 0, fragments_[2] = {0, 0};
    Program shape_, line_;
    unsigned imgui_program_ = 0;
    std::vector<Piece> pieces_;  // of one command
    std::deque<Way> ways_;       // of this frame: the commands point into it
    ImVector<ImDrawCmd> split_;  // of one list
    Piece now_;                  // in whose way the next command of that list would be drawn
    std::map<int, KeptPicture> kept_;
    KeptPictures keep_ = KeptPictures::never;
    int plain_triangles_ = 0, kept_shown_ = 0;
};

}  // namespace glassformer::app
