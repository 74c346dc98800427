// A rectangle in the window's draw list that shows a matrix.
in vec2 Position;

uniform mat4 projection;

out vec2 pixel;  // in window pixels, from the top left corner

void main() {
    pixel = Position;
    gl_Position = projection * vec4(Position, 0.0, 1.0);
}
