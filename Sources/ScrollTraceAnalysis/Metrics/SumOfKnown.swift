/// Returns the sum of two values, or the known one if the other is unknown.
func sumOfKnown<Value>(
  _ left: Value?, _ right: Value?, by add: (Value, Value) -> Value
) -> Value? {
  guard let left, let right else { return left ?? right }
  return add(left, right)
}
