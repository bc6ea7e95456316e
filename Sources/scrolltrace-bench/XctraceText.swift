#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An export in the form that xctrace writes, of any length: refreshes of a display.
enum XctraceText {
  /// Writes a table of `rows` refreshes; later rows refer to values of the first one.
  static func write(to path: String, rows: Int) throws {
    guard let file = fopen(path, "w") else { throw ChromeJSONText.WriteError(path: path) }
    fputs("<?xml version=\"1.0\"?>\n<trace-query-result>\n", file)
    fputs("<node xpath='//trace-toc[1]/run[1]/data[1]/table[1]'>", file)
    fputs("<schema name=\"display-vsyncs-interval\">", file)
    for (mnemonic, type) in [
      ("timestamp", "start-time"), ("duration", "duration"), ("display-name", "display-name"),
      ("event", "vsync-event"),
    ] {
      fputs(
        "<col><mnemonic>\(mnemonic)</mnemonic><name>\(mnemonic)</name>"
          + "<engineering-type>\(type)</engineering-type></col>", file)
    }
    fputs("</schema>\n", file)
    for row in 0..<rows {
      let time = row * 16_666_667
      let rest =
        row == 0
        ? "<duration id=\"2\" fmt=\"1 ns\">1</duration>"
          + "<display-name id=\"3\" fmt=\"Display 1\">Display 1</display-name>"
          + "<vsync-event id=\"4\" fmt=\"VSYNC\">VSYNC</vsync-event>"
        : "<duration ref=\"2\"/><display-name ref=\"3\"/><vsync-event ref=\"4\"/>"
      fputs(
        "<row><start-time id=\"\(row + 5)\" fmt=\"\(time / 1_000_000)\">\(time)</start-time>"
          + rest + "</row>\n", file)
    }
    fputs("</node></trace-query-result>\n", file)
    guard ferror(file) == 0, fclose(file) == 0 else { throw ChromeJSONText.WriteError(path: path) }
  }
}
