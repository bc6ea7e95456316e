/// Records what a scrolling list does, frame by frame, for
/// `scrolltrace analyze`.
///
/// ```dart
/// final recorder = Recorder('run.fxt');
/// recorder.interaction('drag', () {
///   while (display.next()) {
///     final number = recorder.frame((number) {
///       recorder.phase('layout', () {
///         recorder.cell('configure', row.id, () => show(row));
///       });
///       return number;
///     }, begin: display.vsync, interval: 16666667);
///     recorder.presented(number, display.shownAt);
///   }
/// });
/// recorder.close();
/// ```
///
/// Times are nanoseconds on the clock of [Recorder.now]; 0 is unknown.
/// Identifiers are any numbers except -1. Bodies of spans and frames are
/// synchronous: what awaits is recorded with [Recorder.operation]. Names are
/// kept for the lifetime of the process, so do not make one for each item.
///
/// A recorder belongs to its isolate. [Recorder.address] makes one for another
/// isolate, which records into the same file.
///
/// The library needs scrolltrace_ffi.dart beside it, Dart 3 and
/// libCScrollTrace, but no package. ScrollTrace's tests compare its calls and
/// structures with scrolltrace.h and check its syntax. It has not been compiled
/// or run.
library;

import 'dart:convert';
import 'dart:ffi';
import 'dart:io';

part 'scrolltrace_ffi.dart';

/// Categories that the analysis knows. Others are the host's own.
abstract final class Category {
  static const work = 'scrolltrace.work';
  static const cell = 'scrolltrace.cell';
  static const image = 'scrolltrace.image';
  static const data = 'scrolltrace.data';
  static const waiting = 'scrolltrace.waiting';
}

/// No item, view or number of a frame.
const noId = -1;

/// An unknown time.
const unknown = -9223372036854775808;

/// The clock of a recording. [monotonic] is that of Linux, Android and Fuchsia.
enum Clock { monotonic, continuous, uptime }

/// The number of lost events, by reason.
typedef Losses = ({int noChunk, int tooBig, int afterClose, int inside});

/// A recording could not be opened, written or finished.
final class RecordingException implements IOException {
  const RecordingException(this.message);

  final String message;

  @override
  String toString() => 'RecordingException: $message';
}

// ---- Recordings -------------------------------------------------------------

/// A display, window or layer that presents frames.
final class Surface {
  const Surface._(this._handle);

  final _Handle _handle;
}

/// A time in which the list moves, until [close]. A second end has no effect.
final class Interaction implements Finalizable {
  Interaction._(this._calls);

  final _Calls? _calls;
  late final Pointer<_Interaction> _value =
      _ownedMemory(sizeOf<_Interaction>(), this).cast();

  void close() => _calls?.interactionEnd(_value);
}

/// A recording, which is a valid trace at any time and ends with [close].
final class Recorder implements Finalizable {
  /// Starts a recording in a new file.
  ///
  /// An existing file is an error without [replace]. If the file is [mapped]
  /// into memory, it contains every event at once, whatever happens to the
  /// process; otherwise, it is written in pieces of 32 KiB. [maximumBytes] is
  /// its maximum size; 0 is 1 GiB. [ringBytes] retains about this many recent
  /// bytes; 0 keeps all. After a frame that is late by [hitchLimit]
  /// nanoseconds, a dump is written to [hitchDumps] plus -1.fxt and so on.
  Recorder(
    String path, {
    bool replace = false,
    Clock? clock,
    bool mapped = true,
    int maximumBytes = 0,
    int ringBytes = 0,
    String? hitchDumps,
    int hitchLimit = 0,
  }) : _calls = _Calls.load() {
    _withPath(path, (file) {
      _withPath(hitchDumps ?? '', (dumps) {
        _withMemory(sizeOf<_Options>() + sizeOf<_Handle>(), (memory) {
          final options = memory.cast<_Options>();
          final result = Pointer<_Handle>.fromAddress(
              memory.address + sizeOf<_Options>());
          options.ref
            ..structSize = sizeOf<_Options>()
            ..maximumBytes = maximumBytes
            ..clock = clock == null ? 0 : clock.index + 1
            ..replacesExistingFile = replace
            ..ringBytes = ringBytes
            ..hitchDumpPath = hitchDumps == null ? nullptr : dumps
            ..hitchDumpLimit = hitchLimit
            ..fileAccess = mapped ? 0 : 1;
          _check((error) => _calls!.open(file, options, result, error));
          _handle = result.value;
        });
      });
    });
  }

  /// Returns a recorder that records nothing, and needs no library.
  Recorder.off() : _calls = null;

  /// Returns a recorder for an isolate that did not open the recording.
  Recorder.fromAddress(int address)
      : _calls = address == 0 ? null : _Calls.load(),
        _handle = _Handle.fromAddress(address);

  final _Calls? _calls;
  _Handle _handle = nullptr;
  final _names = <String, _Name>{};

  static const _maximumDepth = 64;
  int _depth = 0;
  int _frameDepth = 0;

  late final Pointer<_Frame> _parts =
      _ownedMemory(sizeOf<_Frame>() * _maximumDepth, this).cast();
  late final Pointer<_Tick> _tick =
      _ownedMemory(sizeOf<_Tick>(), this).cast();
  late final Pointer<_Cell> _cell =
      _ownedMemory(sizeOf<_Cell>(), this).cast();

  /// The memory of an open part, which is a frame or a span.
  Pointer<_Frame> _frameAt(int depth) => Pointer<_Frame>.fromAddress(
      _parts.address + depth * sizeOf<_Frame>());
  Pointer<_Span> _spanAt(int depth) => _frameAt(depth).cast();

  _Name _name(_Calls calls, String text) =>
      _names[text] ??= _withText(
          text, (bytes, length) => calls.registerName(_handle, bytes, length));

  _Handle _surface(Surface? surface) => surface?._handle ?? nullptr;

  /// An address for [Recorder.fromAddress], valid until the process ends.
  int get address => _handle.address;

  /// Ends the recording. A second call has no effect; later events are counted
  /// as lost.
  void close() {
    final calls = _calls;
    if (calls != null) _check((error) => calls.finish(_handle, error));
  }

  /// Writes the current content to a new file.
  void dump(String path) {
    final calls = _calls;
    if (calls == null) return;
    _withPath(path, (file) {
      _check((error) => calls.dump(_handle, file, error));
    });
  }

  /// Whether events are recorded. While they are not, an event costs little.
  bool get enabled => _calls?.isEnabled(_handle) ?? false;
  set enabled(bool value) => _calls?.setEnabled(_handle, value);

  /// The current time of the recording's clock, or [unknown] if it is off.
  int now() => _calls?.now(_handle) ?? unknown;

  /// The number of lost events, by reason.
  Losses get losses => _withMemory(sizeOf<_Losses>(), (memory) {
        final counts = memory.cast<_Losses>();
        counts.ref.structSize = sizeOf<_Losses>();
        _calls?.getLosses(_handle, counts);
        return (
          noChunk: counts.ref.noChunk,
          tooBig: counts.ref.tooBig,
          afterClose: counts.ref.afterClose,
          inside: counts.ref.inside,
        );
      });

  /// Names the calling thread in the trace.
  void nameThread(String name) {
    final calls = _calls;
    if (calls != null) calls.setThreadName(_handle, _name(calls, name));
  }

  /// Returns the surface with a name. Without one, frames are those of the
  /// surface "display". [tolerance] is the accuracy of its presentation times
  /// in nanoseconds.
  Surface surface(String name, {int tolerance = unknown}) {
    final calls = _calls;
    if (calls == null) return Surface._(nullptr);
    return Surface._(calls.getSurface(_handle, _name(calls, name), tolerance));
  }

  // ---- Frames ---------------------------------------------------------------

  Pointer<_Tick> _timing(int begin, int deadline, int target, int interval) {
    _tick.ref
      ..begin = begin
      ..deadline = deadline
      ..target = target
      ..interval = interval;
    return _tick;
  }

  /// Records [body] as the commit of a frame, and passes the frame's number on
  /// its surface. [begin] is the earliest time at which the host could work on
  /// the frame, [deadline] the time by which the commit must end, and [target]
  /// the time at which it should be on screen. Pass [id] for all frames of a
  /// surface or none.
  T frame<T>(
    T Function(int number) body, {
    int begin = 0,
    int deadline = 0,
    int target = 0,
    int interval = 0,
    int id = noId,
    Surface? surface,
  }) {
    final calls = _calls;
    final depth = _depth;
    if (calls == null || depth == _maximumDepth) return body(noId);
    final value = _frameAt(depth);
    value.ref = calls.frameBegin(_handle, _surface(surface), id,
        _timing(begin, deadline, target, interval));
    final outer = _frameDepth;
    _frameDepth = _depth = depth + 1;
    try {
      return body(value.ref.id);
    } finally {
      calls.frameEnd(value);
      _depth = depth;
      _frameDepth = outer;
    }
  }

  /// Records [body] as a phase of the open frame: "layout", "draw", "commit" or
  /// your own.
  T phase<T>(String name, T Function() body) {
    final calls = _calls;
    final depth = _depth;
    if (calls == null || depth == _maximumDepth || _frameDepth == 0) {
      return body();
    }
    final value = _spanAt(depth);
    value.ref = calls.phaseBegin(_frameAt(_frameDepth - 1), _name(calls, name));
    _depth = depth + 1;
    try {
      return body();
    } finally {
      calls.spanEnd(value);
      _depth = depth;
    }
  }

  /// Records when the display presented a frame, as it reports it. Do not
  /// estimate.
  void presented(int number, int time, {Surface? surface}) =>
      _calls?.presented(_handle, _surface(surface), number, time);

  /// Records a frame after the fact; its work is recorded with [record]. See
  /// [frame].
  void recordFrame({
    int begin = 0,
    int deadline = 0,
    int target = 0,
    int interval = 0,
    int commitStart = unknown,
    int commitEnd = unknown,
    int presented = unknown,
    int id = noId,
    Surface? surface,
  }) =>
      _calls?.frameRecord(
          _handle,
          _surface(surface),
          id,
          _timing(begin, deadline, target, interval),
          commitStart,
          commitEnd,
          presented);

  // ---- Interactions ---------------------------------------------------------

  /// Records [body] as a time in which the list moves: "drag", "deceleration"
  /// or another.
  T interaction<T>(String kind, T Function() body, {Surface? surface}) {
    final moving = beginInteraction(kind, surface: surface);
    try {
      return body();
    } finally {
      moving.close();
    }
  }

  /// Begins an interaction that a later callback ends.
  Interaction beginInteraction(String kind, {Surface? surface}) {
    final calls = _calls;
    final interaction = Interaction._(calls);
    if (calls != null) {
      interaction._value.ref = calls.interactionBegin(
          _handle, _name(calls, kind), _surface(surface));
    }
    return interaction;
  }

  // ---- Spans ----------------------------------------------------------------

  /// Records [body], which is synchronous, as work of this thread. More than 64
  /// open spans are left out.
  T span<T>(String name, T Function() body,
      {String category = Category.work, int item = noId}) {
    final calls = _calls;
    final depth = _depth;
    if (calls == null || depth == _maximumDepth) return body();
    final value = _spanAt(depth);
    value.ref = calls.spanBegin(
        _handle, _name(calls, name), _name(calls, category), item);
    _depth = depth + 1;
    try {
      return body();
    } finally {
      calls.spanEnd(value);
      _depth = depth;
    }
  }

  /// Records [body] as a step of a cell: "create", "configure", "size",
  /// "prepare" and so on.
  T cell<T>(
    String step,
    int item,
    T Function() body, {
    int position = -1,
    int view = noId,
    String? list,
    String? kind,
    bool? reused,
    bool? ahead,
  }) {
    final calls = _calls;
    final depth = _depth;
    if (calls == null || depth == _maximumDepth) return body();
    final value = _spanAt(depth);
    value.ref = calls.spanBegin(
        _handle, _name(calls, step), _name(calls, Category.cell), item);
    _depth = depth + 1;
    try {
      return body();
    } finally {
      final details = _details(calls, item, position, view, list, kind);
      details.ref
        ..reused = _flag(reused)
        ..ahead = _flag(ahead);
      calls.spanEndCell(value, details);
      _depth = depth;
    }
  }

  static int _flag(bool? value) => value == null ? -1 : (value ? 1 : 0);

  Pointer<_Cell> _details(_Calls calls, int item, int position, int view,
      String? list, String? kind) {
    _cell.ref
      ..structSize = sizeOf<_Cell>()
      ..item = item
      ..view = view
      ..position = position
      ..registration = noId
      ..list = _name(calls, list ?? '')
      ..kind = _name(calls, kind ?? '')
      ..estimatedSize = -1
      ..size = -1
      ..reused = -1
      ..ahead = -1;
    return _cell;
  }

  /// Records [body], which may await, as an operation that is no thread's work.
  Future<T> operation<T>(String name, Future<T> Function() body,
      {String category = Category.work, int item = noId}) async {
    final begin = now();
    try {
      return await body();
    } finally {
      recordOperation(name, begin, now(), category: category, item: item);
    }
  }

  /// Records a span after the fact.
  void record(String name, int begin, int end,
      {String category = Category.work, int item = noId}) {
    final calls = _calls;
    if (calls == null) return;
    calls.spanRecord(
        _handle, _name(calls, name), _name(calls, category), item, begin, end);
  }

  /// Records an operation, which is no thread's work, after the fact.
  void recordOperation(String name, int begin, int end,
      {String category = Category.work, int item = noId}) {
    final calls = _calls;
    if (calls == null) return;
    calls.operationRecord(
        _handle, _name(calls, name), _name(calls, category), item, begin, end);
  }

  // ---- Marks, numbers, states -----------------------------------------------

  /// Records an event at the current time.
  void mark(String name, {String category = Category.work, int item = noId}) {
    final calls = _calls;
    if (calls == null) return;
    calls.mark(_handle, _name(calls, name), _name(calls, category), item);
  }

  /// Records an event of a cell: "willDisplay", "didEndDisplaying", "discard".
  void markCell(String mark, int item,
      {int position = -1, int view = noId, String? list, String? kind}) {
    final calls = _calls;
    if (calls == null) return;
    calls.cellMark(_handle, _name(calls, mark),
        _details(calls, item, position, view, list, kind));
  }

  /// Records an event of an image: "placeholder", "final", "cacheHit",
  /// "cacheMiss", "evict".
  void markImage(String mark, int item, {int view = noId, int bytes = noId}) {
    final calls = _calls;
    if (calls == null) return;
    calls.imageMark(_handle, _name(calls, mark), item, view, bytes);
  }

  /// Records a value, such as a scroll offset.
  void counter(String name, num value) {
    final calls = _calls;
    if (calls == null) return;
    if (value is int) {
      calls.counter(_handle, _name(calls, name), value);
    } else {
      calls.counterReal(_handle, _name(calls, name), value.toDouble());
    }
  }

  /// Sets a state, by which reports can be filtered, or clears it with null.
  void state(String key, String? value) {
    final calls = _calls;
    if (calls == null) return;
    if (value == null) {
      calls.stateClear(_handle, _name(calls, key));
    } else {
      calls.stateSet(_handle, _name(calls, key), _name(calls, value));
    }
  }
}
