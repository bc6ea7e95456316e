// The structures and functions of scrolltrace.h, and the memory for them.

part of 'scrolltrace.dart';

// ---- Structures of scrolltrace.h --------------------------------------------

final class _Name extends Struct {
  external Pointer<Uint8> text;
  @Size() external int length;
}

final class _Span extends Struct {
  @Array(4) external Array<Uint64> words;
}

final class _Frame extends Struct {
  @Uint64() external int id;
  @Array(7) external Array<Uint64> words;
}

final class _Interaction extends Struct {
  @Array(4) external Array<Uint64> words;
}

final class _Tick extends Struct {
  @Int64() external int begin;
  @Int64() external int deadline;
  @Int64() external int target;
  @Int64() external int interval;
}

final class _Error extends Struct {
  @Int32() external int code;
  @Int32() external int systemError;
  @Array(504) external Array<Uint8> message;
}

final class _Losses extends Struct {
  @Size() external int structSize;
  @Uint64() external int noChunk;
  @Uint64() external int tooBig;
  @Uint64() external int afterClose;
  @Uint64() external int inside;
  @Uint64() external int noStacks;
}

final class _Cell extends Struct {
  @Size() external int structSize;
  @Uint64() external int item;
  @Uint64() external int view;
  @Int64() external int position;
  @Uint64() external int registration;
  external _Name list;
  external _Name kind;
  @Double() external double estimatedSize;
  @Double() external double size;
  @Int32() external int reused;
  @Int32() external int ahead;
}

final class _Options extends Struct {
  @Size() external int structSize;
  @Uint64() external int maximumBytes;
  @Uint64() external int preparedBytes;
  @Int32() external int clock;
  @Bool() external bool replacesExistingFile;
  @Bool() external bool startsOff;
  @Bool() external bool recordsAllMainWork;
  @Bool() external bool leavesChunksUnsealed;
  @Uint64() external int ringBytes;
  external Pointer<Uint8> hitchDumpPath;
  @Int64() external int hitchDumpLimit;
  @Int32() external int threadTime;
  @Int32() external int fileAccess;
  @Int64() external int hitchDumpPause;
  @Uint32() external int hitchDumpCount;
  @Bool() external bool printsProblems;
  @Int64() external int stackSamplingNs;
  @Uint64() external int keptOneIn;
  @Double() external double keptOver;
}

// ---- Functions of scrolltrace.h ---------------------------------------------

typedef _Handle = Pointer<Void>;

/// The functions of the library. Those that only record are leaf calls: they
/// never call back, wait or take long.
final class _Calls {
  _Calls(this._library);

  final DynamicLibrary _library;

  late final open = _library.lookupFunction<
      Int32 Function(
          Pointer<Uint8>, Pointer<_Options>, Pointer<_Handle>, Pointer<_Error>),
      int Function(Pointer<Uint8>, Pointer<_Options>, Pointer<_Handle>,
          Pointer<_Error>)>('scrolltrace_open');
  late final finish = _library.lookupFunction<
      Int32 Function(_Handle, Pointer<_Error>),
      int Function(_Handle, Pointer<_Error>)>('scrolltrace_finish');
  late final dump = _library.lookupFunction<
      Int32 Function(_Handle, Pointer<Uint8>, Pointer<_Error>),
      int Function(_Handle, Pointer<Uint8>, Pointer<_Error>)>(
      'scrolltrace_dump');
  late final version = _library.lookupFunction<
      Uint32 Function(),
      int Function()>('scrolltrace_version');
  late final setEnabled = _library.lookupFunction<
      Void Function(_Handle, Bool),
      void Function(_Handle, bool)>('scrolltrace_set_enabled');
  late final isEnabled = _library.lookupFunction<
      Bool Function(_Handle),
      bool Function(_Handle)>('scrolltrace_is_enabled', isLeaf: true);
  late final now = _library.lookupFunction<
      Int64 Function(_Handle),
      int Function(_Handle)>('scrolltrace_now', isLeaf: true);
  late final getLosses = _library.lookupFunction<
      Void Function(_Handle, Pointer<_Losses>),
      void Function(_Handle, Pointer<_Losses>)>('scrolltrace_get_losses');
  late final registerName = _library.lookupFunction<
      _Name Function(_Handle, Pointer<Uint8>, Size),
      _Name Function(_Handle, Pointer<Uint8>, int)>(
      'scrolltrace_register_name');
  late final getSurface = _library.lookupFunction<
      _Handle Function(_Handle, _Name, Int64),
      _Handle Function(_Handle, _Name, int)>('scrolltrace_get_surface');
  late final setThreadName = _library.lookupFunction<
      Void Function(_Handle, _Name),
      void Function(_Handle, _Name)>('scrolltrace_set_thread_name');
  late final frameBegin = _library.lookupFunction<
      _Frame Function(_Handle, _Handle, Uint64, Pointer<_Tick>),
      _Frame Function(_Handle, _Handle, int, Pointer<_Tick>)>(
      'scrolltrace_frame_begin', isLeaf: true);
  late final frameEnd = _library.lookupFunction<
      Void Function(Pointer<_Frame>),
      void Function(Pointer<_Frame>)>('scrolltrace_frame_end', isLeaf: true);
  late final frameRecord = _library.lookupFunction<
      Void Function(
          _Handle, _Handle, Uint64, Pointer<_Tick>, Int64, Int64, Int64),
      void Function(_Handle, _Handle, int, Pointer<_Tick>, int, int, int)>(
      'scrolltrace_frame_record', isLeaf: true);
  late final phaseBegin = _library.lookupFunction<
      _Span Function(Pointer<_Frame>, _Name),
      _Span Function(Pointer<_Frame>, _Name)>(
      'scrolltrace_phase_begin', isLeaf: true);
  late final presented = _library.lookupFunction<
      Void Function(_Handle, _Handle, Uint64, Int64),
      void Function(_Handle, _Handle, int, int)>(
      'scrolltrace_presented', isLeaf: true);
  late final spanBegin = _library.lookupFunction<
      _Span Function(_Handle, _Name, _Name, Uint64),
      _Span Function(_Handle, _Name, _Name, int)>(
      'scrolltrace_span_begin', isLeaf: true);
  late final spanEnd = _library.lookupFunction<
      Void Function(Pointer<_Span>),
      void Function(Pointer<_Span>)>('scrolltrace_span_end', isLeaf: true);
  late final spanEndCell = _library.lookupFunction<
      Void Function(Pointer<_Span>, Pointer<_Cell>),
      void Function(Pointer<_Span>, Pointer<_Cell>)>(
      'scrolltrace_span_end_cell', isLeaf: true);
  late final spanRecord = _library.lookupFunction<
      Void Function(_Handle, _Name, _Name, Uint64, Int64, Int64),
      void Function(_Handle, _Name, _Name, int, int, int)>(
      'scrolltrace_span_record', isLeaf: true);
  late final operationRecord = _library.lookupFunction<
      Void Function(_Handle, _Name, _Name, Uint64, Int64, Int64),
      void Function(_Handle, _Name, _Name, int, int, int)>(
      'scrolltrace_operation_record', isLeaf: true);
  late final mark = _library.lookupFunction<
      Void Function(_Handle, _Name, _Name, Uint64),
      void Function(_Handle, _Name, _Name, int)>(
      'scrolltrace_mark', isLeaf: true);
  late final cellMark = _library.lookupFunction<
      Void Function(_Handle, _Name, Pointer<_Cell>),
      void Function(_Handle, _Name, Pointer<_Cell>)>(
      'scrolltrace_cell_mark', isLeaf: true);
  late final imageMark = _library.lookupFunction<
      Void Function(_Handle, _Name, Uint64, Uint64, Uint64),
      void Function(_Handle, _Name, int, int, int)>(
      'scrolltrace_image_mark', isLeaf: true);
  late final counter = _library.lookupFunction<
      Void Function(_Handle, _Name, Int64),
      void Function(_Handle, _Name, int)>('scrolltrace_counter', isLeaf: true);
  late final counterReal = _library.lookupFunction<
      Void Function(_Handle, _Name, Double),
      void Function(_Handle, _Name, double)>(
      'scrolltrace_counter_real', isLeaf: true);
  late final stateSet = _library.lookupFunction<
      Void Function(_Handle, _Name, _Name),
      void Function(_Handle, _Name, _Name)>('scrolltrace_state_set');
  late final stateClear = _library.lookupFunction<
      Void Function(_Handle, _Name),
      void Function(_Handle, _Name)>('scrolltrace_state_clear');
  late final interactionBegin = _library.lookupFunction<
      _Interaction Function(_Handle, _Name, _Handle),
      _Interaction Function(_Handle, _Name, _Handle)>(
      'scrolltrace_interaction_begin');
  late final interactionEnd = _library.lookupFunction<
      Void Function(Pointer<_Interaction>),
      void Function(Pointer<_Interaction>)>('scrolltrace_interaction_end');

  static _Calls? _loaded;

  /// Returns the functions of the library that SCROLLTRACE_LIBRARY names, or of
  /// the installed one. On iOS, the app contains them.
  static _Calls load() => _loaded ??= _checked(_open());

  static DynamicLibrary _open() {
    if (Platform.isIOS) return DynamicLibrary.process();
    final installed = switch (Platform.operatingSystem) {
      'macos' => 'libCScrollTrace.dylib',
      'android' => 'libCScrollTrace.so',
      _ => 'libCScrollTrace.so.1',
    };
    final path = Platform.environment['SCROLLTRACE_LIBRARY'] ?? installed;
    try {
      return DynamicLibrary.open(path);
    } on ArgumentError catch (error) {
      throw RecordingException('$path: ${error.message}; install it with '
          'install.sh, or set SCROLLTRACE_LIBRARY');
    }
  }

  static _Calls _checked(DynamicLibrary library) {
    final calls = _Calls(library);
    final major = calls.version() ~/ 1000000;
    if (major == 1) return calls;
    throw RecordingException('version $major is not supported; install 1.x');
  }
}

// ---- Memory -----------------------------------------------------------------

final _process = DynamicLibrary.process();
final _calloc = _process.lookupFunction<Pointer<Void> Function(Size, Size),
    Pointer<Void> Function(int, int)>('calloc');
final _free = _process.lookupFunction<Void Function(Pointer<Void>),
    void Function(Pointer<Void>)>('free');
final _freeWithOwner = NativeFinalizer(_process.lookup('free'));

/// Memory of zeros until a body ends.
R _withMemory<R>(int bytes, R Function(Pointer<Void>) body) {
  final memory = _calloc(1, bytes);
  if (memory == nullptr) throw const OutOfMemoryError();
  try {
    return body(memory);
  } finally {
    _free(memory);
  }
}

/// Memory of zeros that is freed with its owner.
Pointer<Void> _ownedMemory(int bytes, Finalizable owner) {
  final memory = _calloc(1, bytes);
  if (memory == nullptr) throw const OutOfMemoryError();
  _freeWithOwner.attach(owner, memory, externalSize: bytes);
  return memory;
}

/// A text as UTF-8 with a zero byte at its end, until a body ends.
R _withText<R>(String text, R Function(Pointer<Uint8>, int length) body) {
  final bytes = utf8.encode(text);
  return _withMemory(bytes.length + 1, (memory) {
    final copy = memory.cast<Uint8>();
    copy.asTypedList(bytes.length).setAll(0, bytes);
    return body(copy, bytes.length);
  });
}

/// A path, which cannot contain zero bytes.
R _withPath<R>(String path, R Function(Pointer<Uint8>) body) {
  if (path.contains('\u0000')) {
    throw const RecordingException('the path has a zero byte; choose another');
  }
  return _withText(path, (text, _) => body(text));
}

/// Throws the error of a call that fails.
void _check(int Function(Pointer<_Error>) call) {
  _withMemory(sizeOf<_Error>(), (memory) {
    final error = memory.cast<_Error>();
    if (call(error) == 0) return;
    final message = error.ref.message;
    final bytes = [
      for (var i = 0; i < 504 && message[i] != 0; i++) message[i],
    ];
    throw RecordingException(utf8.decode(bytes, allowMalformed: true));
  });
}
