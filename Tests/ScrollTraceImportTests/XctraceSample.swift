/// Writes a small export in the shape of xctrace's: a table of contents and four tables.
///
/// 8 s of an app called Feed at 60 Hz with four hitches of 1, 2, 1 and 12 refreshes, the last one
/// with a hang of 216 ms around it, and a hitch of the system's own.
struct XctraceSample {
  static let refresh = 16_666_667
  static let app = #"<pid id="4" fmt="4242">4242</pid>"#

  private var nextID = 1
  private var text = ""

  /// The table of contents of a recording of `duration` seconds.
  static func contents(duration: String = "8.000000000") -> String {
    """
    <?xml version="1.0"?>
    <trace-toc>
        <run number="1">
            <info>
                <target>
                    <device platform="iOS" model="iPhone" name="Example" os-version="26.0"/>
                    <process type="launched" name="Feed" pid="4242"/>
                </target>
                <summary>
                    <duration>\(duration)</duration>
                    <template-name>Animation Hitches</template-name>
                </summary>
            </info>
            <processes>
                <process name="kernel" pid="0" path="Unknown"/>
            </processes>
            <data>
                <table schema="hitches"/>
                <table schema="display-vsyncs-interval"/>
            </data>
        </run>
    </trace-toc>

    """
  }

  static func tables() -> String {
    var sample = XctraceSample()
    sample.text = "<?xml version=\"1.0\"?>\n<trace-query-result>\n"
    sample.addHitches()
    sample.addVsyncs()
    sample.addHangs()
    sample.addUnread()
    return sample.text + "</trace-query-result>\n"
  }

  /// Both, as `cat` joins them.
  static func whole() -> String { contents() + tables() }

  // MARK: - Tables

  private mutating func addHitches() {
    begin(
      table: 1, "hitches",
      [
        ("start", "start-time"), ("duration", "duration"), ("process", "process"),
        ("is-system", "boolean"), ("swap-id", "uint32"), ("label", "string"),
        ("display", "display-name"), ("narrative-description", "string"),
      ])
    text +=
      "<row>\(value("start-time", 1_250_000_000))\(value("duration", Self.refresh))"
      + #"<process id="3" fmt="Feed (4242)">"# + Self.app
      + #"<device-session id="5" fmt="Phone">Phone</device-session></process>"#
      + #"<boolean id="6" fmt="No">0</boolean><uint32 id="7" fmt="901">901</uint32>"#
      + #"<string id="8" fmt="0x385">0x385</string>"#
      + #"<display-name id="9" fmt="Display 1">Display 1</display-name>"#
      + #"<string id="10" fmt="Potentially expensive app update(s)">"#
      + "Potentially expensive app update(s)</string></row>\n"
    nextID = 11
    let app = #"<process ref="3"/><boolean ref="6"/>"#
    addHitch(
      3_100_000_000, #"<duration id="99" fmt="33.33 ms">33333334</duration>"#, app, 1011,
      #"<string id="97" fmt=""></string>"#)
    addHitch(3_900_000_000, #"<duration ref="2"/>"#, app, 1060, #"<string ref="10"/>"#)
    addHitch(6_400_000_000, value("duration", 12 * Self.refresh), app, 1207, #"<string ref="10"/>"#)
    let system = #"<sentinel/><boolean id="98" fmt="Yes">1</boolean>"#
    addHitch(7_000_000_000, #"<duration ref="2"/>"#, system, 1240, #"<string ref="97"/>"#)
    text += "</node>\n"
  }

  private mutating func addHitch(
    _ start: Int, _ duration: String, _ owner: String, _ swap: Int, _ narrative: String
  ) {
    text +=
      "<row>\(value("start-time", start))\(duration)\(owner)\(value("uint32", swap))"
      + #"<string ref="8"/><display-name ref="9"/>"# + narrative + "</row>\n"
  }

  private mutating func addVsyncs() {
    begin(
      table: 2, "display-vsyncs-interval",
      [
        ("timestamp", "start-time"), ("duration", "duration"), ("display-name", "display-name"),
        ("event-label", "narrative"), ("event", "vsync-event"),
      ])
    for number in 0..<12 {
      let time = 1_000_000_000 + number * Self.refresh
      let id = nextID
      text +=
        "<row>\(value("start-time", time))"
        + (number == 0
          ? #"<duration id="2" fmt="1 ns">1</duration>"#
            + #"<display-name id="3" fmt="Display 1">Display 1</display-name>"#
          : #"<duration ref="2"/><display-name ref="3"/>"#)
      if number == 0 { nextID = 4 }
      text +=
        "<narrative id=\"\(nextID)\" fmt=\"VSync\"><start-time ref=\"\(id)\"/></narrative>"
      nextID += 1
      text +=
        (number == 0
          ? #"<vsync-event id="5" fmt="VSYNC">VSYNC</vsync-event>"#
          : #"<vsync-event ref="5"/>"#) + "</row>\n"
      if number == 0 { nextID = 6 }
    }
    text += "</node>\n"
  }

  private mutating func addHangs() {
    begin(
      table: 3, "potential-hangs",
      [
        ("start", "start-time"), ("duration", "duration"), ("hang-type", "hang-type"),
        ("thread", "thread"), ("process", "process"),
      ])
    text +=
      "<row>\(value("start-time", 6_390_000_000))\(value("duration", 216_000_000))"
      + #"<hang-type id="3" fmt="Brief Unresponsiveness">Brief Unresponsiveness</hang-type>"#
      + #"<thread id="5" fmt="Main Thread (0x1a2b) (Feed, pid: 4242)">"#
      + #"<tid id="6" fmt="0x1a2b">6699</tid><process id="7" fmt="Feed (4242)">"#
      + Self.app + #"</process></thread><process ref="7"/></row>"# + "\n</node>\n"
  }

  private mutating func addUnread() {
    begin(table: 4, "hitches-gpu", [("start", "start-time"), ("duration", "duration")])
    text += "<row>\(value("start-time", 1))\(value("duration", 2))</row>\n</node>\n"
  }

  private mutating func begin(table: Int, _ schema: String, _ columns: [(String, String)]) {
    nextID = 1
    text +=
      "<node xpath='//trace-toc[1]/run[1]/data[1]/table[\(table)]'><schema name=\"\(schema)\">"
    for (mnemonic, type) in columns {
      text +=
        "<col><mnemonic>\(mnemonic)</mnemonic><name>\(mnemonic)</name>"
        + "<engineering-type>\(type)</engineering-type></col>"
    }
    text += "</schema>\n"
  }

  private mutating func value(_ type: String, _ number: Int) -> String {
    defer { nextID += 1 }
    return "<\(type) id=\"\(nextID)\" fmt=\"\(number)\">\(number)</\(type)>"
  }
}
