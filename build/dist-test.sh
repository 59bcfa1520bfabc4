#!/usr/bin/env bash
# Tries what users install, in a minimal Debian root without Maven and without a network: the tarball of dist/target with only a JDK (three
# servers, zkServer.sh, a grid, a Java program, by a user who cannot write the installation), and the image of build/image.sh (user, entry
# point, read-only root, health check, SIGTERM). Makes both first if they are older than the build. docs/testing.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. build/root/minimal-root.sh

fail() {
  echo "dist-test: $*" >&2
  exit 1
}
if ! can_make_root; then
  echo "dist-test: skipped: $missing"
  exit 0
fi

mvn -q -B -ntp ${DIST_MAVEN:-} -Pdist -Dorca.fast -DskipTests -Dspotless.check.skip package
tarball=$(ls -t dist/target/orca-grid-*.tar.gz | head -n 1)
name=$(basename "$tarball" .tar.gz)

work=$(mktemp -d "${TMPDIR:-/tmp}/orca-dist.XXXXXX")
# What runs in the background: unshare, and with it all that is in its namespaces.
enter=
end() {
  [ -z "$enter" ] || kill -KILL "$enter" 2> /dev/null || true
  rm -rf "$work"
}
trap end EXIT

# --- the tarball -----------------------------------------------------------------------------------
root=$work/root
minimal_root "$root"
mkdir -p "$root/usr/lib/jvm/jdk" "$root/home/op" "$root/opt"
# Debian's JDK has links into /etc; they become files here.
tar --create --dereference --ignore-failed-read --warning=no-failed-read --exclude ./docs --exclude ./jmods --exclude ./man --exclude ./legal --exclude ./lib/src.zip \
  --directory "$(java_home_here)" . 2> /dev/null | tar --extract --directory "$root/usr/lib/jvm/jdk"
ln -s /usr/lib/jvm/jdk/bin/java "$root/usr/bin/java"
tar --extract --file "$tarball" --directory "$root/opt"
# Stock's provider of metrics, as an operator adds it.
copy=org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy
for artifact in org.apache.zookeeper:zookeeper-prometheus-metrics:3.9.4 io.prometheus:simpleclient:0.9.0 io.prometheus:simpleclient_common:0.9.0 \
  io.prometheus:simpleclient_hotspot:0.9.0 io.prometheus:simpleclient_servlet:0.9.0; do
  mvn -q -B -N ${DIST_MAVEN:-} "$copy" -Dartifact="$artifact" -DoutputDirectory="$root/opt/$name/lib/ext"
done
cp build/root/trial.sh "$root/"
chown -R 12345:12345 "$root/home/op"
echo "dist-test: a root of $(du -sh --exclude=jdk "$root" | cut -f1), with $(ls "$root/usr/lib/jvm") and no Maven, no network"

# enter ROOT UID COMMAND…: in namespaces of its own, the root read-only but for what is bound into it.
enter() {
  local into=$1 user=$2
  shift 2
  unshare --mount --pid --net --uts --ipc --fork --kill-child bash -c '
    set -e
    root=$1 user=$2 writable=$3
    shift 3
    ip link set lo up
    hostname minimal
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount --bind "$root/$writable" "$root/$writable"
    if [ "$writable" = home/op ]; then mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"; fi
    mount -o remount,bind,ro "$root"
    exec chroot --userspec="$user:$user" "$root" /usr/bin/env -i "PATH=/opt/orca-grid/bin:/usr/bin:/bin" HOME="/$writable" LANG=C.UTF-8 "$@"' \
    enter "$into" "$user" "${WRITABLE:-home/op}" "$@"
}
began=$SECONDS
enter "$root" 12345 /bin/sh /trial.sh "/opt/$name"
echo "dist-test: the tarball works with a JDK alone, $((SECONDS - began)) s"
rm -rf "$root"

# --- the image -------------------------------------------------------------------------------------
if ! command -v umoci > /dev/null; then
  echo "dist-test: the image is skipped: umoci is missing (apt-get install umoci)"
  exit 0
fi
build/image.sh
mkdir "$work/layout"
tar --extract --file "dist/target/$name-oci.tar" --directory "$work/layout"
umoci unpack --image "$work/layout:${name#orca-grid-}" "$work/bundle" > /dev/null
config=$work/bundle/config.json
image=$work/bundle/rootfs

# The image's own words: who runs what.
json() {
  "$(java_home_here)/bin/java" build/root/Json.java "$config" "$1"
}
user=$(json uid)
entry=$(json args)
[ "$user" = 10001 ] || fail "the image runs as user $user, not as 10001"
[ "$entry" = "orca server run /conf/zoo.cfg" ] || fail "the image runs '$entry'"
[ ! -e "$image/opt/orca-grid/lib/bench" ] || fail "the image carries the harness"

# shellcheck disable=SC2086  # words
WRITABLE=data enter "$image" "$user" $entry > "$work/image.log" 2>&1 &
enter=$!
inside=
# The process inside, as this side sees it: the child of unshare.
await() {
  local end=$((SECONDS + 60))
  until "$@"; do
    kill -0 $enter 2> /dev/null || { cat "$work/image.log"; fail "the container has ended"; }
    [ $SECONDS -lt $end ] || { cat "$work/image.log" "$work/status"; fail "not within 60 s: $*"; }
    read -r -t 0.2 < "$work/never" || true
  done
}
mkfifo "$work/never"
exec 9<> "$work/never"
find_java() {
  local unshare
  unshare=$(cat "/proc/$enter/task/$enter/children")
  inside=$(for pid in $enter $unshare; do cat "/proc/$pid/task/$pid/children" 2> /dev/null; done | tr ' ' '\n' | while read -r pid; do
    [ -z "$pid" ] || [ "$(cat "/proc/$pid/comm" 2> /dev/null)" != java ] || echo "$pid"
  done | head -n 1)
  [ -n "$inside" ]
}
await find_java
within() {
  nsenter --target "$inside" --mount --pid --net --root --setuid "$user" --setgid "$user" \
    /usr/bin/env -i PATH=/opt/orca-grid/bin:/usr/bin:/bin /bin/sh -c 'cd /data && exec "$@"' within "$@"
}
healthy() { within orca server status /conf/zoo.cfg > "$work/status" 2>&1; }
await healthy
cat "$work/status"
[ "$(awk '/^Uid:/ {print $2}' "/proc/$inside/status")" = "$user" ] || fail "the server does not run as $user"
! within /bin/sh -c 'echo x > /opt/orca-grid/x' 2> /dev/null || fail "the root can be written"
began=$SECONDS
kill -TERM "$inside"
status=0
wait $enter || status=$?
enter=
[ $status = 0 ] || { cat "$work/image.log"; fail "SIGTERM ended the server with status $status"; }
[ $((SECONDS - began)) -le 6 ] || fail "the server took $((SECONDS - began)) s to end"
echo "dist-test: the image runs as $user on a read-only root, is healthy, and ends on SIGTERM with status 0"
