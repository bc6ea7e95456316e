import ScrollTraceKit

extension TraceInspection {
  /// The summary as JSON, schema `scrolltrace.inspection/2`.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("schema", .string("scrolltrace.inspection/2")), ("path", .string(path)),
      ("format", .string(trace.source.format)),
      ("bytes", trace.source.byteCount.map(JSONValue.unsigned) ?? .null),
      (
        "durationNs",
        trace.source.hasKnownLength ? .integer(trace.range.length.nanoseconds) : .null
      ),
    ]
    if let session = inventory?.session { members.append(("session", json(session))) }
    if let inventory { members += json(inventory) }
    members.append(("content", .object(facts.map { ($0.name, .integer(Int64($0.count))) })))
    members.append(("losses", .array(trace.losses.map(json))))
    members.append(
      (
        "notices",
        .array(trace.notices.map { .string(messages.text(of: .trace($0))) })
      ))
    members.append(("openSpans", .array(trace.openSpans.map(json))))
    return .object(members)
  }

  private func json(_ session: FXTSessionFacts) -> JSONValue {
    func anchor(_ anchor: FXTSessionFacts.Anchor?) -> JSONValue {
      anchor.map {
        .object([
          ("clockNs", .unsigned($0.clock)), ("wallNs", .integer($0.wall)),
          ("uncertaintyNs", .unsigned($0.uncertainty)),
        ])
      } ?? .null
    }
    return .object([
      ("version", .string("\(session.version.major).\(session.version.minor)")),
      ("id", .string(session.identifier)), ("process", .unsigned(session.process)),
      ("clock", .unsigned(UInt64(session.clock))),
      ("counterFrequency", .unsigned(session.counterFrequency)),
      ("opened", anchor(session.opened)), ("finishedAt", anchor(session.closed)),
      ("finished", .bool(session.isClosed)),
      ("stopReason", session.stopReason.map(JSONValue.string) ?? .null),
      ("ring", ring(session)), ("weight", session.weight.map(JSONValue.unsigned) ?? .null),
      ("dropped", .object(session.drops.map { ($0.reason, .unsigned($0.count)) })),
    ])
  }

  private func ring(_ session: FXTSessionFacts) -> JSONValue {
    guard session.ringChunks > 0 else { return .null }
    return .object([
      ("chunks", .unsigned(session.ringChunks)),
      ("overwrittenChunks", .unsigned(session.chunksOverwritten)),
      ("keptSinceNs", .unsigned(session.keptSince)),
    ])
  }

  private func json(_ inventory: FXTInventory) -> [(String, JSONValue)] {
    [
      (
        "chunks",
        .object([
          ("used", .integer(Int64(inventory.usedChunks))),
          ("unused", .integer(Int64(inventory.unusedChunks))),
          ("stacks", .integer(Int64(inventory.stackChunks))),
          ("durable", .integer(Int64(inventory.durableChunks))),
          ("sealed", .integer(Int64(inventory.seals[.valid] ?? 0))),
          ("unsealed", .integer(Int64(inventory.seals[.missing] ?? 0))),
          ("wrongSeal", .integer(Int64(inventory.seals[.wrong] ?? 0))),
        ])
      ), ("strings", .integer(Int64(inventory.stringCount))),
      (
        "threads",
        .array(
          inventory.threads.sorted { $0.key < $1.key }.map { thread, count in
            .object([
              ("process", .unsigned(thread.process)), ("id", .unsigned(thread.id)),
              ("name", .string(count.name)), ("main", .bool(count.isMain)),
              ("chunks", .integer(Int64(count.chunks))), ("records", .unsigned(count.records)),
              ("drops", .unsigned(count.drops)),
              ("firstTick", count.first.map(JSONValue.unsigned) ?? .null),
              ("lastTick", count.last.map(JSONValue.unsigned) ?? .null),
            ])
          })
      ),
      (
        "records",
        .array(
          sorted(inventory).map { kind, count in
            .object([
              ("kind", .string(kind.kind)), ("category", .string(kind.category)),
              ("count", .unsigned(count.records)), ("bytes", .unsigned(count.bytes)),
            ])
          })
      ), ("missingBytes", .unsigned(inventory.missingBytes)),
      ("damagedBytes", .unsigned(inventory.damagedBytes)),
      ("damagedPlaces", .integer(Int64(inventory.damageCount))),
      ("damage", .array(inventory.damage.map(Self.json))),
    ]
  }

  private func json(_ loss: Loss) -> JSONValue {
    .object([
      ("reason", .string(loss.reason.rawValue)), ("count", .unsigned(loss.count)),
      ("offset", loss.offset.map(JSONValue.unsigned) ?? .null),
    ])
  }

  private func json(_ span: OpenSpan) -> JSONValue {
    .object([
      ("name", .string(trace.name(of: span.label))),
      ("category", .string(trace.category(of: span.label))),
      ("track", .string(trace.displayName(of: span.track))),
      ("startNs", .integer((span.since - trace.range.start).nanoseconds)),
    ])
  }

  /// Returns a damaged range.
  static func json(_ damage: FXTDamage) -> JSONValue {
    .object([
      ("offset", .unsigned(damage.offset)), ("bytes", .unsigned(damage.byteCount)),
      ("reason", .string(damage.reason.rawValue)),
    ])
  }
}
