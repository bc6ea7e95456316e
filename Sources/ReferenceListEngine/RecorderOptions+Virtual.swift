package import ScrollTraceRecorder

extension RecorderOptions {
  /// Options under which the same run gives the same bytes, on every machine and in every process.
  package static func virtual(_ clock: RecorderClock) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = clock
    options.session = SessionIdentifier(high: 0x7363_726F_6C6C_7472, low: 0x6163_6520_6665_6564)
    options.processID = 1
    options.processName = "ReferenceListEngine"
    options.isMainThreadFullyInstrumented = true
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    return options
  }
}
