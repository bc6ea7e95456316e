#!/usr/bin/env bash
# The work of the action: checks traces and puts the report into the job's summary.
#
# Uses the scrolltrace in PATH, or builds the one of the package that this file is part of.
set -euo pipefail

command=scrolltrace
if ! type -P scrolltrace > /dev/null; then
  package="$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)"
  swift build -c release --package-path "$package" --product scrolltrace
  command="$(swift build -c release --package-path "$package" --show-bin-path)/scrolltrace"
fi

# The Bash of macOS has no mapfile, and takes an empty list for an unset one.
options=(--format text,github,markdown,html -o "$REPORT/report.md" -o "$REPORT/report.html")
while IFS= read -r line; do
  if [ -n "$line" ]; then options+=("$line"); fi
done <<< "${ARGUMENTS:-}"
options+=(--)
while IFS= read -r line; do
  if [ -n "$line" ]; then options+=("$line"); fi
done <<< "$TRACES"

mkdir -p "$REPORT"
status=0
"$command" check "${options[@]}" || status=$?
if [ -f "$REPORT/report.md" ]; then cat "$REPORT/report.md" >> "$GITHUB_STEP_SUMMARY"; fi
echo "status=$status" >> "$GITHUB_OUTPUT"
exit "$status"
