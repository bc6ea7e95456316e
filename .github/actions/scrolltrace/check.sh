#!/usr/bin/env bash
# The work of the action: checks traces and puts the report into the job's summary.
#
# Uses the scrolltrace in PATH, the one in the archive, or the one of the package that this file is part of,
# which is built once and cached.
set -euo pipefail

command=scrolltrace
if ! type -P scrolltrace > /dev/null; then
  folder="${INSTALLED:-${RUNNER_TEMP:-/tmp}/scrolltrace}"
  command="$folder/scrolltrace"
  mkdir -p "$folder"
  if [ -n "${ARCHIVE:-}" ]; then
    curl --fail --silent --show-error --location "$ARCHIVE" | tar -xz -C "$folder"
    command="$(find "$folder" -type f -perm -u+x -name scrolltrace | head -n 1)"
  elif [ ! -x "$command" ]; then
    package="$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)"
    swift build -c release --package-path "$package" --product scrolltrace
    cp "$(swift build -c release --package-path "$package" --show-bin-path)/scrolltrace" "$folder"
  fi
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
