#!/usr/bin/env bash
# The benchmarks of the floor, beside what they are measured against: docs/benchmarks.md quotes them.
# The first argument says which: reads, store, release, medium, recovery, or all of them if there is none. What follows
# goes to JMH: -f 1 -wi 3 -i 3 for a short run, -p nodes=1, -h for more.
set -eu
cd "$(dirname "$0")/.."
which=${1:-all}
[ $# -eq 0 ] || shift
case $which in
  reads) benchmarks=LocalReadBenchmark ;;
  store) benchmarks=StoreBenchmark ;;
  release) benchmarks=ReleaseBenchmark ;;
  medium) benchmarks=MediumBenchmark ;;
  recovery) benchmarks=RecoveryBenchmark ;;
  all) benchmarks='org.orcagrid.jmh.floor' ;;
  *) echo "There is no benchmark '$which': reads, store, release, medium, recovery or all." >&2 && exit 2 ;;
esac
mvn -q -B -pl jmh -am -DskipTests -Dspotless.check.skip package
exec java -cp "jmh/target/classes:$(cat jmh/target/runtime-classpath.txt)" org.openjdk.jmh.Main "$benchmarks" -prof gc "$@"
