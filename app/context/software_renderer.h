#pragma once

namespace glassformer {

/// Whether the current OpenGL context draws on the processor.
bool draws_in_software();

/// Mesa's software renderer ends the program where it gets no memory. False where there is too little for it; where
/// there is not much, it draws without threads of its own. To be asked before a context is opened.
bool has_room_for_opengl();

}  // namespace glassformer
