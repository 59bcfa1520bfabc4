#!/usr/bin/env bash
# RDMA without its hardware: boots a guest with soft-RoCE in it and runs the tests that need a device
# there, with the classes of this tree. docs/rdma.md.
#
#   build/lab.sh [short]   the conformance suite of the transports and the native library's own tests
#   build/lab.sh long      the same with more packets and with datagrams of 4096 bytes as well, over a wire
#                          that loses one in fifty, and over one that is cut
#   build/lab.sh asan      the tests of short with the native library built with AddressSanitizer
#   build/lab.sh grid      processes of the grid over RDMA: Kite's benchmark, an ensemble that hosts a grid, kill -9;
#                          maps of all models; and the transport beside perftest
#   build/lab.sh pair      a grid on two guests: a million operations over a wire that loses 1% and is cut twice
#   build/lab.sh models    maps of all models on two guests, over a wire that delays packets and loses 1%, and a kill -9
#   build/lab.sh dax       media in persistent memory, and maps on them, on an NVDIMM with a DAX file system; then zones
#                          on it as a device, which nodes write into over RDMA
#   build/lab.sh iwarp     the transport and maps of all models on soft-iWARP, which has reliable connections and no
#                          datagrams; its kernel module is built from Debian's source the first time
#   build/lab.sh power     maps of three processes with zones in persistent memory and logs on a slow disk, whose machine
#                          loses its power twice, and who are killed with -9 between
#   build/lab.sh run FILE  any script, as root in the guest; \$CLASS_PATH is set
#
# LAB is the folder that the guest is made in, once (~/.cache/orca-lab); LAB_SECONDS how long a run may take; LAB_JAVA
# another java of the host's /usr for the tests; LAB_ROUNDS how often each model is looked at (60);
# LAB_LIVES how often the machine of power is started (3).
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-short}
[ "$mode" != short ] || export LAB_SECONDS=${LAB_SECONDS:-300}
[ "$mode" != asan ] || export LAB_SECONDS=${LAB_SECONDS:-1800}
[ "$mode" != long ] || export LAB_SECONDS=${LAB_SECONDS:-900}
[ "$mode" != pair ] || export LAB_SECONDS=${LAB_SECONDS:-3000}
[ "$mode" != iwarp ] || export LAB_SECONDS=${LAB_SECONDS:-900}
[ "$mode" != power ] || export LAB_SECONDS=${LAB_SECONDS:-600} LAB_CPUS=${LAB_CPUS:-2} LAB_MEMORY=${LAB_MEMORY:-3G}
[ "$mode" != models ] || export LAB_SECONDS=${LAB_SECONDS:-1200}
[ "$mode" != dax ] || export LAB_SECONDS=${LAB_SECONDS:-600}
[ "$mode" != grid ] || export LAB_SECONDS=${LAB_SECONDS:-1800} LAB_CPUS=${LAB_CPUS:-2} LAB_MEMORY=${LAB_MEMORY:-4G}
lab=${LAB:-${XDG_CACHE_HOME:-$HOME/.cache}/orca-lab/guest}
here=$PWD

skip() {
  echo "lab: skipped: $1"
  exit 0
}
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || skip "it boots a kernel for Linux on x86_64"
for program in qemu-system-x86_64 busybox apt-cache depmod; do
  command -v "$program" > /dev/null || PATH=$PATH:/sbin:/usr/sbin command -v "$program" > /dev/null ||
    skip "$program is missing (apt-get install qemu-system-x86 busybox-static kmod)"
done
command -v rdma > /dev/null || PATH=$PATH:/sbin:/usr/sbin command -v rdma > /dev/null ||
  skip "rdma is missing (apt-get install iproute2 rdma-core ibverbs-providers)"
PATH=$PATH:/sbin:/usr/sbin

module=$here/transport-rdma
# Compiles a module and what it needs; its tests' class path is in target/lab-classpath.txt then.
compile() {
  nice -n 10 mvn -q -B ${LAB_MAVEN:-} test-compile -pl "$1" -am \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
    -Dmdep.includeScope=test -Dmdep.outputFile=target/lab-classpath.txt
}
compile transport-rdma
[ -d "$module/target/classes/native" ] || skip "the native library was not built: see what the build says"
console=org.junit.platform:junit-platform-console-standalone:1.13.4
nice -n 10 mvn -q -B ${LAB_MAVEN:-} org.apache.maven.plugins:maven-dependency-plugin:copy \
  -Dartifact=$console -DoutputDirectory="$module/target/lab" -pl transport-rdma
class_path=$module/target/test-classes:$module/target/classes:$(cat "$module/target/lab-classpath.txt")
if [ "$mode" = asan ]; then
  [ -e "$(gcc -print-file-name=libasan.so)" ] || skip "libasan.so is missing (apt-get install gcc)"
  java_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
  CFLAGS_EXTRA=-fsanitize=address "$module/src/main/native/build.sh" "$module/target/lab/asan" "$java_home"
  class_path=$module/target/lab/asan:$class_path
fi
if [ "$mode" = dax ] || [ "$mode" = power ]; then
  for program in ndctl mkfs.ext4; do
    command -v "$program" > /dev/null || skip "$program is missing (apt-get install ndctl e2fsprogs)"
  done
fi
if [ "$mode" = dax ]; then
  export LAB_NVDIMM=2G
  compile medium-llpl
  media_class_path=$here/medium-llpl/target/test-classes:$here/medium-llpl/target/classes:$(cat medium-llpl/target/lab-classpath.txt)
fi
[ "$mode" != pair ] || command -v nft > /dev/null || skip "nft is missing (apt-get install nftables)"
case $mode in
  grid | pair | models | iwarp | power) with_grid=yes ;;
  *) with_grid= ;;
esac
if [ -n "$with_grid" ]; then
  ./orca --version
  compile it-tests
  grid_class_path=$here/it-tests/target/test-classes:$(cat it-tests/target/lab-classpath.txt)
fi
build/lab/guest.sh "$lab" || skip "the guest cannot be made: see what apt says"
if [ "$mode" = iwarp ]; then
  build/lab/soft-iwarp.sh "$lab" || skip "the module of soft-iWARP cannot be built: see above"
fi

repository=$(cd && cd .m2/repository && pwd)
# The script of a guest: what all have, and what is given.
script() {
  echo "CLASS_PATH='$class_path'"
  echo "MEDIA_CLASS_PATH='${media_class_path:-}'"
  echo "GRID_CLASS_PATH='${grid_class_path:-}' ORCA='$here/orca'"
  echo "CONSOLE='$module/target/lab/junit-platform-console-standalone-1.13.4.jar'"
  echo "JAVA='${LAB_JAVA:-java} -Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED'"
  echo "tests() { \$JAVA -Dorca.lab.address=10.9.0.1 \"\$@\" -jar \$CONSOLE execute -cp \$CLASS_PATH --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests \$EXCLUDED -p org.orcagrid.transport.rdma; }"
  echo "EXCLUDED='$([ "$mode" != short ] && [ "$mode" != asan ] || echo --exclude-tag=long)'"
  echo ". $here/build/lab/soft-roce.sh"
  cat
}
run=$module/target/lab
case $mode in
  short) echo tests ;;
  asan | long | grid | dax | iwarp) cat "build/lab/$mode.sh" ;;
  pair | power | models) ;;
  run) cat "$2" ;;
  *) echo "lab: no such mode: $mode" >&2; exit 2 ;;
esac | script > "$run/script"
if [ "$mode" = power ]; then
  # The persistent memory is in the host's, which outlives the guest.
  export LAB_MACHINE=$(mktemp -d /dev/shm/orca-lab.XXXXXX)
  trap 'rm -rf "$LAB_MACHINE"' EXIT
  mkdir "$LAB_MACHINE/shared"
  truncate -s 512M "$LAB_MACHINE/slow.disk" "$LAB_MACHINE/disk"
  truncate -s 32M "$LAB_MACHINE/nvdimm0" "$LAB_MACHINE/nvdimm1" "$LAB_MACHINE/nvdimm2"
  lives=${LAB_LIVES:-3}
  for life in $(seq "$lives"); do
    { echo "LIFE=$life LAST=$([ "$life" != "$lives" ] && echo false || echo true)"; cat build/lab/power.sh; } | script > "$run/script"
    build/lab/boot.sh "$lab" "$run/script" "$here" "$repository"
    [ "$life" = "$lives" ] || [ -e "$LAB_MACHINE/shared/cut" ] || { echo "lab: life $life has ended without a cut" >&2; exit 1; }
    rm -f "$LAB_MACHINE/shared/cut"
    [ "$life" = "$lives" ] || echo "== the power is cut"
  done
  exit 0
fi
case $mode in
  pair | models) ;;
  *) exec build/lab/boot.sh "$lab" "$run/script" "$here" "$repository" ;;
esac

# Two guests with a wire between them; what both have seen of a pair is judged here.
rm -rf "${run:?}/$mode"
mkdir -p "$run/$mode"
export LAB_KEEP=$run/$mode
wire=$run/$mode/wire
settings="OPERATIONS=${LAB_OPERATIONS:-1000000} ROUNDS=${LAB_ROUNDS:-60}"
for number in 1 2; do
  { echo "NUMBER=$number $settings"; cat "build/lab/$mode.sh"; } | script > "$run/script$number"
done
LAB_LINK=listen:$wire build/lab/boot.sh "$lab" "$run/script1" "$here" "$repository" > "$run/$mode/log1" 2>&1 &
first=$!
status=0
LAB_LINK=connect:$wire build/lab/boot.sh "$lab" "$run/script2" "$here" "$repository" || status=$?
wait "$first" || status=$?
cat "$run/$mode/log1"
[ $status = 0 ] || exit $status
[ "$mode" = pair ] || exit 0
exec java -cp "$grid_class_path" org.orcagrid.grid.HistoryJudge "$run/pair/history-1" "$run/pair/history-2"
