#!/bin/sh
# Fuzzes the client ports of three servers for a minute, or as asked: docs/testing.md.
set -eu
cd "$(dirname "$0")/.."
mvn -q -B -Dorca.fast -DskipTests -pl it-tests -am install
cd it-tests
mvn -q -B dependency:build-classpath -Dmdep.includeScope=test -Dmdep.outputFile=target/fuzz.classpath
exec java -cp "target/test-classes:$(cat target/fuzz.classpath)" \
  org.orcagrid.processes.ClientPortFuzzer "$@"
