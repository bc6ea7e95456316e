"""Record what a scrolling list does, frame by frame, for ``scrolltrace analyze``.

    import scrolltrace
    from scrolltrace import CELL

    with scrolltrace.Recorder("run.fxt") as recorder:
        with recorder.interaction("drag"):
            for row in range(1000):
                with recorder.frame(interval=16_666_667) as frame:
                    with frame.phase("layout"), recorder.span("configure", CELL, item=row):
                        show(row)
                frame.presented(display.shown_at())

Times are nanoseconds on the clock of `Recorder.now`, by default that of `time.monotonic_ns`.
Any thread may record. A span and a frame end on the thread that began them; use `Recorder.traced`
or `Recorder.operation` for work that awaits. The module needs the library libCScrollTrace: it loads
the file that SCROLLTRACE_LIBRARY names, or else the installed one. Without it, `Recorder` raises
`LibraryNotFound`, and `Recorder.off()` records nothing.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import inspect
import os
import sys
import types
from contextlib import contextmanager
from ctypes import POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int32, c_int64
from ctypes import c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, ContextManager, Dict, Iterator, NamedTuple, Optional, TypeVar
from typing import Tuple, Union, overload

__version__ = "0.1.0"
__all__ = [
    "CELL", "DATA", "IMAGE", "WAITING", "WORK", "Frame", "LibraryNotFound", "Losses", "Recorder",
    "RecordingError",
]

# Categories that the analysis knows. Others are the host's own.
WORK = "scrolltrace.work"
CELL = "scrolltrace.cell"
IMAGE = "scrolltrace.image"
DATA = "scrolltrace.data"
WAITING = "scrolltrace.waiting"

_UNKNOWN = -(2**63)
_NO_ID = 2**64 - 1
_MAJOR = 1
_CLOCKS = {None: 0, "monotonic": 1, "continuous": 2, "uptime": 3}
_Function = TypeVar("_Function", bound=Callable[..., Any])


class RecordingError(OSError):
    """A recording could not be opened, written or finished."""


class LibraryNotFound(RecordingError):
    """The library is missing, too old, or built for another system."""


class Losses(NamedTuple):
    """The number of lost events, by reason."""

    no_chunk: int
    too_big: int
    after_close: int
    inside: int


class _Name(Structure):
    _fields_ = [("text", c_void_p), ("length", c_size_t)]


class _Span(Structure):
    _fields_ = [("words", c_uint64 * 4)]


class _Frame(Structure):
    _fields_ = [("id", c_uint64), ("words", c_uint64 * 7)]


class _Tick(Structure):
    _fields_ = [(name, c_int64) for name in ("begin", "deadline", "target", "interval")]


class _Error(Structure):
    _fields_ = [("code", c_int32), ("system_error", c_int32), ("message", c_char * 504)]


class _Losses(Structure):
    _fields_ = [("struct_size", c_size_t)] + [(name, c_uint64) for name in Losses._fields]


class _Cell(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("item", c_uint64), ("view", c_uint64), ("position", c_int64),
        ("registration", c_uint64), ("list", _Name), ("kind", _Name), ("estimated_size", c_double),
        ("size", c_double), ("reused", c_int32), ("ahead", c_int32),
    ]


class _Options(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("maximum_bytes", c_uint64), ("prepared_bytes", c_uint64),
        ("clock", c_int32), ("replaces_existing_file", c_bool), ("starts_off", c_bool),
        ("records_all_main_work", c_bool), ("leaves_chunks_unsealed", c_bool),
        ("ring_bytes", c_uint64), ("hitch_dump_path", c_char_p), ("hitch_dump_limit", c_int64),
        ("thread_time", c_int32), ("file_access", c_int32), ("hitch_dump_pause", c_int64),
        ("hitch_dump_count", c_uint32), ("prints_problems", c_bool), ("stack_sampling_ns", c_int64),
        ("kept_one_in", c_uint64), ("kept_over", c_double),
    ]


# The functions of scrolltrace.h that are used here: their results and arguments.
_FUNCTIONS: Dict[str, Tuple[Any, ...]] = {
    "cell_mark": (None, c_void_p, _Name, POINTER(_Cell)),
    "counter": (None, c_void_p, _Name, c_int64),
    "counter_real": (None, c_void_p, _Name, c_double),
    "dump": (c_int32, c_void_p, c_char_p, POINTER(_Error)),
    "finish": (c_int32, c_void_p, POINTER(_Error)),
    "frame_begin": (_Frame, c_void_p, c_void_p, c_uint64, POINTER(_Tick)),
    "frame_end": (None, POINTER(_Frame)),
    "get_losses": (None, c_void_p, POINTER(_Losses)),
    "get_surface": (c_void_p, c_void_p, _Name, c_int64),
    "image_mark": (None, c_void_p, _Name, c_uint64, c_uint64, c_uint64),
    "interaction_begin": (_Span, c_void_p, _Name, c_void_p),
    "interaction_end": (None, POINTER(_Span)),
    "is_enabled": (c_bool, c_void_p),
    "mark": (None, c_void_p, _Name, _Name, c_uint64),
    "now": (c_int64, c_void_p),
    "open": (c_int32, c_char_p, POINTER(_Options), POINTER(c_void_p), POINTER(_Error)),
    "operation_record": (None, c_void_p, _Name, _Name, c_uint64, c_int64, c_int64),
    "phase_begin": (_Span, POINTER(_Frame), _Name),
    "presented": (None, c_void_p, c_void_p, c_uint64, c_int64),
    "register_name": (_Name, c_void_p, c_char_p, c_size_t),
    "set_enabled": (None, c_void_p, c_bool),
    "set_thread_name": (None, c_void_p, _Name),
    "span_begin": (_Span, c_void_p, _Name, _Name, c_uint64),
    "span_end": (None, POINTER(_Span)),
    "span_end_cell": (None, POINTER(_Span), POINTER(_Cell)),
    "state_clear": (None, c_void_p, _Name),
    "state_set": (None, c_void_p, _Name, _Name),
    "version": (c_uint32,),
}


def _candidates() -> Iterator[str]:
    chosen = os.environ.get("SCROLLTRACE_LIBRARY")
    if chosen:
        yield chosen
        return
    if sys.platform == "darwin":
        yield "libCScrollTrace.dylib"
    else:
        yield f"libCScrollTrace.so.{_MAJOR}"
    found = ctypes.util.find_library("CScrollTrace")
    if found:
        yield found


@functools.lru_cache(maxsize=None)
def _library() -> types.SimpleNamespace:
    """The functions of the library, by their names without the prefix."""
    problem = "not installed"
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            problem = str(error)
            continue
        functions = {}
        for name, (result, *arguments) in _FUNCTIONS.items():
            try:
                function = getattr(library, "scrolltrace_" + name)
            except AttributeError:
                problem = f"{path}: no scrolltrace_{name}; update the library"
                raise LibraryNotFound(problem) from None
            function.restype, function.argtypes = result, arguments
            functions[name] = function
        version = functions["version"]() // 1_000_000
        if version != _MAJOR:
            raise LibraryNotFound(f"{path}: version {version} is not supported; install {_MAJOR}.x")
        return types.SimpleNamespace(**functions)
    raise LibraryNotFound(
        f"libCScrollTrace: {problem}; install it with install.sh, "
        "or set SCROLLTRACE_LIBRARY to its file")


def _silent() -> types.SimpleNamespace:
    """Functions that record nothing."""

    def nothing(result: Any) -> Callable[..., Any]:
        if result is None or result is c_void_p:
            return lambda *_: None
        if issubclass(result, Structure):
            return lambda *_: result()
        return lambda *_: result().value

    functions = {name: nothing(types_[0]) for name, types_ in _FUNCTIONS.items()}
    functions["now"] = lambda *_: _UNKNOWN
    functions["frame_begin"] = lambda *_: _Frame(id=_NO_ID)
    return types.SimpleNamespace(**functions)


def _identifier(value: Optional[int]) -> int:
    return _NO_ID if value is None else value


class _Scope:
    """A part of a recording that begins and ends with its ``with`` statement."""

    __slots__ = ("_begin", "_arguments", "_end", "_value")

    def __init__(
        self, begin: Callable[..., Structure], arguments: Tuple[Any, ...], end: Callable[..., None]
    ) -> None:
        self._begin = begin
        self._arguments = arguments
        self._end = end

    def __enter__(self) -> None:
        self._value = self._begin(*self._arguments)

    def __exit__(self, *_: Any) -> None:
        self._end(byref(self._value))


class Frame:
    """A frame that is being committed, or was."""

    __slots__ = ("_recorder", "_surface", "_value")

    def __init__(self, recorder: Recorder, surface: Optional[int], value: _Frame) -> None:
        self._recorder = recorder
        self._surface = surface
        self._value = value

    @property
    def id(self) -> Optional[int]:
        """Its number on its surface, or None if it is not recorded."""
        return None if self._value.id == _NO_ID else self._value.id

    def phase(self, name: str) -> ContextManager[None]:
        """Record the body as a phase of the commit: "layout", "draw", "commit" or your own."""
        calls = self._recorder._calls
        arguments = (byref(self._value), self._recorder._name(name))
        return _Scope(calls.phase_begin, arguments, calls.span_end)

    def presented(self, time: int) -> None:
        """Record when the display presented the frame, as it reports it. Do not estimate."""
        self._recorder._calls.presented(
            self._recorder._handle, self._surface, self._value.id, time)


class Recorder:
    """A recording, which is a valid trace at any time and ends with its ``with`` statement."""

    _handle: Optional[c_void_p]

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        replace: bool = False,
        clock: Optional[str] = None,
        maximum_bytes: int = 0,
        ring_bytes: int = 0,
        hitch_dumps: Union[str, "os.PathLike[str]", None] = None,
        hitch_limit: int = 0,
        stack_sampling: int = 0,
        kept_one_in: int = 0,
        kept_over: float = 0,
    ) -> None:
        """Start a recording in a new file.

        replace: overwrite an existing file. clock: "monotonic", "uptime" or "continuous"; None is
        that of time.monotonic_ns.
        maximum_bytes: the maximum size of the file; 0 is 1 GiB. ring_bytes: retain about this many
        recent bytes; 0 keeps all. hitch_dumps: where to write a dump after a frame that is late by
        hitch_limit nanoseconds: this path plus -1.fxt, -2.fxt and so on. stack_sampling: the
        nanoseconds between two samples of the stack of a thread with an open frame, such as
        1000000; 0 is none. The stacks are those of the interpreter's C functions, on Linux.
        kept_one_in: delete the trace at the end, by chance, unless it is one in this many or has
        more than kept_over milliseconds of hitch time per second; 0 keeps all.
        """
        if clock not in _CLOCKS:
            raise ValueError(f"clock {clock!r} is none of {', '.join(filter(None, _CLOCKS))}")
        calls = _library()
        options = _Options(
            struct_size=ctypes.sizeof(_Options), maximum_bytes=maximum_bytes, clock=_CLOCKS[clock],
            replaces_existing_file=replace, ring_bytes=ring_bytes,
            hitch_dump_path=None if hitch_dumps is None else os.fsencode(hitch_dumps),
            hitch_dump_limit=hitch_limit, stack_sampling_ns=stack_sampling,
            kept_one_in=kept_one_in, kept_over=kept_over)
        handle, error = c_void_p(), _Error()
        self._start(calls)
        result = calls.open(os.fsencode(path), byref(options), byref(handle), byref(error))
        self._check(result, error)
        self._handle = handle

    @classmethod
    def off(cls) -> Recorder:
        """Return a recorder that records nothing, and needs no library."""
        recorder = cls.__new__(cls)
        recorder._start(_silent())
        return recorder

    def _start(self, calls: types.SimpleNamespace) -> None:
        self._calls = calls
        self._handle = None
        self._names: Dict[str, _Name] = {}
        self._surfaces: Dict[str, Optional[int]] = {}

    @staticmethod
    def _check(result: int, error: _Error) -> None:
        if result:
            raise RecordingError(error.system_error, error.message.decode("utf-8", "replace"))

    def _name(self, text: str) -> _Name:
        name = self._names.get(text)
        if name is None:
            data = text.encode("utf-8", "replace")
            name = self._names[text] = self._calls.register_name(self._handle, data, len(data))
        return name

    def _surface(self, name: Optional[str]) -> Optional[int]:
        if name is None:
            return None
        if name not in self._surfaces:
            self._surfaces[name] = self._calls.get_surface(
                self._handle, self._name(name), _UNKNOWN)
        return self._surfaces[name]

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None:
            self.finish()
        else:  # what the body raised matters more
            self._calls.finish(self._handle, None)

    def finish(self) -> None:
        """End the recording. Later events are counted as lost."""
        error = _Error()
        self._check(self._calls.finish(self._handle, byref(error)), error)

    def dump(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the current content to a new file."""
        error = _Error()
        self._check(self._calls.dump(self._handle, os.fsencode(path), byref(error)), error)

    def now(self) -> int:
        """The current time of the recording's clock."""
        return int(self._calls.now(self._handle))

    @property
    def enabled(self) -> bool:
        """Whether events are recorded. While they are not, an event costs little."""
        return bool(self._calls.is_enabled(self._handle))

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self._calls.set_enabled(self._handle, value)

    @property
    def losses(self) -> Losses:
        """The number of lost events, by reason."""
        losses = _Losses(struct_size=ctypes.sizeof(_Losses))
        self._calls.get_losses(self._handle, byref(losses))
        return Losses(*(getattr(losses, name) for name in Losses._fields))

    @contextmanager
    def frame(
        self, *, begin: int = 0, deadline: int = 0, target: int = 0, interval: int = 0,
        id: Optional[int] = None, surface: Optional[str] = None,
    ) -> Iterator[Frame]:
        """Record the body as the commit of a frame.

        begin, deadline, target: the display's times for it; 0 is unknown. interval: its refresh
        interval. id: its number, for all frames of a surface or none.
        """
        address = self._surface(surface)
        tick = _Tick(begin, deadline, target, interval)
        value = self._calls.frame_begin(self._handle, address, _identifier(id), byref(tick))
        try:
            yield Frame(self, address, value)
        finally:
            self._calls.frame_end(byref(value))

    def interaction(self, kind: str, *, surface: Optional[str] = None) -> ContextManager[None]:
        """Record the body as a time in which the list moves: "drag", "deceleration" or another."""
        arguments = (self._handle, self._name(kind), self._surface(surface))
        return _Scope(self._calls.interaction_begin, arguments, self._calls.interaction_end)

    def span(
        self, name: str, category: str = WORK, *, item: Optional[int] = None
    ) -> ContextManager[None]:
        """Record the body as work of this thread. It must not await; see `operation`."""
        arguments = (self._handle, self._name(name), self._name(category), _identifier(item))
        return _Scope(self._calls.span_begin, arguments, self._calls.span_end)

    @contextmanager
    def cell(
        self, step: str, *, item: int, position: int = -1, view: Optional[int] = None,
        list: Optional[str] = None, kind: Optional[str] = None, reused: Optional[bool] = None,
        ahead: Optional[bool] = None,
    ) -> Iterator[None]:
        """Record the body as a step of a cell: "create", "configure", "size", "prepare" ..."""
        value = self._calls.span_begin(
            self._handle, self._name(step), self._name(CELL), _identifier(item))
        try:
            yield
        finally:
            cell = _Cell(
                ctypes.sizeof(_Cell), _identifier(item), _identifier(view), position, _NO_ID,
                self._name(list or ""), self._name(kind or ""), -1, -1,
                -1 if reused is None else reused, -1 if ahead is None else ahead)
            self._calls.span_end_cell(byref(value), byref(cell))

    @contextmanager
    def operation(
        self, name: str, category: str = WORK, *, item: Optional[int] = None
    ) -> Iterator[None]:
        """Record the body, which may await, as an operation that is no thread's work."""
        begin = self.now()
        try:
            yield
        finally:
            self.record(name, category, begin, self.now(), item=item)

    def record(
        self, name: str, category: str, begin: int, end: int, *, item: Optional[int] = None
    ) -> None:
        """Record an operation, which is no thread's work, after the fact."""
        self._calls.operation_record(
            self._handle, self._name(name), self._name(category), _identifier(item), begin, end)

    @overload
    def traced(self, function: _Function) -> _Function: ...

    @overload
    def traced(
        self, function: str, category: str = WORK
    ) -> Callable[[_Function], _Function]: ...

    def traced(self, function: Any, category: str = WORK) -> Any:
        """Record each call of a function, as ``@traced`` or ``@traced("decode", IMAGE)``.

        Of a coroutine function, each part that runs without a wait is work of its thread, and the
        whole is an operation.
        """
        if isinstance(function, str):
            return lambda body: self._traced(body, function, category)
        return self._traced(function, function.__qualname__, category)

    def _traced(self, function: Callable[..., Any], name: str, category: str) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def operation(*arguments: Any, **keywords: Any) -> Any:
                with self.operation(name, category):
                    return await self._parts(function(*arguments, **keywords), name, category)

            return operation

        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            with self.span(name, category):
                return function(*arguments, **keywords)

        return call

    @types.coroutine
    def _parts(self, coroutine: Any, name: str, category: str) -> Any:
        """Run a coroutine, and record each part between two waits."""
        step, argument = coroutine.send, None
        while True:
            try:
                with self.span(name, category):
                    awaited = step(argument)
            except StopIteration as end:
                return end.value
            try:
                step, argument = coroutine.send, (yield awaited)
            except BaseException as error:  # cancellation, and what was awaited raised
                step, argument = coroutine.throw, error

    def mark(self, name: str, category: str = WORK, *, item: Optional[int] = None) -> None:
        """Record an event at the current time."""
        self._calls.mark(self._handle, self._name(name), self._name(category), _identifier(item))

    def image(
        self, mark: str, *, item: int, view: Optional[int] = None, bytes: Optional[int] = None
    ) -> None:
        """Record an event of an image, such as "cacheHit"."""
        self._calls.image_mark(
            self._handle, self._name(mark), item, _identifier(view), _identifier(bytes))

    def counter(self, name: str, value: Union[int, float]) -> None:
        """Record a value, such as a scroll offset."""
        if isinstance(value, int):
            self._calls.counter(self._handle, self._name(name), value)
        else:
            self._calls.counter_real(self._handle, self._name(name), value)

    def state(self, key: str, value: Optional[str]) -> None:
        """Set a state, by which reports can be filtered, or clear it with None."""
        if value is None:
            self._calls.state_clear(self._handle, self._name(key))
        else:
            self._calls.state_set(self._handle, self._name(key), self._name(value))

    def name_thread(self, name: str) -> None:
        """Name the calling thread in the trace."""
        self._calls.set_thread_name(self._handle, self._name(name))
