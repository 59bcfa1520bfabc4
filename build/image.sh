#!/usr/bin/env bash
# Makes an OCI image of the server without Docker, in dist/target/orca-grid-VERSION-oci.tar: the content of
# dist/src/main/image/Dockerfile on a minimal Debian root. Wants the tarball (mvn -Pdist package), root, mmdebstrap and umoci.
#   skopeo copy oci-archive:orca-grid-VERSION-oci.tar docker-daemon:orca-grid:latest     # or podman load
set -euo pipefail
cd "$(dirname "$0")/.."
. build/root/minimal-root.sh

fail() {
  echo "image: $*" >&2
  exit 1
}
can_make_root || fail "$missing"
command -v umoci > /dev/null || fail "umoci is missing (apt-get install umoci)"
tarball=$(ls -t dist/target/orca-grid-*.tar.gz 2> /dev/null | head -n 1) || true
[ -n "$tarball" ] || fail "There is no tarball in dist/target; make it with 'mvn -Pdist -Dorca.fast -DskipTests package'."
name=$(basename "$tarball" .tar.gz)
version=${name#orca-grid-}

work=$(mktemp -d "${TMPDIR:-/tmp}/orca-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
tar --extract --file "$tarball" --directory "$work"
minimal_root "$work/root"

# As the Dockerfile's second stage says.
install=$work/root/opt/orca-grid
mkdir -p "$install/lib/ext" "$work/root/conf" "$work/root/data"
sh "$work/$name/share/image/jlink.sh" "$(java_home_here)" "$install/runtime"
cp -r "$work/$name/bin" "$work/$name/licenses" "$work/$name/LICENSE" "$work/$name/NOTICE" "$install/"
cp "$work/$name"/lib/*.jar "$work/$name"/lib/*.sh "$install/lib/"
cp "$work/$name/share/image/zoo.cfg" "$work/root/conf/"
chown -R 0:0 "$work/root"
chmod -R u=rwX,go=rX "$install" "$work/root/conf"
chmod 1777 "$work/root/tmp"
chown 10001:10001 "$work/root/data"

layout=$work/layout
umoci init --layout "$layout"
umoci new --image "$layout:$version"
umoci unpack --image "$layout:$version" "$work/bundle" > /dev/null
cp -a "$work/root/." "$work/bundle/rootfs/"
umoci repack --image "$layout:$version" "$work/bundle" > /dev/null
umoci config --image "$layout:$version" \
  --config.user 10001:10001 --config.workingdir /data --config.volume /data --config.stopsignal SIGTERM \
  --config.exposedports 2181/tcp --config.exposedports 2888/tcp --config.exposedports 3888/tcp \
  --config.env PATH=/opt/orca-grid/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  --config.entrypoint orca --config.cmd server --config.cmd run --config.cmd /conf/zoo.cfg
umoci gc --layout "$layout" > /dev/null
tar --create --sort=name --owner=0 --group=0 --numeric-owner --directory "$layout" --file "$PWD/dist/target/$name-oci.tar" .
echo "image: dist/target/$name-oci.tar, $(du -h "dist/target/$name-oci.tar" | cut -f1), of which Java $(du -sh "$install/runtime" | cut -f1) unpacked"
