#!/usr/bin/env bash
# The sequence locks of the replica store under jcstress: docs/testing.md. The first argument is how
# long: sanity, quick (some five minutes on two cores; if there is none), default, tough or stress.
# What follows goes to jcstress: -t ReplacedInPlace for one trial, -h for more.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-quick}
[ $# -eq 0 ] || shift
target=$PWD/ddp-core/target
mvn -q -B -Pjcstress -pl ddp-core test-compile \
  org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
  -Dmdep.includeScope=test -Dmdep.outputFile="$target/jcstress-classpath.txt"
mkdir -p "$target/jcstress"
cd "$target/jcstress" # results and the page of them are written to where it runs
exec java -cp "$target/jcstress-classes:$target/classes:$(cat "$target/jcstress-classpath.txt")" \
  org.openjdk.jcstress.Main -m "$mode" -r "$target/jcstress" "$@"
