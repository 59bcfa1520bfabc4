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
# Starts and stops a server with the arguments of ZooKeeper's own zkServer.sh, so that scripts of operators go on.
# What it reads from the environment is stock's too: ZOOCFGDIR, ZOOCFG, ZOOPIDFILE, SERVER_JVMFLAGS, JVMFLAGS and
# ZK_SERVER_HEAP (megabytes, 1000 if it is not set).
set -u

usage() {
  echo "Usage: $0 [--config <conf-dir>] {start|start-foreground|stop|version|restart|status|print-cmd} [zoo.cfg]" >&2
  exit 1
}

script=$0
while [ -L "$script" ]; do
  link=$(readlink "$script")
  case $link in
    /*) script=$link ;;
    *) script=$(dirname "$script")/$link ;;
  esac
done
home=$(cd "$(dirname "$script")/.." && pwd -P)
orca=$home/bin/orca

conf=${ZOOCFGDIR:-$home/conf}
if [ "${1:-}" = --config ]; then
  [ $# -ge 2 ] || usage
  conf=$2
  shift 2
fi
[ -d "$conf" ] || {
  echo "Error: $conf is not a folder; give the one with zoo.cfg to --config or ZOOCFGDIR." >&2
  exit 1
}
# As stock does: an operator's own settings of the environment.
if [ -f "$conf/zookeeper-env.sh" ]; then . "$conf/zookeeper-env.sh"; fi
if [ -f "$conf/java.env" ]; then . "$conf/java.env"; fi

action=${1:-}
file=${2:-${ZOOCFG:-zoo.cfg}}
case $file in
  */*) ;;
  *) [ -f "$conf/$file" ] && file=$conf/$file ;;
esac

# Stock's memory, and what scripts give the JVM by stock's names.
ORCA_JVM_FLAGS="-Xmx${ZK_SERVER_HEAP:-1000}m ${SERVER_JVMFLAGS:-} ${JVMFLAGS:-} ${ORCA_JVM_FLAGS:-}"
export ORCA_JVM_FLAGS

value() {
  sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" "$file" | sed 's/[[:space:]]*$//' | tail -n 1
}

# Scripts watch the process by stock's pid file.
pid_file() {
  if [ -n "${ZOOPIDFILE:-}" ]; then
    echo "$ZOOPIDFILE"
  else
    echo "$(value dataDir)/zookeeper_server.pid"
  fi
}

start() {
  printf 'Starting zookeeper ... '
  if said=$("$orca" server start "$file" 2>&1); then
    # Ours has the time of the start behind the number.
    read -r pid rest < "$(value dataDir)/orca.pid"
    echo "$pid" > "$(pid_file)"
    echo STARTED
  else
    echo FAILED TO START
    echo "$said" >&2
    return 1
  fi
}

stop() {
  printf 'Stopping zookeeper ... '
  if said=$("$orca" server stop "$file" 2>&1); then
    case $said in
      "Not running"*) echo "no zookeeper to stop ($said)" ;;
      *) echo STOPPED ;;
    esac
    rm -f "$(pid_file)"
  else
    echo FAILED
    echo "$said" >&2
    return 1
  fi
}

status() {
  said=$("$orca" server status "$file" 2>&1)
  code=$?
  role=$(echo "$said" | sed -n 's/^role: //p')
  address=$(echo "$said" | sed -n 's/^clients: //p')
  if [ $code -ne 0 ]; then
    echo "Error contacting service. It is probably not running."
    echo "$said" >&2
    return 1
  fi
  tls=$([ -n "$(value clientPort)" ] && echo false || echo true)
  echo "Client port found: ${address##*:}. Client address: ${address%:*}. Client SSL: $tls."
  echo "Mode: $role"
}

[ "$action" != version ] || exec "$orca" --version
case $action in
  start | start-foreground | stop | restart | status | print-cmd)
    echo "Using config: $file" >&2
    [ -r "$file" ] || {
      echo "Error: there is no $file that can be read; make one as conf/zoo.cfg shows." >&2
      exit 1
    }
    ;;
esac
case $action in
  start) start ;;
  start-foreground) exec "$orca" server run "$file" ;;
  stop) stop ;;
  restart) stop && start ;;
  status) status ;;
  print-cmd) ORCA_PRINT_COMMAND=true exec "$orca" server run "$file" ;;
  *) usage ;;
esac
