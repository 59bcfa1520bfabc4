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
# Measures mixed transactions on PostgreSQL beside plain JDBC: build/mixed-real.sh [--seconds N] [--rounds N] [--fsync]
set -euo pipefail
cd "$(dirname "$0")/.."
paths=$(mktemp)
trap 'rm -f "$paths"' EXIT
mvn -B -ntp -q -Dorca.fast -DskipTests -Dspotless.check.skip -pl mixed -am install
mvn -B -ntp -q -pl mixed dependency:build-classpath -Dmdep.outputFile="$paths" -DincludeScope=test
java -cp "mixed/target/test-classes:mixed/target/classes:$(cat "$paths")" org.orcagrid.mixed.real.RealBenchmark "$@"
