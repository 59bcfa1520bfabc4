#!/usr/bin/env bash
# Makes the guest of the lab in the folder $1, if it is not there yet: Debian's own kernel, unpacked and
# not installed, and an initramfs of busybox and the few modules that it takes to reach the host's
# folders. All else the guest has is the host's /usr and /etc, read-only.
set -euo pipefail
lab=$1
kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
[ -n "$kernel" ] || { echo "lab: apt knows no linux-image-amd64; run apt-get update" >&2; exit 1; }
[ "$(cat "$lab/made" 2> /dev/null)" = "$kernel 1" ] && exit 0

mkdir -p "$lab/deb"
cd "$lab"
ls deb/"$kernel"_*.deb > /dev/null 2>&1 || (cd deb && apt-get download -qq "$kernel")
rm -rf kernel tree
dpkg -x deb/"$kernel"_*.deb kernel
version=$(ls kernel/lib/modules)
depmod -b "$lab/kernel" "$version"

mkdir -p tree/{bin,dev,proc,sys,modules,root}
cp "$(command -v busybox)" tree/bin/
# In the order in which they are loaded, each after what it needs.
for module in virtio_pci 9pnet_virtio 9p overlay; do
  modprobe -d "$lab/kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod //p'
done | awk '!seen[$1]++ { print $1 }' | while read -r file; do
  cp "$file" tree/modules/
  basename "$file" >> tree/modules/order
done
cat > tree/init << 'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
while read -r module; do insmod "/modules/$module"; done < /modules/order
over9p="trans=virtio,version=9p2000.L,msize=512000"
mount -t tmpfs root /root
cd /root
mkdir -p dev proc sys run tmp var root mnt/lower/usr mnt/lower/etc mnt/upper mnt/work lab
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$folder"; done
# Programs may want to write to these; what they write is in memory.
for folder in usr etc; do
  mkdir -p "$folder" "mnt/upper/$folder" "mnt/work/$folder"
  mount -t 9p -o "$over9p,ro,cache=loose" "$folder" "mnt/lower/$folder"
  mount -t overlay -o "lowerdir=mnt/lower/$folder,upperdir=mnt/upper/$folder,workdir=mnt/work/$folder" overlay "$folder"
done
mkdir -p usr/lib/modules
mount -t 9p -o "$over9p,ro,cache=loose" modules usr/lib/modules
mount -t 9p -o "$over9p,cache=none" lab lab
for folder in dev proc sys; do mount --move "/$folder" "$folder"; done
exec switch_root /root /bin/bash /lab/begin
INIT
chmod +x tree/init
(cd tree && find . | busybox cpio -o -H newc 2> /dev/null) | gzip -1 > initrd.gz
cp "kernel/boot/vmlinuz-$version" vmlinuz
rm -rf tree
echo "$kernel 1" > made
