#include "CScrollTraceSymbols.h"

// There is no code: see the header.
typedef int scrolltrace_symbols_of_the_library;
