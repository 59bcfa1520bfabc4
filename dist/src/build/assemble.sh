#!/usr/bin/env bash
# Makes dist/target/orca-grid-VERSION.tar.gz of what the modules before it have built: assemble.sh VERSION TIMESTAMP JAVA_HOME. Maven runs it
# (mvn -Pdist package). The same sources make the same bytes: names are sorted, times and owners fixed.
set -euo pipefail
export LC_ALL=C
version=$1
timestamp=$2
jar_tool=$3/bin/jar
dist=$(cd "$(dirname "$0")/../.." && pwd)
top=$(dirname "$dist")
name=orca-grid-$version
target=$dist/target
root=$target/$name

fail() {
  echo "dist: $*" >&2
  exit 1
}

rm -rf "$root"
mkdir -p "$root"/{bin,conf,docs,licenses,share/systemd,share/image} "$root"/lib/{ext,client,optional,bench}

# Takes a module's class path into a folder of lib/, less what the rooms before it have already.
declare -A placed
place() {
  local folder=$1 module=$2 entry file
  local class_path=$top/$module/target/runtime-classpath.txt
  [ -f "$class_path" ] || fail "There is no $class_path; build all with 'mvn -Pdist package'."
  local own
  own=$(ls "$top/$module/target/$module-$version.jar") || fail "There is no jar of $module."
  tr ':' '\n' < "$class_path" | sort > "$target/class-path"
  while read -r entry; do
    file=$(basename "$entry")
    case $file in
      # Natives of systems that no launcher here runs on.
      *-osx-*.jar | *-windows-*.jar) continue ;;
    esac
    [ -z "${placed[$file]:-}" ] || continue
    [ -f "$entry" ] || fail "$entry of $module's class path is no jar; build all with 'mvn -Pdist package'."
    placed[$file]=$folder
    cp "$entry" "$root/$folder/$file"
  done < <(echo "$own"; cat "$target/class-path")
  rm "$target/class-path"
}
place lib cli
place lib/client jcache
place lib/optional medium-chronicle
place lib/optional medium-llpl
place lib/optional geo-ratis
place lib/bench bench

# The server's class path has the server, and the client that its shell uses; nothing else.
for unwanted in core- HdrHistogram simulator- examples- bench- chronicle- jcache-; do
  ! ls "$root/lib/$unwanted"*.jar > /dev/null 2>&1 || fail "$unwanted*.jar is on the server's class path."
done
# One artifact in two versions would be two halves of a library.
twice=$(printf '%s\n' "${!placed[@]}" | sed -E 's/-[0-9][^-]*(-SNAPSHOT|\.Final|-release|ea[0-9]+)?(-.*)?\.jar$/\2/' | sort | uniq -d)
[ -z "$twice" ] || fail "In two versions: $twice"

cp "$dist"/src/main/bin/* "$root/bin/"
cp "$dist"/src/main/lib/*.sh "$root/lib/"
cp "$dist"/src/main/conf/* "$root/conf/"
cp "$top/cli/src/main/resources/org/orcagrid/cli/logback-file.xml" "$root/conf/logback.xml"
cp "$top/medium-chronicle/src/main/resources/org/orcagrid/medium/chronicle/jvm.flags" "$root/lib/optional/jvm.flags"
cp "$dist/src/main/systemd/"* "$root/share/systemd/"
cp "$dist/src/main/image/"* "$root/share/image/"
cp "$top/LICENSE" "$top/NOTICE" "$top/CHANGELOG.md" "$root/"
cp "$dist/src/main/README.md" "$root/README.md"
cp -r "$top"/docs/*.md "$top/docs/protocols" "$top/docs/pictures" "$root/docs/"
cat > "$root/lib/ext/README" <<'TEXT'
Jars in this folder are on the class path of servers, behind our own: those of a metrics provider, for example.
TEXT

# Every jar's licence, from the jar itself or by name.
cp "$top/LICENSE" "$root/licenses/Apache-2.0.txt"
cp "$dist"/src/main/licenses/*.txt "$root/licenses/"
rm "$root/licenses/index.txt"
{
  echo "The licences of the jars in lib/. Those of Orca Grid itself are under ../LICENSE."
  echo
} > "$root/licenses/README"
printf '%s\n' "${!placed[@]}" | sort | while read -r file; do
  artifact=$(echo "$file" | sed -E 's/-[0-9].*$//')
  case $file in *-"$version".jar) continue ;; esac
  inside=$("$jar_tool" tf "$root/${placed[$file]}/$file" | grep -iE '(^|/)(license|licence|notice|bigint-license|fastdoubleparser-(license|notice))[^/]*$' | grep -vE '\.class$' || true)
  named=$(awk -v artifact="$artifact" '$1 == artifact { print $2 }' "$dist/src/main/licenses/index.txt")
  if [ -n "$inside" ]; then
    mkdir -p "$root/licenses/$artifact"
    # shellcheck disable=SC2086
    (cd "$root/licenses/$artifact" && "$jar_tool" xf "$root/${placed[$file]}/$file" $inside)
    echo "$file: $artifact/" >> "$root/licenses/README"
  elif [ -n "$named" ]; then
    echo "$file: $named" >> "$root/licenses/README"
  else
    fail "$file has no licence inside; name one for $artifact in dist/src/main/licenses/index.txt."
  fi
done

# Nothing of the machine that built it.
! grep -rIl --exclude-dir=docs -F -e "$top" "$root" || fail "A path of this machine is in the files above."

# Readable by everybody, whoever unpacks it and whatever the umask was here.
tar --create --sort=name --mtime="$timestamp" --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' --format=gnu \
  --directory="$target" "$name" | gzip -n -9 > "$target/$name.tar.gz"
(cd "$target" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "dist: $target/$name.tar.gz, $(du -h "$target/$name.tar.gz" | cut -f1), server $(cat "$root"/lib/*.jar | wc -c | awk '{printf "%.1f MB", $1 / 1e6}')"
