/// Seeds of sampled stacks.
extension FuzzSeeds {
  /// Profiles of V8 in each form, Hermes' samples, and speedscope's.
  static let profiles = [
    #"""
    {"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":
    {"functionName":"a","url":"x/y.js?q","lineNumber":3}}],"startTime":9,"samples":[2,2,1],
    "timeDeltas":[1,-1,5]}
    """#,
    #"""
    {"head":{"functionName":"(root)","id":1,"hitCount":0,"children":[{"functionName":"a","id":2,
    "children":[]}]},"startTime":1,"samples":[1,2],"timestamps":[5,9]}
    """#,
    #"""
    {"traceEvents":[{"ph":"P","name":"Profile","pid":1,"tid":1,"id":"0x1","ts":1,"args":{"data":
    {"startTime":5}}},{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"id":"0x1","ts":9,"args":{"data":
    {"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"f"}},{"id":2,"parent":1,"callFrame":
    {"functionName":"g"}}],"samples":[2,1]},"timeDeltas":[9,-4]}}}]}
    """#,
    #"""
    {"traceEvents":[],"samples":[{"ts":"5","pid":1,"tid":"2","weight":"1","sf":1}],
    "stackFrames":{"1":{"name":"a","parent":2},"2":{"name":"b"}}}
    """#,
    #"""
    {"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"type":"sampled",
    "name":"s","unit":"seconds","samples":[[0,1],[0]],"weights":[1,0.5]}],"shared":{"frames":[
    {"name":"a"},{"name":"b","file":"x/y"}]}}
    """#,
  ]

  /// A file of simpleperf: a sample, its file and its thread.
  static let simpleperf: [UInt8] =
    Array("SIMPLEPERF".utf8) + [
      1, 0, 16, 0, 0, 0, 0x0A, 0x0E, 0x08, 0x05, 0x10, 0x07, 0x1A, 0x04, 0x10, 0x01, 0x18, 0x00,
      0x20, 0x09, 0x28, 0x00, 11, 0, 0, 0, 0x1A, 0x09, 0x08, 0x01, 0x12, 0x02, 0x2F, 0x61, 0x1A,
      0x01, 0x66, 11, 0, 0, 0, 0x22, 0x09, 0x08, 0x07, 0x10, 0x07, 0x1A, 0x03, 0x61, 0x70, 0x70, 12,
      0, 0, 0, 0x2A, 0x0A, 0x0A, 0x08, 0x63, 0x70, 0x75, 0x2D, 0x74, 0x69, 0x6D, 0x65, 0, 0, 0, 0,
    ]

  /// Packets of Perfetto with an interned stack and a sample of it.
  static let samplePackets: [UInt8] = [
    0x0A, 0x22, 0x50, 0x02, 0x68, 0x01, 0x62, 0x1C, 0x2A, 0x05, 0x08, 0x01, 0x12, 0x01, 0x66, 0x32,
    0x06, 0x08, 0x01, 0x10, 0x01, 0x18, 0x01, 0x3A, 0x04, 0x08, 0x01, 0x10, 0x01, 0x9A, 0x01, 0x02,
    0x08, 0x01, 0x40, 0x05, 0x0A, 0x0F, 0x50, 0x02, 0x40, 0x07, 0x92, 0x04, 0x08, 0x10, 0x01, 0x18,
    0x01, 0x20, 0x01, 0x30, 0x09,
  ]
}
