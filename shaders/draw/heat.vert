// A rectangle of the window's draw list that shows a matrix.
in vec2 Position;

uniform mat4 projection;

out vec2 pixel;  // of the window: from its top left corner

void main() {
    pixel = Position;
    gl_Position = projection * vec4(Position, 0.0, 1.0);
}
