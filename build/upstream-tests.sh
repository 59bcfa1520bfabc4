#!/bin/sh
# Runs the test classes that ZooKeeper publishes against our servers: docs/upstream-tests.md.
set -eu
cd "$(dirname "$0")/.."
mvn -q -B -Dupstream=true -DskipTests -pl it-tests -am process-test-classes
exec java -cp "it-tests/target/test-classes:it-tests/target/upstream/tool/*" \
  org.orcagrid.upstream.UpstreamTests "$@"
