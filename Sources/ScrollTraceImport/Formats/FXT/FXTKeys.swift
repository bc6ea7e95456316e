internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The handles of the vocabulary's words in one builder.
struct FXTKeys {
  let frame, begin, deadline, target, interval, presented, outcome: StringID
  let commitStart, commitEnd: StringID
  let tolerance, grid, hitchList, duration, label, surface, key, value, item, process: StringID
  let wasPresented, wasPresentedOnTime, wasDropped, wasNotRequested: StringID
  let end, cpu, ready, preemptions, waits, faults, diskFaults, core, waker: StringID
  /// Fuchsia's names for a thread's scheduling weight.
  let outgoingWeight, incomingWeight: StringID
  let meanings: [(category: StringID, meaning: EventRole)]

  init(_ builder: inout TraceBuilder) {
    func id(_ word: StaticString) -> StringID { builder.string(word.description) }
    frame = id(Vocabulary.Key.frame)
    begin = id(Vocabulary.Key.begin)
    deadline = id(Vocabulary.Key.deadline)
    target = id(Vocabulary.Key.target)
    interval = id(Vocabulary.Key.interval)
    presented = id(Vocabulary.Key.presented)
    commitStart = id(Vocabulary.Key.commitStart)
    commitEnd = id(Vocabulary.Key.commitEnd)
    outcome = id(Vocabulary.Key.outcome)
    tolerance = id(Vocabulary.Key.tolerance)
    grid = id(Vocabulary.Key.grid)
    hitchList = id(Vocabulary.Key.hitchList)
    duration = id(Vocabulary.Key.duration)
    label = id(Vocabulary.Key.label)
    surface = id(Vocabulary.Key.surface)
    key = id(Vocabulary.Key.key)
    value = id(Vocabulary.Key.value)
    item = id(Vocabulary.Key.item)
    process = id("process")
    wasPresented = id(Vocabulary.Outcome.presented)
    wasPresentedOnTime = id(Vocabulary.Outcome.presentedOnTime)
    wasDropped = id(Vocabulary.Outcome.dropped)
    wasNotRequested = id(Vocabulary.Outcome.notRequested)
    end = id(Vocabulary.Key.end)
    cpu = id(Vocabulary.Key.cpu)
    ready = id(Vocabulary.Key.ready)
    preemptions = id(Vocabulary.Key.preemptions)
    waits = id(Vocabulary.Key.waits)
    faults = id(Vocabulary.Key.faults)
    diskFaults = id(Vocabulary.Key.diskFaults)
    core = id(Vocabulary.Key.core)
    waker = id(Vocabulary.Key.waker)
    outgoingWeight = id("outgoing_weight")
    incomingWeight = id("incoming_weight")
    meanings = [
      (id(Vocabulary.Category.frame), .frame), (id(Vocabulary.Category.surface), .surface),
      (id(Vocabulary.Category.hitch), .hitch),
      (id(Vocabulary.Category.interaction), .interaction),
      (id(Vocabulary.Category.state), .state), (id(Vocabulary.Category.counter), .counter),
      (id(Vocabulary.Category.machine), .machine), (id(Vocabulary.Category.thread), .thread),
    ]
  }

  /// Returns the way the reader handles events of `category`.
  func meaning(of category: StringID) -> EventRole {
    meanings.first { $0.category == category }?.meaning ?? .plain
  }
}
