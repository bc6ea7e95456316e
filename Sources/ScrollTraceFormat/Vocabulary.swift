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
  }

  /// The words of a frame's outcome, as the argument `outcome` spells them.
  public enum Outcome {
    /// `presented`
    public static let presented: StaticString = "presented"
    /// `dropped`
    public static let dropped: StaticString = "dropped"
    /// `notRequested`
    public static let notRequested: StaticString = "notRequested"
  }
}
