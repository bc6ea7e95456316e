// What the library counts on: the values of the header have one size on every system.

#include "scrolltrace.h"

_Static_assert(sizeof(scrolltrace_span) == 32, "a span is a token of the recorder");
_Static_assert(sizeof(scrolltrace_frame) == 64, "a frame is its number, its recorder and a span");
_Static_assert(sizeof(scrolltrace_interaction) == 32, "an interaction is a recorder, a name, an id");
_Static_assert(sizeof(scrolltrace_error) == 512, "an error is two numbers and a message");
_Static_assert(sizeof(size_t) == 8 || sizeof(size_t) == 4, "sizes are machine words");
