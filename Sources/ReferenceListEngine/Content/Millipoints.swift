/// A place or length in thousandths of a point: whole numbers are the same on every machine.
package typealias Millipoints = Int64
