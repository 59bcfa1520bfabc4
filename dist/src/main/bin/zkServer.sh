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

# Operators' settings were written for stock's scripts, which bash runs; a minimal machine has none, and needs none.
if [ -z "${BASH_VERSION:-}" ] && command -v bash > /dev/null; then
  exec bash "$0" "$@"
fi

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
. "$home/lib/stock.sh"

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

# The process of a pid file, if it runs: the number is in the first line.
running() {
  [ -r "$1" ] && read -r pid rest < "$1" && [ -n "$pid" ] && kill -0 "$pid" 2> /dev/null && echo "$pid"
}

# A folder that is not there may be a disk that is not mounted; then stock is told to create none.
require_data() {
  [ -n "${ZOO_DATADIR_AUTOCREATE_DISABLE:-}" ] || return 0
  ORCA_JVM_FLAGS="$ORCA_JVM_FLAGS -Dzookeeper.datadir.autocreate=false"
  for key in dataDir dataLogDir; do
    folder=$(value $key)
    if [ -n "$folder" ] && ! [ -d "$folder/version-2" ]; then
      echo "Error: there is no $folder/version-2 ($key), and ZOO_DATADIR_AUTOCREATE_DISABLE is set; mount it." >&2
      return 1
    fi
  done
}

start() {
  printf 'Starting zookeeper ... '
  if already=$(running "$(pid_file)"); then
    echo "already running as process $already."
    return 1
  fi
  require_data || return 1
  if said=$("$orca" server start --timeout "${ORCA_START_SECONDS:-600}" "$file" 2>&1); then
    mkdir -p "$(dirname "$(pid_file)")" && running "$(value dataDir)/orca.pid" > "$(pid_file)" || {
      echo "FAILED TO WRITE PID"
      return 1
    }
    echo STARTED
    echo "$said" | sed -n '/^Warning: /p' >&2
  else
    echo FAILED TO START
    echo "$said" >&2
    return 1
  fi
}

# Ends a server that stock's scripts have started, of which orca knows nothing: the first stop after jars were replaced.
stop_stock() {
  pid=$(running "$(pid_file)") || return 1
  case $(tr '\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null) in
    *QuorumPeerMain* | *ZooKeeperServerMain*) ;;
    *) return 1 ;;
  esac
  kill -TERM "$pid"
  seconds=0
  while kill -0 "$pid" 2> /dev/null; do
    [ $seconds -lt 30 ] || return 1
    sleep 1
    seconds=$((seconds + 1))
  done
}

stop() {
  printf 'Stopping zookeeper ... '
  if ! said=$("$orca" server stop "$file" 2>&1); then
    echo FAILED
    echo "$said" >&2
    return 1
  fi
  case $said in
    "Not running"*)
      if stop_stock; then
        echo STOPPED
      elif left=$(running "$(pid_file)"); then
        echo FAILED
        echo "Error: $(pid_file) names process $left, which runs and is no server of this zoo.cfg; end it yourself, or remove the file." >&2
        return 1
      else
        echo "no zookeeper to stop ($said)"
      fi
      ;;
    *) echo STOPPED ;;
  esac
  rm -f "$(pid_file)"
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
  tls=false
  case $role in *TLS*) tls=true ;; esac
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
