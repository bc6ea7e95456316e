import ScrollTraceModel

/// Walks through an export, element by element.
struct XctraceReader: ~Copyable {
  /// The maximum number of bytes of a text outside rows, such as a mnemonic.
  private static let maximumWordLength = 1024

  var scanner: XMLScanner
  var values = XctraceValues()
  var collector = XctraceCollector()
  var profile = XctraceProfile()
  private var contents = XctraceContents()
  /// The run of the tables, if they state it.
  private var run: UInt64?
  /// Whether there is a result, with or without tables.
  private var hasResult = false
  /// The reason a well-formed export is rejected.
  private var refusal: ImportError?

  // The row that is being read.
  var open: [(value: XctraceValue, id: UInt64?)] = []
  var row = Array(repeating: XctraceValue(), count: XctraceColumn.allCases.count)

  init(_ source: any ByteSource) { scanner = XMLScanner(source) }

  mutating func read(into builder: inout TraceBuilder) throws(ImportError) {
    do throws(ScanFault) {
      try readDocuments(into: &builder)
    } catch {
      if let refusal { throw refusal }
      if error.kind == .source, let failure = scanner.failure { throw failure }
      builder.offset = error.offset
      guard collector.hasTables else {
        throw ImportError(error.reason, at: error.offset, advice: "export it again")
      }
      switch error.kind {
      case .cutAtEnd: builder.countLoss(.cutAtEnd)
      case .limit: builder.countLoss(.limitReached)
      case .invalid, .source: builder.countLoss(.damagedBytes)
      }
      builder.addNotice("reading stopped at byte \(error.offset): \(error.reason)")
    }
    builder.offset = nil
    guard collector.hasTables else { throw reasonForNoTable }
    collector.finish(contents.run(run), repeatedSamples: profile.repeatedCount, in: &builder)
  }

  private var reasonForNoTable: ImportError {
    guard !contents.runs.isEmpty, !hasResult else {
      return ImportError(
        "contains no table", advice: "list them: xctrace export --toc")
    }
    guard let table = contents.runs.lazy.compactMap(\.hitchTable).first else {
      return ImportError(
        "is the table of contents of a recording without a list of hitches",
        advice: "record on a device with --template 'Animation Hitches'")
    }
    return ImportError(
      "is only a table of contents",
      advice: "export the table too, with --xpath"
        + " '/trace-toc/run[@number=\"1\"]/data/table[@schema=\"\(table)\"]',"
        + " and join both with cat")
  }

  // MARK: - Documents

  private mutating func readDocuments(into builder: inout TraceBuilder) throws(ScanFault) {
    while try scanner.next() == .start {
      if scanner.isNamed("trace-query-result") {
        hasResult = true
        try readResult(into: &builder)
      } else if scanner.isNamed("trace-toc") {
        try readContents()
      } else {
        throw ScanFault(
          kind: .invalid, reason: "an element that xctrace does not export",
          offset: scanner.tokenOffset)
      }
    }
  }

  private mutating func readResult(into builder: inout TraceBuilder) throws(ScanFault) {
    while try nextElement() {
      if scanner.isNamed("node") { try readTable(into: &builder) } else { try passElement() }
    }
  }

  private mutating func readTable(into builder: inout TraceBuilder) throws(ScanFault) {
    try checkRun(scanner.attribute("xpath"))
    let path = scanner.attribute("xpath").map { Array($0) }
    var schema: XctraceSchema?
    while try nextElement() {
      if scanner.isNamed("schema") {
        let read = try readSchema()
        schema = read
        collector.startTable(read, path: path)
      } else if !scanner.isNamed("row") {
        try passElement()
      } else if let schema, let table = schema.table, collector.reads(table) {
        builder.offset = scanner.tokenOffset
        if table == .timeProfile || table == .timeSamples {
          if try !readProfileRow(in: &builder) { builder.countLoss(.malformedRecord) }
        } else if try readRow(of: schema, in: &builder) {
          collector.add(row, of: table, values, to: &builder)
        } else {
          builder.countLoss(.malformedRecord)
        }
      } else {
        collector.countUnusedRow()
        try passElement()
      }
    }
  }

  /// Rejects tables of several runs, whose clocks all start at zero.
  private mutating func checkRun(_ path: UnsafeRawBufferPointer?) throws(ScanFault) {
    guard let path, let number = Self.runNumber(inPath: path) else { return }
    if let run, run != number {
      refusal = ImportError(
        "contains tables of runs \(run) and \(number), which have no common time",
        at: scanner.tokenOffset, advice: "export one run, with run[@number=\"\(run)\"]")
      throw ScanFault(kind: .invalid, reason: "", offset: scanner.tokenOffset)
    }
    run = number
  }

  /// Returns the number in `//trace-toc[1]/run[2]/data[1]/table[3]`.
  private static func runNumber(inPath path: UnsafeRawBufferPointer) -> UInt64? {
    let text = String(decoding: path.prefix(1024), as: UTF8.self)
    guard let step = text.split(separator: "/").first(where: { $0.hasPrefix("run[") }) else {
      return nil
    }
    return UInt64(step.drop { !$0.isNumber }.prefix { $0.isNumber })
  }

  // MARK: - Schemas

  private mutating func readSchema() throws(ScanFault) -> XctraceSchema {
    let name = scanner.attribute("name").map { Array($0) } ?? []
    let table = XctraceTable(schema: name)
    var schema = XctraceSchema(name: String(decoding: name.prefix(64), as: UTF8.self), table: table)
    values.startTable()
    profile.startTable()
    while try nextElement() {
      guard scanner.isNamed("col") else {
        try passElement()
        continue
      }
      guard schema.columns.count < XctraceSchema.maximumColumnCount else {
        throw scanner.limitFault(
          "a table has more than \(XctraceSchema.maximumColumnCount) columns")
      }
      schema.columns.append(try readColumn(of: table))
    }
    let needed: [XctraceColumn] = [.start, .duration]
    let missing = needed.first { column in !schema.columns.contains { $0.meaning == column } }
    if let table, table.listsHitches, let missing {
      refusal = ImportError(
        "the table '\(schema.name)' has no column '\(missing)'", at: scanner.tokenOffset)
      throw ScanFault(kind: .invalid, reason: "", offset: scanner.tokenOffset)
    }
    return schema
  }

  private mutating func readColumn(
    of table: XctraceTable?
  ) throws(ScanFault) -> XctraceSchema.Column {
    var (mnemonic, type): ([UInt8], [UInt8]) = ([], [])
    while try nextElement() {
      if scanner.isNamed("mnemonic") {
        mnemonic = try readWord()
      } else if scanner.isNamed("engineering-type") {
        type = try readWord()
      } else {
        try passElement()
      }
    }
    let meaning = table.flatMap {
      XctraceColumn(mnemonic: String(decoding: mnemonic, as: UTF8.self), in: $0)
    }
    return XctraceSchema.Column(
      tag: values.tag(ofColumnType: type, meaning: meaning), meaning: meaning)
  }

  // MARK: - Table of contents

  private mutating func readContents() throws(ScanFault) {
    let start = scanner.depth
    var (target, summary) = (Int.max, Int.max)
    while true {
      switch try scanner.next() {
      case .start:
        if scanner.depth <= target { target = Int.max }
        if scanner.depth <= summary { summary = Int.max }
        if scanner.isNamed("run") {
          let number = scanner.attribute("number").flatMap(Self.number)
          contents.runs.append(
            XctraceContents.Run(number: number ?? UInt64(contents.runs.count + 1)))
        } else if scanner.isNamed("target") {
          target = scanner.depth
        } else if scanner.isNamed("summary") {
          summary = scanner.depth
        } else if scanner.isNamed("process"), target < scanner.depth {
          readTarget()
        } else if scanner.isNamed("table") {
          readTable()
        } else if scanner.isNamed("duration"), summary < scanner.depth {
          let word = try readWord()
          if !contents.runs.isEmpty {
            contents.runs[contents.runs.count - 1].duration = XctraceContents.duration(word[...])
          }
        }
      case .end where scanner.depth < start: return
      case .finish: return
      case .end, .text: break
      }
    }
  }

  private mutating func readTarget() {
    guard !contents.runs.isEmpty, let name = scanner.attribute("name") else { return }
    let pid = scanner.attribute("pid").flatMap(Self.number).flatMap { Int64(exactly: $0) }
    contents.runs[contents.runs.count - 1].target = XctraceProcesses.Process(
      pid: pid, name: String(decoding: name.prefix(1024), as: UTF8.self))
  }

  private mutating func readTable() {
    guard !contents.runs.isEmpty, let name = scanner.attribute("schema"),
      let table = XctraceTable(schema: Array(name)), table.listsHitches
    else { return }
    contents.runs[contents.runs.count - 1].hitchTable = table.rawValue
  }

  // MARK: - Elements

  /// Advances to the next element inside the current one; returns `false` at its end.
  private mutating func nextElement() throws(ScanFault) -> Bool {
    while true {
      switch try scanner.next() {
      case .start: return true
      case .end, .finish: return false
      case .text: break
      }
    }
  }

  private mutating func passElement() throws(ScanFault) {
    let depth = scanner.depth
    while scanner.depth >= depth, try scanner.next() != .finish {}
  }

  /// Returns the text of the current element without nested elements, truncated if it is long.
  private mutating func readWord() throws(ScanFault) -> [UInt8] {
    let depth = scanner.depth
    var word: [UInt8] = []
    while scanner.depth >= depth {
      let token = try scanner.next()
      if token == .finish { break }
      guard token == .text, scanner.depth == depth else { continue }
      word.append(contentsOf: scanner.text.prefix(Self.maximumWordLength - word.count))
    }
    return word
  }

  /// Returns a number of digits only, or `nil` for anything else and if it overflows.
  static func number(_ text: some Collection<UInt8>) -> UInt64? {
    guard (1...20).contains(text.count) else { return nil }
    var number: UInt64 = 0
    for byte in text {
      guard byte.isDigit, let longer = number.appending(digit: byte) else { return nil }
      number = longer
    }
    return number
  }
}

extension XctraceReader {
  /// Reads the current row into `row`; returns `false` if it does not match the columns.
  ///
  /// The values of a row are in the order of the columns and named after the column's type, so a
  /// value of another type makes the row unreadable, except in loose columns.
  mutating func readRow(
    of schema: XctraceSchema, in builder: inout TraceBuilder
  ) throws(ScanFault) -> Bool {
    for index in row.indices { row[index] = XctraceValue() }
    open.removeAll(keepingCapacity: true)
    var (column, fits) = (0, true)
    while true {
      switch try scanner.next() {
      case .start:
        if open.isEmpty {
          var tag = column < schema.columns.count ? schema.columns[column].tag : -1
          if tag >= 0, schema.isLoose(column) { tag = values.tag(scanner.name) ?? tag }
          let isValue = tag >= 0 && values.isNamed(scanner.name, tag)
          if !isValue, tag < 0 || !scanner.isNamed("sentinel"), !schema.isLoose(column) {
            fits = false
          }
          beginValue(tag: isValue ? tag : nil, in: &builder)
        } else {
          beginValue(tag: values.tag(scanner.name), in: &builder)
        }
      case .text: addText()
      case .end:
        guard let last = open.popLast() else { return fits }
        let value = endValue(last.value, id: last.id, in: &builder)
        guard open.isEmpty else { continue }
        if column < schema.columns.count, let meaning = schema.columns[column].meaning {
          row[meaning.rawValue] = value
        }
        column += 1
      case .finish: return fits
      }
    }
  }

  private mutating func beginValue(tag: Int?, in builder: inout TraceBuilder) {
    guard let tag, values.keeps(tag) else { return open.append((XctraceValue(), nil)) }
    if let reference = scanner.attribute("ref") {
      guard let id = Self.number(reference), let value = values.value(id, tag: tag) else {
        builder.countLoss(.undefinedReference)
        return open.append((XctraceValue(), nil))
      }
      return open.append((value, nil))
    }
    var value = XctraceValue()
    value.tag = Int32(tag)
    values.keepFormatted(scanner.attribute("fmt"), of: &value)
    open.append((value, scanner.attribute("id").flatMap(Self.number)))
  }

  private mutating func addText() {
    guard let last = open.indices.last, open[last].value.tag >= 0 else { return }
    let text = scanner.text
    // Between nested elements there are only line breaks and indentation.
    guard text.contains(where: { !$0.isXMLSpace }) else { return }
    open[last].value.append(digits: text)
    values.keepText(text, of: &open[last].value)
  }

  /// Completes a value, stores it for references, and passes its parts to its parent.
  private mutating func endValue(
    _ ended: XctraceValue, id: UInt64?, in builder: inout TraceBuilder
  ) -> XctraceValue {
    var value = ended
    if Int(value.tag) == values.process, value.process < 0 {
      let position = collector.processes.position(pid: value.integer, text: values.text(of: value))
      value.process = Int32(clamping: position)
    }
    if let id, !values.keep(value, as: id) { builder.countLoss(.invalidValue) }
    guard let parent = open.indices.last else { return value }
    switch (Int(open[parent].value.tag), Int(value.tag)) {
    case (values.process, values.pid), (values.thread, values.tid):
      open[parent].value.number = value.number
      open[parent].value.hasNumber = value.integer != nil
    case (values.thread, values.process): open[parent].value.process = value.process
    default: break
    }
    return value
  }
}
