#!/usr/bin/env python3
"""Records from Python: feed.py LIBRARY TRACE, with the library as a path or a name to be found.

Only what it needs of scrolltrace.h is spelled out. Names must stay where they are: they are
registered, or kept in variables as long as the program runs.
"""
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint64
from ctypes import c_void_p

NO_ID = 2**64 - 1
OK = 0


class Name(Structure):
    _fields_ = [("text", c_void_p), ("length", c_size_t)]


class Span(Structure):
    _fields_ = [("words", c_uint64 * 4)]


class Frame(Structure):
    _fields_ = [("id", c_uint64), ("words", c_uint64 * 7)]


class Interaction(Structure):
    _fields_ = [("words", c_uint64 * 4)]


class Tick(Structure):
    _fields_ = [(name, c_int64) for name in ("begin", "deadline", "target", "interval")]


class Error(Structure):
    _fields_ = [("code", c_int32), ("system_error", c_int32), ("message", c_char * 504)]


def library(path):
    """The library with the types of its functions."""
    calls = ctypes.CDLL(path)
    for name, result, arguments in [
        ("open", c_int32, [c_char_p, c_void_p, POINTER(c_void_p), POINTER(Error)]),
        ("finish", c_int32, [c_void_p, POINTER(Error)]),
        ("now", c_int64, [c_void_p]),
        ("register_name", Name, [c_void_p, c_char_p, c_size_t]),
        ("frame_begin", Frame, [c_void_p, c_void_p, c_uint64, POINTER(Tick)]),
        ("frame_end", None, [POINTER(Frame)]),
        ("presented", None, [c_void_p, c_void_p, c_uint64, c_int64]),
        ("span_begin", Span, [c_void_p, Name, Name, c_uint64]),
        ("span_end", None, [POINTER(Span)]),
        ("interaction_begin", Interaction, [c_void_p, Name, c_void_p]),
        ("interaction_end", None, [POINTER(Interaction)]),
        ("state_set", None, [c_void_p, Name, Name]),
    ]:
        function = getattr(calls, "scrolltrace_" + name)
        function.restype, function.argtypes = result, arguments
    return calls


def main(path, trace):
    calls = library(path)
    recorder, error = c_void_p(), Error()
    if calls.scrolltrace_open(trace.encode(), None, byref(recorder), byref(error)) != OK:
        sys.exit(error.message.decode())

    def name(text):
        data = text.encode()
        return calls.scrolltrace_register_name(recorder, data, len(data))

    configure, cell = name("configure"), name("scrolltrace.cell")
    calls.scrolltrace_state_set(recorder, name("screen"), name("Feed"))
    drag = calls.scrolltrace_interaction_begin(recorder, name("drag"), None)
    refresh = 16_666_667
    for row in range(5):
        begin = calls.scrolltrace_now(recorder)
        tick = Tick(begin, begin + refresh, begin + 2 * refresh, refresh)
        frame = calls.scrolltrace_frame_begin(recorder, None, NO_ID, byref(tick))
        span = calls.scrolltrace_span_begin(recorder, configure, cell, 1000 + row)
        while calls.scrolltrace_now(recorder) < begin + 1_000_000:
            pass
        calls.scrolltrace_span_end(byref(span))
        calls.scrolltrace_frame_end(byref(frame))
        calls.scrolltrace_presented(recorder, None, frame.id, begin + 2 * refresh)
    calls.scrolltrace_interaction_end(byref(drag))
    if calls.scrolltrace_finish(recorder, byref(error)) != OK:
        sys.exit(error.message.decode())


main(sys.argv[1], sys.argv[2])
