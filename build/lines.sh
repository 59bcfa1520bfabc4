#!/usr/bin/env bash
# How long the grid's code is: lines without comments and blank lines of the modules that make a node, at the commit
# that is checked out.
set -euo pipefail
cd "$(dirname "$0")/.."
all=0
for part in ddp-core transport-tcp node client membership-zookeeper orca-server/src/main/java/org/orcagrid/server/grid; do
  folder=$part
  [ ! -d "$part/src/main/java" ] || folder=$part/src/main/java
  count=$(find "$folder" -name '*.java' -print0 | xargs -0 cat | perl -0pe 's{/\*.*?\*/}{}gs' | grep -v '^\s*//' | grep -vc '^\s*$')
  printf '%6d  %s\n' "$count" "$part"
  all=$((all + count))
done
printf '%6d  all\n' "$all"
