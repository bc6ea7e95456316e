/// What a column of PresentMon's tables says, in any of its generations.
enum PresentMonColumn: CaseIterable {
  case application, processID, swapChain, dropped
  /// When the animation that the frame shows was at; only frames that were seen have it.
  case animationTime
  /// When the frame was handed over, by the recording's clock.
  case presentSeconds, presentMilliseconds
  /// When work on it began, by the recording's clock.
  case startMilliseconds
  /// When work on it began, by the machine's clock.
  case startMachineMilliseconds
  case presentDate, startDate
  case presentTicks, startTicks
  /// Lengths of time, in milliseconds.
  case betweenPresents, inPresent, frameTime, busy, untilDisplayed, displayLatency

  /// The column with a name, in whatever letters.
  init?(name: String) {
    guard let column = Self.names[name.lowercased()] else { return nil }
    self = column
  }

  /// Whether the column is of a frame's time, so that a table with it can be one of frames.
  var isTime: Bool {
    switch self {
    case .application, .processID, .swapChain, .dropped, .animationTime: false
    default: true
    }
  }

  private static let names: [String: PresentMonColumn] = [
    "application": .application, "processid": .processID, "swapchainaddress": .swapChain,
    "dropped": .dropped, "animationtime": .animationTime,
    "timeinseconds": .presentSeconds, "timeinms": .presentMilliseconds,
    "cpustarttime": .startMilliseconds, "cpustarttimeinms": .startMilliseconds,
    "cpustartqpctime": .startMachineMilliseconds,
    "cpustartqpctimeinms": .startMachineMilliseconds, "timeindatetime": .presentDate,
    "cpustartdatetime": .startDate, "timeinqpc": .presentTicks, "qpctime": .presentTicks,
    "cpustartqpc": .startTicks, "cpuframeqpc": .startTicks,
    "msbetweenpresents": .betweenPresents, "msinpresentapi": .inPresent,
    "frametime": .frameTime, "msbetweenappstart": .frameTime, "cpubusy": .busy,
    "mscpubusy": .busy, "cpuduration": .busy, "cpuwait": .inPresent, "mscpuwait": .inPresent,
    "cpuframepacingstall": .inPresent, "msuntildisplayed": .untilDisplayed,
    "displaylatency": .displayLatency,
  ]
}
