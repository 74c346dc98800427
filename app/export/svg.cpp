#include <cstdio>
#include <numbers>
#include <vector>

#include "app/export/markup.h"
#include "app/export/picture_files.h"
#include "app/window/png.h"
#include "core/base/join.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

/// At most two decimals, without trailing zeros.
std::string number(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(value));
    std::string s = text;
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
    return s == "-0" ? "0" : s;
}

std::string place(const char* x, float at_x, const char* y, float at_y) {
    return std::string(x) + "=\"" + number(at_x) + "\" " + y + "=\"" + number(at_y) + "\" ";
}
std::string box_of(const Box& box) {
    return place("x", box.min.x, "y", box.min.y) + place("width", box.width(), "height", box.height());
}

/// Returns a colour as the value of `attribute`, with its opacity if it is not opaque.
std::string painted(const char* attribute, ImU32 colour) {
    char text[64];
    std::snprintf(text, sizeof text, "%s=\"#%02x%02x%02x\" ", attribute, colour >> IM_COL32_R_SHIFT & 0xff,
                  colour >> IM_COL32_G_SHIFT & 0xff, colour >> IM_COL32_B_SHIFT & 0xff);
    const unsigned alpha = colour >> IM_COL32_A_SHIFT & 0xff;
    if (alpha == 255) return text;
    return text + std::string(attribute) + "-opacity=\"" + number(static_cast<float>(alpha) / 255) + "\" ";
}

std::string path(const std::vector<ImVec2>& points, bool closed) {
    std::string d;
    for (const ImVec2 p : points) d += (d.empty() ? "M" : "L") + number(p.x) + " " + number(p.y);
    return "d=\"" + d + (closed ? "Z\" " : "\" ");
}

/// Returns a rotation by `angle` (in radians) about a point.
std::string turned(float angle, ImVec2 at) {
    if (angle == 0) return {};
    return "transform=\"rotate(" + number(angle * 180 / std::numbers::pi_v<float>) + " " + number(at.x) + " " +
           number(at.y) + ")\" ";
}

class SvgWriter {
public:
    void write(const Drawing::Shape& shape) {
        clip(shape.clip);
        std::visit([&](const auto& what) { draw(what); }, shape.what);
    }

    std::string finish(const Drawing& drawing, const std::string& title) {
        if (clipped_) body_ += "</g>\n";
        const std::string size = place("width", drawing.size.x, "height", drawing.size.y);
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
               "viewBox=\"0 0 " + number(drawing.size.x) + " " + number(drawing.size.y) +
               "\" font-family=\"Inter, 'DejaVu Sans', sans-serif\" style=\"font-variant-numeric:tabular-nums\" "
               "xml:space=\"preserve\">\n<title>" +
               escaped(title) + "</title>\n<defs>\n" + defs_ + "</defs>\n<rect " + size + "fill=\"#ffffff\"/>\n" +
               body_ + "</svg>\n";
    }

private:
    /// Consecutive shapes with the same clip rectangle share one group.
    void clip(const Box& box) {
        if (clipped_ && box.min.x == clip_.min.x && box.min.y == clip_.min.y && box.max.x == clip_.max.x &&
            box.max.y == clip_.max.y)
            return;
        if (clipped_) body_ += "</g>\n";
        clipped_ = true, clip_ = box;
        const std::string id = "c" + std::to_string(++ids_);
        defs_ += "<clipPath id=\"" + id + "\"><rect " + box_of(box) + "/></clipPath>\n";
        body_ += "<g clip-path=\"url(#" + id + ")\">\n";
    }

    void draw(const Drawing::Polygon& p) {
        body_ += "<path " + path(p.points, true) + painted("fill", p.colour) + "/>\n";
    }

    void draw(const Drawing::Line& line) {
        body_ += "<path " + path(line.points, false) + "fill=\"none\" " + painted("stroke", line.colour) +
                 "stroke-width=\"" + number(line.width) + "\" stroke-linejoin=\"round\"/>\n";
    }

    void draw(const Drawing::Gradient& g) {
        const std::string id = "g" + std::to_string(++ids_);
        defs_ += "<linearGradient id=\"" + id + "\"><stop offset=\"0\" " + painted("stop-color", g.left) +
                 "/><stop offset=\"1\" " + painted("stop-color", g.right) + "/></linearGradient>\n";
        body_ += "<rect " + box_of(g.box) + "fill=\"url(#" + id + ")\"/>\n";
    }

    void draw(const Drawing::Text& text) {
        const std::string places = join(text.along, " ", [&](float along) { return number(text.at.x + along); });
        body_ += "<text x=\"" + places + "\" y=\"" + number(text.at.y) + "\" font-size=\"" + number(text.em) + "\" " +
                 (text.bold ? "font-weight=\"600\" " : "") + painted("fill", text.colour) +
                 turned(text.angle, text.at) + ">" + escaped(to_utf8(text.letters)) + "</text>\n";
    }

    /// Writes the word itself: the viewer shapes it and chooses a font.
    void draw(const Drawing::Run& run) {
        body_ += "<text " + place("x", run.at.x, "y", run.at.y) + "font-size=\"" + number(run.em) + "\" " +
                 (run.bolder ? "font-weight=\"600\" " : "") + painted("fill", run.colour) + "textLength=\"" +
                 number(run.piece.width) + "\" lengthAdjust=\"spacingAndGlyphs\" " + turned(run.angle, run.at) + ">" +
                 escaped(run.piece.text) + "</text>\n";
    }

    void draw(const Drawing::Picture& p) {
        Image image{p.columns, p.rows, {}};
        for (const ImU32 pixel : p.pixels)
            for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT, IM_COL32_A_SHIFT})
                image.rgba.push_back(static_cast<std::uint8_t>(pixel >> shift & 0xff));
        body_ += "<image " + box_of(p.box) + "preserveAspectRatio=\"none\" " +
                 (p.smooth ? "" : "style=\"image-rendering:pixelated\" ") + "href=\"data:image/png;base64," +
                 base64(png_bytes(image)) + "\"/>\n";
    }

    std::string defs_, body_;
    bool clipped_ = false;
    Box clip_{};
    int ids_ = 0;
};

}  // namespace

std::string to_svg(const Drawing& drawing, const std::string& title) {
    SvgWriter svg;
    for (const Drawing::Shape& shape : drawing.shapes) svg.write(shape);
    return svg.finish(drawing, title);
}

}  // namespace glassformer::app
