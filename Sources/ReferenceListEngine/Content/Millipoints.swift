/// A place or length in thousandths of a point: whole numbers are the same on every machine.
public typealias Millipoints = Int64
