// What the start of the command is compared with: it prints a line and ends.
print("a line")
