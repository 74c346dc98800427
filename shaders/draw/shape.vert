// A shape of the window's draw list that has no picture.
in vec2 Position;
in vec2 UV;
in vec4 Color;

uniform mat4 projection;
uniform vec2 texels;  // of the picture in which lines are kept: how many it has from side to side; where the line begins

out vec4 tint;
out float across;  // texels from where the line begins

void main() {
    tint = Color;
    across = UV.x * texels.x - texels.y;
    gl_Position = projection * vec4(Position, 0.0, 1.0);
}
