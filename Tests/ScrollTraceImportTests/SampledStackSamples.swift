/// Writes small files of profilers in the shape of those that other tools write.
enum SampledStackSamples {
  /// Each sample's file, format and content.
  static let all = [
    ("list.cpuprofile", "cpuprofile", cpuProfile),
    ("list.perf.txt", "perf-script", perfScript),
    ("list.speedscope.json", "speedscope", speedscope),
  ]

  /// Half a second of a script that decodes an image for 40 ms.
  static let cpuProfile: String = {
    let names = ["(root)", "(idle)", "update", "decodeImage", "(garbage collector)"]
    let parents = [0, 1, 1, 3, 1]
    let nodes = names.indices.map { index in
      let parent = index > 0 ? ",\"parent\":\(parents[index])" : ""
      let isScript = names[index].first != "("
      return "{\"id\":\(index + 1),\"callFrame\":{\"functionName\":\"\(names[index])\","
        + "\"scriptId\":\"\(isScript ? 7 : 0)\",\"url\":\"\(isScript ? "file:///app/list.js" : "")\","
        + "\"lineNumber\":\(isScript ? index * 10 : -1),\"columnNumber\":0}\(parent)}"
    }
    let samples = (0..<500).map { index in
      switch index % 100 {
      case 20..<30: 3
      case 30..<70: 4
      case 70..<72: 5
      default: 2
      }
    }
    return "{\"nodes\":[\n\(nodes.joined(separator: ",\n"))],\n\"startTime\":5000000,"
      + "\"endTime\":5500000,\n\"samples\":[\(samples.map(String.init).joined(separator: ","))],\n"
      + "\"timeDeltas\":[\(samples.map { _ in "1000" }.joined(separator: ","))]}\n"
  }()

  /// 60 samples of a thread, half of them in a copy of memory, with a name of an inlined function.
  static let perfScript = (0..<60).map { index in
    let place = index % 2 == 0
    let digits = String(1_000_000 + index * 1000).dropFirst()
    let leaf =
      place
      ? "\t    7f443cc6f090 memcpy+0x1f (/lib/x86_64-linux-gnu/libc.so.6)\n"
      : "\t    5500000000a0 Row::bind(Item const&) (inlined)\n"
    return "list  4121/4121  12.\(digits):    1000000 cpu-clock: \n" + leaf
      + "\t    550000000010 Feed::update() (/opt/app/list)\n"
      + "\t    550000000000 main (/opt/app/list)\n\n"
  }.joined()

  /// Five stacks of milliseconds.
  static let speedscope =
    #"{"$schema":"https://www.speedscope.app/file-format-schema.json","# + "\n"
    + #""shared":{"frames":[{"name":"main"},{"name":"update","file":"src/feed.c"},{"name":"poll"}]},"#
    + "\n"
    + #""profiles":[{"type":"sampled","name":"list","unit":"milliseconds","startValue":0,"#
    + #""endValue":20,"samples":[[0,1],[0,1],[0,2],[0],[0,1]],"weights":[4,4,8,1,3]}]}"# + "\n"
}
