import ScrollTraceModel

extension XctraceReader {
  /// Reads the row that began last into `row`; `false` where it does not fit to the columns.
  ///
  /// The values of a row stand in the order of the columns and are called by the column's type, so
  /// a value of another type says that the row cannot be read.
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
          let tag = column < schema.columns.count ? schema.columns[column].tag : -1
          let isValue = tag >= 0 && values.isNamed(scanner.name, tag)
          if !isValue, tag < 0 || !scanner.isNamed("sentinel") { fits = false }
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
    // Between nested elements there is nothing but lines and indents.
    guard text.contains(where: { !$0.isXMLSpace }) else { return }
    open[last].value.append(digits: text)
    values.keepText(text, of: &open[last].value)
  }

  /// Completes a value, keeps it for references, and passes on what its parent is made of.
  private mutating func endValue(
    _ ended: XctraceValue, id: UInt64?, in builder: inout TraceBuilder
  ) -> XctraceValue {
    var value = ended
    if Int(value.tag) == values.process, value.process < 0 {
      let position = collector.processes.position(
        pid: value.integer, text: values.text(of: value))
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
