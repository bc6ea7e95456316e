public import Foundation

/// The part of JSON Schema that the project's schema uses: `type`, `properties`, `additionalProperties`,
/// `required`, `items`, `enum`, `const`, `anyOf` and `$ref` to a definition of the same file.
///
/// Keys that the schema does not declare are problems too. They are allowed in later versions, but a
/// report of this version must be described in full.
public struct JSONSchema {
  private let root: JSONTree

  /// Reads a schema.
  public init(_ data: Data) throws {
    root = try JSONDecoder().decode(JSONTree.self, from: data)
  }

  /// Returns what is wrong with a document, each with its place; empty if the document is valid.
  public func problems(with document: Data) throws -> [String] {
    problems(with: try JSONDecoder().decode(JSONTree.self, from: document), root, at: "")
  }

  private func problems(with value: JSONTree, _ schema: JSONTree, at path: String) -> [String] {
    if let reference = schema["$ref"]?.string {
      guard let definition = definition(reference) else { return ["\(path): no \(reference)"] }
      return problems(with: value, definition, at: path)
    }
    if let choices = schema["anyOf"]?.elements {
      let all = choices.map { problems(with: value, $0, at: path) }
      return all.contains(where: \.isEmpty) ? [] : all.first ?? []
    }
    if let only = schema["const"], only != value { return ["\(path): is not \(only)"] }
    if let allowed = schema["enum"]?.elements, !allowed.contains(value) {
      return ["\(path): \(value) is no allowed value"]
    }
    let types = schema["type"].map { $0.elements ?? [$0] } ?? []
    if !types.isEmpty, !types.contains(where: { $0.string.map(value.isOf) ?? false }) {
      return ["\(path): \(value) is not of a type in \(types)"]
    }
    switch value {
    case .object(let members): return problems(withMembers: members, schema, at: path)
    case .array(let elements):
      guard let items = schema["items"] else { return ["\(path): its items are not described"] }
      return elements.enumerated().flatMap {
        problems(with: $0.element, items, at: "\(path)[\($0.offset)]")
      }
    default: return []
    }
  }

  private func problems(
    withMembers members: [String: JSONTree], _ schema: JSONTree, at path: String
  ) -> [String] {
    let required = (schema["required"]?.elements ?? []).compactMap(\.string)
    let missing = required.filter { members[$0] == nil }.map { "\(path).\($0): is missing" }
    return missing
      + members.sorted { $0.key < $1.key }.flatMap { key, member -> [String] in
        guard let description = schema["properties"]?[key] else {
          if schema["additionalProperties"] == .bool(true) { return [] }
          return ["\(path).\(key): is not declared"]
        }
        return problems(with: member, description, at: "\(path).\(key)")
      }
  }

  private func definition(_ reference: String) -> JSONTree? {
    reference.split(separator: "/").dropFirst()
      .reduce(root) { $0?[String($1)] }
  }
}

/// Any JSON, with Booleans apart from numbers.
private enum JSONTree: Decodable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  subscript(key: String) -> JSONTree? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }

  var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }

  /// Whether the value has a type of JSON Schema.
  func isOf(_ type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer" || type == "number"
    case .number: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
