#!/usr/bin/env bash
# First answer after 'orca server start' on an empty folder, and the memory of an idle server beside
# stock ZooKeeper: docs/benchmarks.md quotes its output. Rounds: the first argument, 5 if there is none.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5}
./orca help >/dev/null # builds if it must
class_path=$(ls cli/target/cli-*.jar | grep -v -e sources -e javadoc | head -n 1):$(cat cli/target/runtime-classpath.txt)
folder=$(mktemp -d)
server=
stop() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  ./orca server stop "$folder/zoo.cfg" >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT

port=$((30000 + RANDOM % 20000))
empty_folder() {
  port=$((port + 1))
  rm -rf "$folder"
  mkdir -p "$folder/data"
  printf 'tickTime=2000\ndataDir=%s/data\nclientPortAddress=127.0.0.1\nclientPort=%s\nadmin.enableServer=false\n4lw.commands.whitelist=*\n' \
    "$folder" "$port" >"$folder/zoo.cfg"
}
answers() {
  # ZooKeeper answers "imok" as soon as it listens; "srvr" shows that it serves.
  (exec 3<>"/dev/tcp/127.0.0.1/$port" && echo srvr >&3 && timeout 1 cat <&3) 2>/dev/null | grep -q '^Zxid'
}
await_answer() {
  began=$(date +%s%N)
  until answers; do
    if [ $((($(date +%s%N) - began) / 1000000)) -gt 30000 ]; then
      echo "No answer within 30 s: $1" >&2
      exit 1
    fi
  done
}
resident_kb() { awk '/^VmRSS/ {print $2}' "/proc/$1/status"; }
live_kb() { jcmd "$1" GC.class_histogram | awk '/^Total/ {print int($3 / 1024)}'; }

# The first is not counted: it reads the jars from the disk.
echo "| round | first answer after \`orca server start\` |"
echo "|---:|---:|"
for round in $(seq 0 "$rounds"); do
  empty_folder
  start=$(date +%s%N)
  ./orca server start "$folder/zoo.cfg" >/dev/null &
  starter=$!
  await_answer "orca server start"
  end=$(date +%s%N)
  wait "$starter"
  [ "$round" -eq 0 ] || echo "| $round | $(((end - start) / 1000000)) ms |"
  ./orca server stop "$folder/zoo.cfg" >/dev/null
done

echo
echo "| round | server | resident, 10 s after its first answer | live objects after a collection |"
echo "|---:|---|---:|---:|"
for round in $(seq 1 "$rounds"); do
  for name in orca stock; do
    empty_folder
    if [ "$name" = orca ]; then
      java -cp "$class_path" org.orcagrid.cli.Orca server run "$folder/zoo.cfg" >/dev/null 2>&1 &
    else
      # Stock ships a logback.xml of its own; ours has it log as much.
      java -Dlogback.configurationFile=org/orcagrid/cli/logback-server.xml -cp "$class_path" \
        org.apache.zookeeper.server.quorum.QuorumPeerMain "$folder/zoo.cfg" >/dev/null 2>&1 &
    fi
    server=$!
    await_answer "$name"
    sleep 10
    resident=$(resident_kb "$server")
    live=$(live_kb "$server")
    echo "| $round | $name | $((resident / 1024)) MB | $live KB |"
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
  done
done
