#!/usr/bin/env bash
# The JMH benchmarks of the hot classes, beside what they are measured against: docs/benchmarks.md quotes them.
#
#   build/jmh.sh [NAME] [OPTIONS OF JMH]
#
# NAME is a part of the system: gate, commit, store, codecs, journal, kite, replica, zab, reads, release, forwarding, recovery, mixed, or
# all of them if there is none. What follows goes to JMH: -f 1 -wi 3 -i 3 for a short run, -p nodes=1, -h for more.
# build/jmh.sh -l lists all benchmarks, build/jmh.sh NAME -l those of a part.
# build/jmh.sh smoke runs each benchmark once, with no figures worth reading, and fails if one of them does.
set -eu
cd "$(dirname "$0")/.."
name=all
case ${1:-} in
  '' | -*) ;;
  *) name=$1 && shift ;;
esac
package='org\.orcagrid\.jmh\.'
case $name in
  gate) benchmarks="${package}gate\." ;;
  commit) benchmarks="${package}(cad\.|server\.OrcaRole)" ;;
  store) benchmarks="${package}store\." ;;
  codecs) benchmarks="${package}(wire\.|replica\.(Packet|Log)Codec|client\.Codec)" ;;
  journal) benchmarks="${package}(durable\.|server\.OrcaTxnLog)" ;;
  kite) benchmarks="${package}kite\." ;;
  replica) benchmarks="${package}replica\.Replica" ;;
  zab) benchmarks="${package}zab\." ;;
  reads) benchmarks="${package}client\.View" ;;
  release) benchmarks="${package}client\.EmbeddedGrid" ;;
  forwarding) benchmarks="${package}client\.Forwarding" ;;
  recovery) benchmarks="${package}replica\.Recovery" ;;
  mixed) benchmarks="${package}mixed\." ;;
  all | smoke) benchmarks=$package ;;
  *)
    echo "There is no benchmark '$name'. Name one of: gate, commit, store, codecs, journal, kite, replica, zab, reads," \
      "release, forwarding, recovery, mixed, all, smoke." >&2
    exit 2
    ;;
esac
# Without this the servers' classes would log each request, and that would be measured.
java=(java -Dlogback.configurationFile=org/orcagrid/jmh/logback.xml)
options=(-prof gc)
if [ "$name" = smoke ]; then
  # All in one JVM, without JMH's forks: that has to get what Chronicle asks for on JDK 17, as its benchmark's forks do.
  for package in java.base/jdk.internal.ref java.base/sun.nio.ch jdk.unsupported/sun.misc \
    jdk.compiler/com.sun.tools.javac.file; do
    java+=("--add-exports=$package=ALL-UNNAMED")
  done
  for package in jdk.compiler/com.sun.tools.javac java.base/java.lang java.base/java.lang.reflect java.base/java.io \
    java.base/java.util java.base/java.nio java.base/sun.nio.ch; do
    java+=("--add-opens=$package=ALL-UNNAMED")
  done
  java+=(-Dchronicle.analytics.disable=true -Dchronicle.disclaimer=false -Dchronicle.announcer.disable=true)
  # Figures do not matter here, so another run of JMH on this machine does not either.
  java+=(-Djmh.ignoreLock=true)
  options=(-foe true -f 0 -wi 0 -i 1 -r 100ms -p entries=1000)
fi
mvn -q -B -pl jmh -am -DskipTests -Dorca.fast -Dspotless.check.skip package
exec "${java[@]}" -cp "jmh/target/classes:$(cat jmh/target/runtime-classpath.txt)" \
  org.openjdk.jmh.Main "$benchmarks" "${options[@]}" "$@"
