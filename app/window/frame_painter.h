#pragma once

#include <imgui.h>

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "app/window/kept_picture.h"

namespace glassformer::app {

class ChangedParts;
class KeptWindow;

/// Draws ImGui's lists with ImGui's backend, but what has no picture in it without reading one. ImGui draws everything
/// as a picture, a plain rectangle as one white texel; for a renderer in software that is half of its time. Looks the
/// same. Where pictures are kept, only what differs from the last frame is drawn, and parts that a camera looks at may
/// be shown as they were drawn last while it moves. Needs a current OpenGL context whenever it is used, and when it
/// ends.
class FramePainter {
public:
    FramePainter();
    ~FramePainter();
    FramePainter(const FramePainter&) = delete;
    FramePainter& operator=(const FramePainter&) = delete;

    /// Into what is bound and cleared; behind what is drawn stays the colour that OpenGL cleared it with.
    void paint(ImDrawData& frame);
    void keep_pictures(KeptPictures when);

    /// The last frame shows a kept picture: draw another one, until the camera rests.
    bool moves() const { return kept_shown_ > 0; }
    /// Of the last frame: how many pictures were kept ones.
    int kept_shown() const { return kept_shown_; }
    /// Of the last frame: how many triangles were drawn without a picture.
    int plain_triangles() const { return plain_triangles_; }
    /// Of the last frame: the boxes (x, y to z, w) that were drawn; all of it where no pictures are kept.
    std::span<const ImVec4> drawn() const { return boxes_; }

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
        bool takes(const Piece& o) const;
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
    /// Which boxes have to be drawn, and which moving pictures stand for new ones.
    void find_changes(const ImDrawData& frame);
    void compare(const ImDrawList& list, std::span<const ImDrawCmd> commands);
    /// A command, as far as it lies in boxes that do not overlap.
    void add(const ImDrawList& list, const ImDrawCmd& command, std::span<const ImVec4> within);
    void add_piece(const ImDrawCmd& part, const Piece& piece);
    void add_all(const ImDrawList& list, std::span<const ImDrawCmd> commands, std::span<const ImVec4> within);
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
    std::unique_ptr<ChangedParts> changed_;
    std::unique_ptr<KeptWindow> window_;
    std::vector<ImVec4> boxes_;  // that are drawn
    std::vector<bool> stands_;   // of the frame's moving pictures: the kept one stands for a new one
    std::size_t moving_ = 0;     // how many of them came so far
    int plain_triangles_ = 0, kept_shown_ = 0;
};

}  // namespace glassformer::app
