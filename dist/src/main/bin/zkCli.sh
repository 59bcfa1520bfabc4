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
# ZooKeeper's shell with the arguments and variables of its own zkCli.sh: CLIENT_JVMFLAGS, JVMFLAGS.
set -eu

# As in zkServer.sh.
if [ -z "${BASH_VERSION:-}" ] && command -v bash > /dev/null; then
  exec bash "$0" "$@"
fi

script=$0
while [ -L "$script" ]; do
  link=$(readlink "$script")
  case $link in
    /*) script=$link ;;
    *) script=$(dirname "$script")/$link ;;
  esac
done
home=$(cd "$(dirname "$script")/.." && pwd -P)
. "$home/lib/stock.sh"
ORCA_JVM_FLAGS="${CLIENT_JVMFLAGS:-} ${JVMFLAGS:-}"
export ORCA_JVM_FLAGS
exec "$home/bin/orca" cli "$@"
