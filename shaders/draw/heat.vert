// A rectangle of the window's draw list that shows a matrix.
in vec2 Position;
in vec2 UV;

uniform mat4 projection;

out vec2 place;  // in the matrix: 0 to 1 across and down

void main() {
    place = UV;
    gl_Position = projection * vec4(Position, 0.0, 1.0);
}
