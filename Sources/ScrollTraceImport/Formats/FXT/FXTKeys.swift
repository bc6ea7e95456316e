internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The handles of the vocabulary's words in one builder.
struct FXTKeys {
  let frame, begin, deadline, target, interval, presented, outcome: StringID
  let commitStart, commitEnd: StringID
  let tolerance, grid, hitchList, duration, label, surface, key, value, item, process: StringID
  let wasPresented, wasPresentedOnTime, wasDropped, wasNotRequested: StringID
  let name, basis, numbered, display, commitThread, host, end, count, offset, text: StringID
  let closed, hasKnownLength, weight, ringChunks, overwrittenChunks, keptSince: StringID
  let recordCost, records, mainRecords, readingCost, readings, mainReadings: StringID
  let sampleSignals, sampleTime, samplerTime: StringID
  let cpu, ready, preemptions, waits, faults, diskFaults, core, waker: StringID
  /// Fuchsia's names for a thread's scheduling weight.
  let outgoingWeight, incomingWeight: StringID
  let meanings: [(category: StringID, meaning: EventRole)]

  init(_ builder: inout TraceBuilder) {
    func id(_ word: StaticString) -> StringID { builder.string(word.description) }
    func id(_ key: Vocabulary.Key) -> StringID { builder.string(key.description) }
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
    name = id(Vocabulary.Key.name)
    basis = id(Vocabulary.Key.basis)
    numbered = id(Vocabulary.Key.numbered)
    display = id(Vocabulary.Key.display)
    commitThread = id(Vocabulary.Key.commitThread)
    host = id(Vocabulary.Key.host)
    end = id(Vocabulary.Key.end)
    count = id(Vocabulary.Key.count)
    offset = id(Vocabulary.Key.offset)
    text = id(Vocabulary.Key.text)
    closed = id(Vocabulary.Key.closed)
    hasKnownLength = id(Vocabulary.Key.tellsLength)
    weight = id(Vocabulary.Key.weight)
    ringChunks = id(Vocabulary.Key.ringChunks)
    overwrittenChunks = id(Vocabulary.Key.overwrittenChunks)
    keptSince = id(Vocabulary.Key.keptSince)
    recordCost = id(Vocabulary.Key.recordCost)
    records = id(Vocabulary.Key.records)
    mainRecords = id(Vocabulary.Key.mainRecords)
    readingCost = id(Vocabulary.Key.readingCost)
    readings = id(Vocabulary.Key.readings)
    mainReadings = id(Vocabulary.Key.mainReadings)
    sampleSignals = id(Vocabulary.Key.sampleSignals)
    sampleTime = id(Vocabulary.Key.sampleTime)
    samplerTime = id(Vocabulary.Key.samplerTime)
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
      (id(Vocabulary.Category.machine), .machine), (id(Vocabulary.Category.origin), .origin),
      (id(Vocabulary.Category.loss), .loss), (id(Vocabulary.Category.notice), .notice),
      (id(Vocabulary.Category.thread), .thread),
    ]
  }

  /// Returns the way the reader handles events of `category`.
  func meaning(of category: StringID) -> EventRole {
    meanings.first { $0.category == category }?.meaning ?? .plain
  }
}
