/// The words of the profile (F-4): categories, names and arguments that have a meaning for us.
///
/// Categories that start with `scrolltrace.` are reserved (F-3). A word that is not here is kept
/// as plain work.
public enum Vocabulary {
  /// The categories.
  public enum Category {
    /// `scrolltrace.frame`
    public static let frame: StaticString = "scrolltrace.frame"
    /// `scrolltrace.surface`: an instant, name = surface, that says how exact its times are; arguments
    /// `tolerance` (ns), `grid` and `hitchList` (its hitches are listed, even if there are none).
    public static let surface: StaticString = "scrolltrace.surface"
    /// `scrolltrace.hitch`: an instant, name = surface, for hosts whose system lists hitches and not
    /// frames; arguments `duration` (ns) and, where known, `interval` (ns) and `label`.
    public static let hitch: StaticString = "scrolltrace.hitch"
    /// `scrolltrace.phase`
    public static let phase: StaticString = "scrolltrace.phase"
    /// `scrolltrace.cell`
    public static let cell: StaticString = "scrolltrace.cell"
    /// `scrolltrace.image`
    public static let image: StaticString = "scrolltrace.image"
    /// `scrolltrace.data`
    public static let data: StaticString = "scrolltrace.data"
    /// `scrolltrace.interaction`
    public static let interaction: StaticString = "scrolltrace.interaction"
    /// `scrolltrace.state`
    public static let state: StaticString = "scrolltrace.state"
    /// `scrolltrace.counter`
    public static let counter: StaticString = "scrolltrace.counter"
    /// `scrolltrace.waiting`
    public static let waiting: StaticString = "scrolltrace.waiting"
    /// `scrolltrace.machine`: an instant `sleep` says that the machine slept since the last one, or
    /// since the recording began; argument `duration` (ns).
    public static let machine: StaticString = "scrolltrace.machine"
    /// `scrolltrace.work`: the host's own work without a category of its own.
    public static let work: StaticString = "scrolltrace.work"
    /// `scrolltrace.origin`: an instant, name = format, the first of a file that was made from another
    /// trace; what that trace said of itself.
    public static let origin: StaticString = "scrolltrace.origin"
    /// `scrolltrace.loss`: an instant, name = cause: something that was lost; arguments `count` and,
    /// where known, `offset`.
    public static let loss: StaticString = "scrolltrace.loss"
    /// `scrolltrace.notice`: an instant, name = kind, see `Vocabulary.Notice`.
    public static let notice: StaticString = "scrolltrace.notice"
  }

  /// The names of arguments.
  public enum Key {
    /// `frame`
    public static let frame: StaticString = "frame"
    /// `begin`
    public static let begin: StaticString = "begin"
    /// `deadline`
    public static let deadline: StaticString = "deadline"
    /// `target`
    public static let target: StaticString = "target"
    /// `interval`
    public static let interval: StaticString = "interval"
    /// `presented`
    public static let presented: StaticString = "presented"
    /// `commitStart`: in an instant of a frame whose commit is told after the fact.
    public static let commitStart: StaticString = "commitStart"
    /// `commitEnd`: likewise.
    public static let commitEnd: StaticString = "commitEnd"
    /// `outcome`
    public static let outcome: StaticString = "outcome"
    /// `tolerance`
    public static let tolerance: StaticString = "tolerance"
    /// `grid`
    public static let grid: StaticString = "grid"
    /// `hitchList`
    public static let hitchList: StaticString = "hitchList"
    /// `duration`
    public static let duration: StaticString = "duration"
    /// `label`
    public static let label: StaticString = "label"
    /// `surface`
    public static let surface: StaticString = "surface"
    /// `key`
    public static let key: StaticString = "key"
    /// `value`
    public static let value: StaticString = "value"
    /// `list`
    public static let list: StaticString = "list"
    /// `item`
    public static let item: StaticString = "item"
    /// `position`
    public static let position: StaticString = "position"
    /// `view`
    public static let view: StaticString = "view"
    /// `kind`
    public static let kind: StaticString = "kind"
    /// `registration`
    public static let registration: StaticString = "registration"
    /// `reused`
    public static let reused: StaticString = "reused"
    /// `ahead`
    public static let ahead: StaticString = "ahead"
    /// `estimatedSize`
    public static let estimatedSize: StaticString = "estimatedSize"
    /// `size`
    public static let size: StaticString = "size"
    /// `bytes`
    public static let bytes: StaticString = "bytes"
    /// `inserted`
    public static let inserted: StaticString = "inserted"
    /// `deleted`
    public static let deleted: StaticString = "deleted"
    /// `reconfigured`
    public static let reconfigured: StaticString = "reconfigured"
    /// `reloaded`
    public static let reloaded: StaticString = "reloaded"
    /// `name`: of an interaction that has one.
    public static let name: StaticString = "name"
    /// `basis`: on what a surface of another trace was judged.
    public static let basis: StaticString = "basis"
    /// `numbered`: whether a surface's frames are numbered one by one, so that a jump says some are
    /// lost.
    public static let numbered: StaticString = "numbered"
    /// `commitThread`: whether the frame was committed on the event's thread.
    public static let commitThread: StaticString = "commitThread"
    /// `host`: whether the frames come from the process, in kernel object records.
    public static let host: StaticString = "host"
    /// `end`
    public static let end: StaticString = "end"
    /// `count`
    public static let count: StaticString = "count"
    /// `offset`: a place in the trace that the file was made from.
    public static let offset: StaticString = "offset"
    /// `text`
    public static let text: StaticString = "text"
    /// `closed`: whether the recording was closed by its host; absent where nobody knows.
    public static let closed: StaticString = "closed"
    /// `tellsLength`: whether the trace's range is all that was recorded.
    public static let tellsLength: StaticString = "tellsLength"
    /// `ringChunks`: how many chunks the ring of a flight recorder had.
    public static let ringChunks: StaticString = "ringChunks"
    /// `overwrittenChunks`: how many of them were used again.
    public static let overwrittenChunks: StaticString = "overwrittenChunks"
    /// `keptSince`: from when on everything is there.
    public static let keptSince: StaticString = "keptSince"
    /// `recordCost`: what one record cost the host, in picoseconds.
    public static let recordCost: StaticString = "recordCost"
    /// `records`: how many records of events the recording had.
    public static let records: StaticString = "records"
    /// `mainRecords`: how many of them the main thread wrote.
    public static let mainRecords: StaticString = "mainRecords"
  }

  /// The words of a frame's outcome, as the argument `outcome` spells them.
  public enum Outcome {
    /// `presented`
    public static let presented: StaticString = "presented"
    /// `presentedOnTime`: presented, and in time by the word of whoever tells it.
    public static let presentedOnTime: StaticString = "presentedOnTime"
    /// `dropped`
    public static let dropped: StaticString = "dropped"
    /// `notRequested`
    public static let notRequested: StaticString = "notRequested"
  }
}
