#!/usr/bin/env bash
# Builds the module of soft-iWARP for the guest in the folder $1, if it is not there yet: Debian's kernel has the
# source and not the module. Headers and source are of the version that the guest's kernel has.
set -euo pipefail
lab=$1
version=$(ls "$lab/kernel/lib/modules")
module=$lab/kernel/lib/modules/$version/updates/siw.ko
[ -r "$module" ] && exit 0
for program in gcc-12 make xz; do
  command -v "$program" > /dev/null || { echo "lab: $program is missing (apt-get install gcc-12 make xz-utils)" >&2; exit 1; }
done
of=$(dpkg-deb -f "$lab"/deb/linux-image-"$version"_*.deb Version)
series=${version%%-*}
series=${series%.*}
work=$lab/soft-iwarp
rm -rf "$work"
mkdir -p "$work"
cd "$work"
trap 'rm -rf "$work"' EXIT
apt-get download -qq "linux-headers-$version=$of" "linux-headers-${version%-*}-common=$of" "linux-kbuild-$series=$of" \
  "linux-source-$series=$of"
for package in linux-headers-* linux-kbuild-*; do dpkg -x "$package" tree; done
dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" |
  tar -xJ --strip-components=1 --wildcards '*/drivers/infiniband/sw/siw/*'
headers=$work/tree/usr/src/linux-headers-$version
# It names where it would be installed.
sed -i "s#/usr/src/#$work/tree/usr/src/#" "$headers/Makefile"
make -s -C "$headers" M="$work/drivers/infiniband/sw/siw" CONFIG_RDMA_SIW=m modules > make.log 2>&1 ||
  { cat make.log >&2; exit 1; }
mkdir -p "$(dirname "$module")"
strip --strip-debug -o "$module.new" drivers/infiniband/sw/siw/siw.ko
mv "$module.new" "$module"
depmod -b "$lab/kernel" "$version"
