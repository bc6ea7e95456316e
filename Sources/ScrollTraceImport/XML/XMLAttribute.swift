/// Where the name and the value of an attribute are in the bytes of its tag.
struct XMLAttribute {
  let name: Range<Int>
  let value: Range<Int>
}
