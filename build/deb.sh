#!/usr/bin/env bash
# Makes a Debian package of the tarball, dist/target/orca-grid_VERSION_all.deb. Wants the tarball (mvn -Pdist package) and dpkg-deb.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "deb: $*" >&2
  exit 1
}
command -v dpkg-deb > /dev/null || fail "dpkg-deb is missing (apt-get install dpkg)"
tarball=$(ls -t dist/target/orca-grid-*.tar.gz 2> /dev/null | head -n 1) || true
[ -n "$tarball" ] || fail "There is no tarball in dist/target; make it with 'mvn -Pdist -Dorca.fast -DskipTests package'."
name=$(basename "$tarball" .tar.gz)
# A snapshot comes before the release of the same number.
version=$(echo "${name#orca-grid-}" | sed 's/-SNAPSHOT$/~SNAPSHOT/')

work=$(mktemp -d "${TMPDIR:-/tmp}/orca-deb.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
home=$root/usr/share/orca-grid
mkdir -p "$home" "$root/etc" "$root/usr/bin" "$root/lib/systemd/system" "$root/usr/share/doc" "$root/DEBIAN"
tar --extract --file "$tarball" --directory "$home" --strip-components=1
mv "$home/conf" "$root/etc/orca"
ln -s ../../../etc/orca "$home/conf"
ln -s ../share/orca-grid/bin/orca "$root/usr/bin/orca"
mv "$home/docs" "$root/usr/share/doc/orca-grid"
{ cat "$home/NOTICE"; echo; cat "$home/LICENSE"; echo; cat "$home/licenses/README"; } > "$root/usr/share/doc/orca-grid/copyright"
sed -e '/^# One ORCA server\. Install:/,/^# The journal/{/^# The journal/!d}' -e 's,/opt/orca-grid/docs,/usr/share/doc/orca-grid,; s,/opt/orca-grid/bin/orca,/usr/bin/orca,' \
  "$home/share/systemd/orca-server.service" > "$root/lib/systemd/system/orca-server.service"
rm -r "$home/share/systemd"
(cd "$root" && find etc -type f | sed 's,^,/,' | sort) > "$root/DEBIAN/conffiles"
sed "s/@VERSION@/$version/; s/@SIZE@/$(du -sk "$root" | cut -f1)/" dist/src/main/deb/control > "$root/DEBIAN/control"
cp dist/src/main/deb/postinst dist/src/main/deb/prerm dist/src/main/deb/postrm "$root/DEBIAN/"
chmod -R u=rwX,go=rX "$root"
chmod 0755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm" "$root/DEBIAN/postrm"
SOURCE_DATE_EPOCH=$(stat -c %Y "$home/LICENSE") dpkg-deb --root-owner-group --build "$root" "dist/target/orca-grid_${version}_all.deb" > /dev/null
echo "deb: dist/target/orca-grid_${version}_all.deb, $(du -h "dist/target/orca-grid_${version}_all.deb" | cut -f1)"
