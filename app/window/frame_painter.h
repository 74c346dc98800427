#pragma once

#include <imgui.h>

#include <deque>
#include <optional>
#include <vector>

namespace glassformer::app {

/// Draws ImGui's lists with ImGui's backend, but what has no picture in it without reading one. ImGui draws everything
/// as a picture, a plain rectangle as one white texel; for a renderer in software that is half of its time. Looks the
/// same. Needs a current OpenGL context whenever it is used, and when it ends.
class FramePainter {
public:
    FramePainter();
    ~FramePainter();
    FramePainter(const FramePainter&) = delete;
    FramePainter& operator=(const FramePainter&) = delete;

    void paint(ImDrawData& frame);

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
    void find_pieces(const ImDrawList& list, const ImDrawCmd& command);
    Piece piece_of(const ImDrawList& list, const ImDrawCmd& command, unsigned index) const;
    /// Short pieces of a kind become such of another, which they can be drawn as, too.
    void join_short(Kind of, Kind to, unsigned least);

    unsigned vertex_ = 0, fragments_[2] = {0, 0};
    Program shape_, line_;
    unsigned imgui_program_ = 0;
    std::vector<Piece> pieces_;  // of one command
    std::deque<Way> ways_;       // of this frame: the commands point into it
    ImVector<ImDrawCmd> split_;  // of one list
    int plain_triangles_ = 0;
};

}  // namespace glassformer::app
