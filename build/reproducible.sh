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
# Whether two builds of the published modules are the same, bit for bit: builds copies of this tree in folders of other depths, with another
# umask, time zone and language, and compares every jar, POM and SBOM. With 'here', one copy is compared with what is in target/, which must be
# a build of these sources. The native library of transport-rdma is in the comparison where it can be built: its compiler is told no folder.
# Both builds must have the same JDK, and for that library the same compiler. Maven's archives hide whether a group may write (umask 002 or 022),
# but not a umask that lets nobody else read.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD

fail() {
  echo "reproducible.sh: $*" >&2
  exit 1
}

here=
if [ "${1:-}" = here ]; then
  here=yes
  shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
modules=$(sed -n '/<dependencyManagement>/,$s/ *<artifactId>\(.*\)<\/artifactId>/\1/p' bom/pom.xml | grep -v -- '-plugin$' | sort -u)
mvn -q -B help:evaluate -Dexpression=settings.localRepository -Doutput="$work/local-repository" -N
local_repository=$(cat "$work/local-repository")

# builds FOLDER UMASK ZONE LANGUAGE COUNTRY [MAVEN OPTION...]: a copy of what Git knows of this tree, and of what is new in it.
build() {
  folder=$1 mask=$2 zone=$3 language=$4 country=$5
  shift 5
  mkdir -p "$folder"
  git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    if [ -e "$file" ]; then printf '%s\0' "$file"; fi
  done | tar --null -T - -cf - | tar -xf - -C "$folder"
  # shellcheck disable=SC2086
  (cd "$folder" && umask "$mask" && TZ=$zone MAVEN_OPTS="${MAVEN_OPTS:-} -Duser.language=$language -Duser.country=$country" \
    mvn -q -B -ntp -Dmaven.repo.local="$local_repository" -DskipTests -Dspotless.check.skip "$@" -pl ".,bom,$(echo $modules | tr ' ' ,)" package) ||
    fail "The copy in $folder cannot be built; the lines above say why."
}

sums() {
  (cd "$1" && for module in . bom $modules; do
    find "$module/pom.xml" $([ -d "$module/target" ] && find "$module/target" -maxdepth 1 \( -name '*.jar' -o -name bom.json \)) -type f -exec sha256sum {} +
  done | sort -k 2)
}

first=$checkout
if [ -z "$here" ]; then
  first=$work/one
  echo "== building in $first"
  build "$first" 022 UTC en US "$@"
fi
second="$work/a folder/of some/other depth"
echo "== building in $second"
build "$second" 002 Pacific/Chatham tr TR "$@"

sums "$first" >"$work/first"
sums "$second" >"$work/second"
count=$(grep -c '\.jar$' "$work/first" || true)
[ "$count" -ge "$(echo "$modules" | wc -l)" ] || fail "$first has only $count jars; build it with 'mvn package' first."
if ! diff "$work/first" "$work/second" >"$work/difference"; then
  cat "$work/difference" >&2
  fail "Two builds differ in the files above."
fi
echo "reproducible.sh: $(wc -l <"$work/first") files of two builds are the same, $count of them jars"
