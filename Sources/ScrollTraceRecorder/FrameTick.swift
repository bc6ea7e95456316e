/// What the display says about the next frame, in the recorder's clock; `nil` is unknown.
public struct FrameTick: Hashable, Sendable {
  /// The earliest instant at which the host could work on the frame.
  public var begin: Nanoseconds?
  /// When the commit has to be done.
  public var deadline: Nanoseconds?
  /// When the frame should be on the glass.
  public var target: Nanoseconds?
  /// The time to the next refresh.
  public var interval: Nanoseconds?

  /// A frame of which as much is known as is given.
  public init(
    begin: Nanoseconds? = nil, deadline: Nanoseconds? = nil, target: Nanoseconds? = nil,
    interval: Nanoseconds? = nil
  ) {
    self.begin = begin
    self.deadline = deadline
    self.target = target
    self.interval = interval
  }
}
