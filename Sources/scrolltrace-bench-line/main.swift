// What the start of the command is held against: it prints a line and ends.
print("a line")
