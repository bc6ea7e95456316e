/// A position or length in thousandths of a point, because integers are equal on every machine.
package typealias Millipoints = Int64
