#!/bin/sh
# Minutes that Maven took for each module, as a table in Markdown: minutes.sh LOG. A log of several builds gives a
# column for each; what .ci/run says before a build is its heading. docs/testing.md has such a table.
set -eu

[ -r "${1:-}" ] || { echo "usage: minutes.sh LOG, which has Maven's output" >&2; exit 1; }
sed 's/\x1b\[[0-9;]*m//g' "$1" | awk '
  function minutes(time, unit,   parts) {
    if (unit == "s") return time / 60
    split(time, parts, ":")
    return unit == "min" ? parts[1] + parts[2] / 60 : parts[1] * 60 + parts[2]
  }
  /^== / { heading = substr($0, 4) }
  /Reactor Summary/ {
    builds++
    headings[builds] = heading == "" ? "minutes" : heading
    inside = 1
  }
  inside && / (SUCCESS|FAILURE) \[/ {
    name = $0
    sub(/^\[INFO\] /, "", name)
    sub(/ \.* *(SUCCESS|FAILURE) \[.*/, "", name)
    if (!(name in seen)) { seen[name] = 1; names[++count] = name }
    time = $0
    sub(/.*\[ */, "", time)
    sub(/\].*/, "", time)
    split(time, words, " ")
    took[name, builds] = minutes(words[1], words[2])
  }
  inside && /Total time:/ {
    total[builds] = minutes($(NF - 1), $NF)
    inside = 0
  }
  END {
    if (builds == 0) { print "minutes.sh: no Reactor Summary in the log" > "/dev/stderr"; exit 1 }
    line = "| module |"; rule = "|---|"
    for (b = 1; b <= builds; b++) { line = line " " headings[b] " |"; rule = rule "---:|" }
    print line; print rule
    for (n = 1; n <= count; n++) {
      line = "| " names[n] " |"
      for (b = 1; b <= builds; b++) line = line ((names[n], b) in took ? sprintf(" %.1f |", took[names[n], b]) : " |")
      print line
    }
    line = "| all |"
    for (b = 1; b <= builds; b++) line = line (b in total ? sprintf(" %.1f |", total[b]) : " |")
    print line
  }'
