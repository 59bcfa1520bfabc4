#!/usr/bin/env bash
#
# Copyright 2026 The Orca Grid authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
# What a user's Maven project gets of us: publishes this tree's modules into a temporary folder and builds and runs
# it-tests/src/consumer against it, outside of this tree and with a local repository of its own. Uses the build in target/ where there is
# one, leaves nothing of ours in the user's local repository, and needs no network where 'mvn verify' has run. Arguments go to the Maven that
# publishes.
set -euo pipefail
cd "$(dirname "$0")/.."

jars_max=12
bytes_max=4230000

fail() {
  echo "consumer.sh: $*" >&2
  exit 1
}

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
local_repository=
clean_up() {
  rm -rf "$work"
  # Maven notes there that it has looked for what is published in that folder.
  if [ -d "$local_repository/org/orcagrid" ]; then
    find "$local_repository/org/orcagrid" -name maven-metadata-published.xml -execdir rm -f maven-metadata-published.xml resolver-status.properties ';'
    find "$local_repository/org/orcagrid" -type d -empty -delete
  fi
}
trap clean_up EXIT

version=$(sed -n '/<artifactId>bom</{n;s/ *<version>\(.*\)<\/version>/\1/p;}' bom/pom.xml)
modules=$(sed -n '/<dependencyManagement>/,$s/ *<artifactId>\(.*\)<\/artifactId>/\1/p' bom/pom.xml | grep -v -- '-plugin$' | sort -u)
mvn -q -B help:evaluate -Dexpression=settings.localRepository -Doutput="$work/local-repository" -N
local_repository=$(cat "$work/local-repository")
[ -d "$local_repository" ] || fail "Maven does not tell its local repository (it said '$local_repository'); run 'mvn verify' first."

echo "== publishing to a temporary folder"
# shellcheck disable=SC2086
mvn -q -B -ntp "$@" -DskipTests -Dspotless.check.skip -Dmaven.install.skip=true -DaltDeploymentRepository="published::file://$work/published" \
  -pl ".,bom,$(echo $modules | tr ' ' ,)" deploy
# shellcheck disable=SC2086
"$java" it-tests/src/consumer/CheckArtifacts.java "$work/published" . "$version" $modules

echo "== building the consumers"
cp -r it-tests/src/consumer "$work/consumer"
# Ours come from the folder; plugins and libraries from what the user's repository has already, and then from where Maven always looks.
cat >"$work/settings.xml" <<SETTINGS
<settings>
  <profiles>
    <profile>
      <id>published</id>
      <repositories>
        <repository><id>published</id><url>file://$work/published</url></repository>
        <repository><id>had</id><url>file://$local_repository</url><snapshots><enabled>false</enabled></snapshots></repository>
      </repositories>
      <pluginRepositories>
        <pluginRepository><id>had</id><url>file://$local_repository</url><snapshots><enabled>false</enabled></snapshots></pluginRepository>
      </pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>published</activeProfile></activeProfiles>
</settings>
SETTINGS
# Not the user's repository, where an earlier 'mvn install' may have left what this tree would not publish.
(cd "$work/consumer" && mvn -q -B -ntp -gs "$work/settings.xml" -Dmaven.repo.local="$work/repository" -Dorca.version="$version" \
  test-compile dependency:build-classpath) || fail "The consumers cannot be built; the lines above say why."

libraries() { cat "$work/consumer/$1/target/class-path.txt"; }
class_path() { echo "$work/consumer/$1/target/classes:$(libraries "$1")"; }
jars() { libraries "$1" | tr ':' '\n' | sed 's|.*/||'; }

# Runs a program; what it prints, on both streams, must be the lines expected.
prints() {
  expected=$1
  shift
  "$java" "$@" >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "$* ended with a failure."; }
  [ "$(cat "$work/said")" = "$expected" ] || { cat "$work/said" >&2; fail "These lines are not just '$expected'."; }
}

echo "== client alone"
count=$(jars client | grep -c .)
bytes=$(libraries client | tr ':' '\n' | xargs cat | wc -c)
echo "client: $count jars, $bytes bytes (at most $jars_max and $bytes_max)"
[ "$count" -le "$jars_max" ] && [ "$bytes" -le "$bytes_max" ] || { jars client >&2; fail "The client alone brings more than it may."; }
prints "answer=42" -cp "$(class_path client)" example.ClientProgram
prints "answer=42" --module-path "$(libraries client)" --add-modules org.orcagrid.client -cp "$work/consumer/client/target/classes" example.ClientProgram

echo "== JCache"
apples="apples=12 provider=org.orcagrid.jcache.OrcaCachingProvider"
prints "$apples" -cp "$(class_path jcache)" example.CacheProgram
prints "$apples" --module-path "$(libraries jcache)" --add-modules org.orcagrid.jcache -cp "$work/consumer/jcache/target/classes" example.CacheProgram

echo "== embedded server"
nettys=$(jars embedded | sed -n 's/^netty-.*-\([0-9]*\.[0-9]*\.[0-9]*\.Final\).*/\1/p' | grep -v '^2\.0\.' | sort -u)
[ "$(echo "$nettys" | wc -l)" = 1 ] || { jars embedded | grep netty >&2; fail "orca-server brings more than one version of Netty."; }
if jars embedded | grep -E '^(logback|log4j|slf4j-(simple|nop|jdk14|reload4j|log4j))' >&2; then
  fail "orca-server brings a logging backend."
fi
echo "embedded: Netty $nettys, no logging backend"
lines="greeting=hello
jackson=2.17.2"
# SLF4J itself says, in lines that begin so, that the program has chosen no backend.
"$java" -cp "$(class_path embedded)" example.EmbeddedProgram "$work/data1" >"$work/all" 2>&1 || { cat "$work/all" >&2; fail "The embedded server failed."; }
[ "$(grep -v '^SLF4J(W): ' "$work/all")" = "$lines" ] || { cat "$work/all" >&2; fail "The embedded server prints lines of its own, or uses our Jackson."; }
prints "$lines" -Dslf4j.internal.verbosity=ERROR -cp "$(class_path embedded)" example.EmbeddedProgram "$work/data2"
"$java" -cp "$work/consumer/embedded/target/test-classes:$(class_path embedded)" org.junit.runner.JUnitCore example.EmbeddedProgramTest \
  >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "A user's JUnit 4 test failed."; }
echo "consumer.sh: all good"
