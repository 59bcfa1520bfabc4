#!/usr/bin/env bash
# How often the servers of an idle ensemble with default times suspect each other while the machine is too busy for them:
# busy.sh [SECONDS] [LOAD], 600 s and 20 processes that only compute if they are not given.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
load=${2:-20}
folder=$(mktemp -d)
busy=()
stop() {
  for pid in "${busy[@]}"; do kill "$pid" 2>/dev/null || true; done
  ./orca ensemble stop --dir="$folder" >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT

./orca ensemble start --dir="$folder" 3
for _ in $(seq "$load"); do
  (while :; do :; done) &
  busy+=($!)
done
# What the start has logged, and who settles down as the load begins, is not counted.
sleep 5
declare -A before
for log in "$folder"/*/data/orca.log; do before[$log]=$(wc -l <"$log"); done
sleep "$seconds"

# count TEXT: lines with it since then, in the logs of all servers.
count() {
  for log in "$folder"/*/data/orca.log; do tail -n +"$((${before[$log]} + 1))" "$log"; done | grep -c "$1" || true
}
echo "In $seconds s beside $load busy processes on $(nproc) processors (load average $(cut -d' ' -f1 /proc/loadavg)):"
echo "| elections begun by a server | members marked out | members removed |"
echo "|---:|---:|---:|"
echo "| $(count ' - LOOKING$') | $(count 'is to leave the active set') | $(count 'is out of the active set') |"
