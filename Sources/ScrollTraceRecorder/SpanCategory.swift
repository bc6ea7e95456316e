public import ScrollTraceLayout

/// What kind of work a span or mark is; a literal is a category of the host's own.
public struct SpanCategory: Sendable, ExpressibleByStringLiteral {
  /// The word.
  public let name: RecordedName

  /// A category called `name`. Names that start with `scrolltrace.` have a fixed meaning.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// A word of the host's own.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(RecordedName(text))
  }
}

extension SpanCategory {
  /// The host's own work; where nothing else fits.
  @inlinable public static var work: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.work))
  }

  /// A part of a frame's commit; see `RecordedFrame.phase(_:_:)`.
  @inlinable public static var phase: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.phase))
  }

  /// The life of a cell; see `TraceRecorder.cell(_:_:_:)`.
  @inlinable public static var cell: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.cell))
  }

  /// Images; see `TraceRecorder.image(_:item:view:bytes:_:)`.
  @inlinable public static var image: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.image))
  }

  /// The data behind the list; see `TraceRecorder.data(_:list:item:view:_:)`.
  @inlinable public static var data: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.data))
  }

  /// The thread waits: for a lock, for input or output.
  @inlinable public static var waiting: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.waiting))
  }

  /// Frames; written by `TraceRecorder.beginFrame(_:surface:id:)`.
  @inlinable public static var frame: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.frame))
  }

  /// What is known of a surface; written by `TraceRecorder.surface(_:tolerance:isGrid:listsHitches:)`.
  @inlinable public static var surface: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.surface))
  }

  /// Hitches that the system lists; written by
  /// `TraceRecorder.hitch(at:length:interval:label:surface:)`.
  @inlinable public static var hitch: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.hitch))
  }

  /// Interactions; written by `TraceRecorder.interaction(_:surface:_:)`.
  @inlinable public static var interaction: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.interaction))
  }

  /// States; written by `TraceRecorder.state(_:_:)`.
  @inlinable public static var state: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.state))
  }

  /// Counters; written by `TraceRecorder.counter(_:_:)`.
  @inlinable public static var counter: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.counter))
  }

  /// What became of the machine meanwhile; written by the recorder.
  @inlinable static var machine: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.machine))
  }
}
