#!/bin/sh
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
# What zkServer.sh and zkCli.sh share; sourced by both, with `home` set. Finds the folder of settings and reads the operator's
# zookeeper-env.sh and java.env in it, as stock's zkEnv.sh does: unset variables are empty there, and what they set is exported.

conf=${ZOOCFGDIR:-$home/conf}
if [ "${1:-}" = --config ]; then
  [ $# -ge 2 ] || {
    echo "Error: --config wants a folder with zoo.cfg." >&2
    exit 1
  }
  conf=$2
  shift 2
fi
[ -d "$conf" ] || {
  echo "Error: $conf is not a folder; give the one with zoo.cfg to --config or ZOOCFGDIR." >&2
  exit 1
}
for settings in zookeeper-env.sh java.env; do
  if [ -f "$conf/$settings" ]; then
    set +u
    set -a
    . "$conf/$settings"
    set +a
    set -u
  fi
done
