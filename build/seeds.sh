#!/bin/sh
# Runs seeds of everything that is simulated, each with its judge, or one seed again: docs/testing.md.
set -eu
cd "$(dirname "$0")/.."
mvn -q -B -Dorca.fast -DskipTests -pl orca-server -am install
cd orca-server
mvn -q -B dependency:build-classpath -Dmdep.includeScope=test -Dmdep.outputFile=target/seeds.classpath
exec java -cp "target/test-classes:target/classes:$(cat target/seeds.classpath)" org.orcagrid.seeds.Seeds "$@"
