#!/usr/bin/env bash
# Boots the guest that guest.sh has made in the folder $1, runs the script $2 in it as root, prints what
# it prints, and exits with its status: 124 if it was not done after $LAB_SECONDS (180), 125 if the
# guest ended otherwise. The folders that follow are shown to it at the same paths, read-only.
set -uo pipefail
lab=$1
script=$2
shift 2
seconds=${LAB_SECONDS:-180}
# LAB_LINK=listen:SOCKET and LAB_LINK=connect:SOCKET make a network card eth0 each in two guests, with a wire between
# them; what a guest leaves in /lab/keep goes into the folder $LAB_KEEP.
# LAB_NVDIMM is the size of an NVDIMM, if there is to be one: it holds nothing when the guest begins.
# LAB_MACHINE is a folder with what outlives the guest, if anything is to: slow.disk (a disk that takes $LAB_WRITES
# requests a second), disk, nvdimm0 to 2, and a folder shared, which is /lab. When there is a file "cut" in that, the
# power of the guest is cut: it ends at once, whatever it was doing, and this exits with 0.
run=$(mktemp -d "${TMPDIR:-/tmp}/orca-lab.XXXXXX")
qemu=
# The guest is ours: it never outlives this script.
nvdimm=
trap '[ -z "$qemu" ] || kill -KILL "$qemu" 2> /dev/null; rm -rf "$run" "$nvdimm"' EXIT
if [ -n "${LAB_MACHINE:-}" ]; then ln -s "$LAB_MACHINE/shared" "$run/lab"; else mkdir "$run/lab"; fi
cp "$script" "$run/lab/script"

share() { # name, folder, read-only or not
  command+=(-fsdev "local,id=$1,path=$2,security_model=none,readonly=$3,multidevs=remap"
    -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
memory=${LAB_MEMORY:-1400M}
machine=q35
if [ -n "${LAB_NVDIMM:-}${LAB_MACHINE:-}" ]; then
  # The guest is told that its caches survive a loss of power with it.
  machine+=,nvdimm=on,nvdimm-persistence=cpu
  memory+=,slots=4,maxmem=16G
fi
if [ -n "${LAB_NVDIMM:-}" ]; then
  nvdimm=$(mktemp /dev/shm/orca-lab.XXXXXX)
fi
command=(qemu-system-x86_64 -machine "$machine" -accel tcg -cpu max -smp "${LAB_CPUS:-1}" -m "$memory"
  -display none -nodefaults -no-user-config -no-reboot -device virtio-rng-pci
  -kernel "$lab/vmlinuz" -initrd "$lab/initrd.gz" -serial "file:$run/console"
  -append "console=ttyS0 quiet panic=-1 net.ifnames=0 mitigations=off nokaslr")
share usr /usr on
share etc /etc on
share modules "$lab/kernel/lib/modules" on
share lab "$(realpath "$run/lab")" off
if [ -n "$nvdimm" ]; then
  command+=(-object "memory-backend-file,id=nvm,share=on,mem-path=$nvdimm,size=$LAB_NVDIMM"
    -device "nvdimm,id=nvdimm,memdev=nvm")
fi
if [ -n "${LAB_MACHINE:-}" ]; then
  for disk in slow.disk disk; do
    limit=
    [ $disk = disk ] || limit=,throttling.iops-write=${LAB_WRITES:-50}
    command+=(-drive "file=$LAB_MACHINE/$disk,format=raw,if=virtio$limit")
  done
  for number in 0 1 2; do
    file=$LAB_MACHINE/nvdimm$number
    command+=(-object "memory-backend-file,id=nvm$number,share=on,mem-path=$file,size=$(stat -c %s "$file")"
      -device "nvdimm,id=nvdimm$number,memdev=nvm$number")
  done
fi
case ${LAB_LINK:-} in
  '') ;;
  listen:*) command+=(-netdev "stream,id=wire,server=on,addr.type=unix,addr.path=${LAB_LINK#*:}"
    -device virtio-net-pci,netdev=wire,mac=52:54:00:4f:52:01) ;;
  connect:*)
    for _ in $(seq 100); do [ -S "${LAB_LINK#*:}" ] && break; sleep 0.1; done
    command+=(-netdev "stream,id=wire,server=off,addr.type=unix,addr.path=${LAB_LINK#*:}"
      -device virtio-net-pci,netdev=wire,mac=52:54:00:4f:52:02) ;;
esac
mounts=
number=0
for folder in "$@"; do
  folder=$(realpath "$folder")
  share "folder$number" "$folder" on
  mounts+="mkdir -p '$folder'; mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,ro,cache=loose folder$number '$folder'"$'\n'
  number=$((number + 1))
done
cat > "$run/lab/begin" << BEGIN
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=/tmp LANG=C.UTF-8
exec < /dev/null > /dev/console 2>&1
mkdir -p /dev/shm /var/tmp
mount -t tmpfs -o mode=1777 shm /dev/shm
mount -t tmpfs -o mode=1777 tmp /tmp
mount -t tmpfs run /run
ip link set lo up
$mounts
ulimit -l unlimited
cd /tmp
bash /lab/script > /lab/output 2>&1
echo \$? > /lab/status
sync
echo b > /proc/sysrq-trigger
sleep 60
BEGIN
: > "$run/lab/output"
nice -n 10 "${command[@]}" &
qemu=$!
tail -n +1 -f --pid=$qemu -s 0.5 "$run/lab/output" &
shown=$!
deadline=$((SECONDS + seconds))
while kill -0 "$qemu" 2> /dev/null && [ $SECONDS -lt $deadline ] && [ ! -e "$run/lab/cut" ]; do
  sleep 0.2
done
if [ -e "$run/lab/cut" ]; then
  kill -KILL "$qemu"
  wait "$qemu" 2> /dev/null
  qemu=
  wait "$shown" 2> /dev/null
  exit 0
fi
if kill -0 "$qemu" 2> /dev/null; then
  kill -KILL "$qemu"
  late=yes
fi
wait "$qemu" 2> /dev/null
qemu=
wait "$shown" 2> /dev/null
if [ -n "${LAB_KEEP:-}" ] && [ -d "$run/lab/keep" ]; then
  cp "$run/lab/keep/"* "$LAB_KEEP/"
fi
if [ -s "$run/lab/status" ]; then
  exit "$(cat "$run/lab/status")"
elif [ -n "${late:-}" ]; then
  echo "lab: not done after $seconds s" >&2
  exit 124
fi
echo "lab: the guest has ended before its script; the end of its console:" >&2
tail -n 20 "$run/console" >&2
exit 125
