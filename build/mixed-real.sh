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
# Starts PostgreSQL from the tests' class path, and measures one of MyriaStore's figures on it:
#   build/mixed-real.sh [--fsync on|off] [myria-fig7|myria-fig8|myria-fig9] [more of 'orca reproduce']
# fsync and full_page_writes are off unless it is said, as in the paper.
set -euo pipefail
cd "$(dirname "$0")/.."
fsync=off
if [ "${1:-}" = --fsync ]; then
  fsync=${2:-}
  shift 2 || true
fi
case $fsync in
  on | off) ;;
  *) echo "build/mixed-real.sh: --fsync is '$fsync'; say on or off" >&2 && exit 2 ;;
esac
case ${1:-} in
  myria-*) figure=$1 && shift ;;
  *) figure=myria-fig7 ;;
esac
paths=$(mktemp)
trap 'rm -f "$paths"' EXIT
mvn -B -ntp -q -Dorca.fast -DskipTests -Dspotless.check.skip -pl mixed -am install
mvn -B -ntp -q -pl mixed dependency:build-classpath -Dmdep.outputFile="$paths" -DincludeScope=test
driver=$(tr : '\n' <"$paths" | grep '/postgresql-[0-9.]*\.jar$')
java -cp "mixed/target/test-classes:$(cat "$paths")" org.orcagrid.mixed.real.WithPostgres "$fsync" \
  ./orca reproduce "$figure" --real "$@" --driver "$driver" --postgres
