#!/usr/bin/env bash
# The README's test command as on a machine that has a JDK and Maven and nothing else: docs/testing.md.
#
#   build/bare.sh [ARGUMENT...]    mvn -B verify ARGUMENT..., as in: build/bare.sh -pl transport-rdma -am
#
# Root hides compilers, QEMU, browsers, Python, PMDK, verbs and more behind empty files, in a mount namespace that
# only this command sees and that ends with it. Who may not do that hides what tests look for with -Dorca.bare=true.
set -euo pipefail
cd "$(dirname "$0")/.."

# Patterns of programs that tests and scripts can do without, and that Maven and the JDK do not need.
programs=(
  cc 'c[89]9' 'c++' cpp 'gcc' 'gcc-*' 'g++' 'g++-*' '*-linux-gnu-*' 'clang*' tcc make cmake
  'python*' 'pip*' perl 'chromium*' 'google-chrome*' chromedriver firefox geckodriver
  'redis-*' 'valkey-*' 'qemu-*' busybox ndctl depmod
  ip tc nft 'iptables*' rdma 'ib_*' 'ibv_*' git strace perf kill ps nc docker podman
)
folders=(/usr/include/infiniband /usr/include/rdma /usr/local/include/infiniband /usr/local/include/rdma)
libraries='lib(ibverbs|rdmacm|mlx[45]|pmem|pmem2|pmemobj|pmempool|pmemblk|pmemlog)(-rdmav[0-9]+)?\.so'

say() { echo "bare: $*"; }

# What the machine has of it, resolved: "program FILE", "folder FOLDER" or "library FILE" a line.
found() {
  local -a path
  local folder pattern file
  IFS=: read -r -a path <<< "$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  {
    for folder in "${path[@]}"; do
      for pattern in "${programs[@]}"; do
        # shellcheck disable=SC2086  # the pattern's files
        for file in "$folder"/$pattern; do
          if [ -f "$file" ] && [ -x "$file" ]; then echo "program $(realpath "$file")"; fi
        done
      done
    done
    for folder in "${folders[@]}"; do
      if [ -d "$folder" ] && [ -n "$(ls -A "$folder")" ]; then echo "folder $(realpath "$folder")"; fi
    done
    { ldconfig -p 2> /dev/null || /sbin/ldconfig -p 2> /dev/null || true; } |
      sed -n -E "s#^\s*$libraries.* => (.*)#\3#p" |
      while read -r file; do
        if [ -s "$file" ]; then echo "library $(realpath "$file")"; fi
      done
  } | sort -u
}

# The programs that Maven and the JDK are made of, whatever they are on this machine.
needed() {
  local name
  for name in sh bash env mvn java javac find sed sort uniq mount ldconfig; do
    if command -v "$name" > /dev/null; then realpath "$(command -v "$name")"; fi
  done
}

if [ "${1:-}" = --hidden ]; then
  # In the namespace: $2 is an empty folder beside an empty file.
  empty=$2
  shift 2
  keep=$(needed)
  all=$(found)
  while read -r kind path; do
    [ -n "$kind" ] || continue
    if grep -q -x -F -- "$path" <<< "$keep"; then
      say "cannot be hidden, as Maven runs with it: $path"
      exit 1
    fi
    if [ "$kind" = folder ]; then mount --bind "$empty/folder" "$path"; else mount --bind "$empty/file" "$path"; fi
    say "hidden: $kind $path"
  done <<< "$all"
  left=$(found)
  if [ -n "$left" ]; then
    say "still there, so nothing was shown:"
    echo "$left"
    exit 1
  fi
  say "nothing optional is left; mvn -B verify $*"
  unset CC CXX
  exec mvn -B verify "$@"
fi

empty=$(mktemp -d)
trap 'rm -r "$empty"' EXIT
mkdir "$empty/folder"
: > "$empty/file"
chmod 644 "$empty/file"

if [ "$(id -u)" = 0 ] && unshare --mount mount --bind "$empty/folder" "$empty/folder" 2> /dev/null; then
  unshare --mount --propagation private bash build/bare.sh --hidden "$empty" "$@"
else
  say "this user has no mount namespaces, so tests are told not to look: mvn -B verify -Dorca.bare=true $*"
  mvn -B verify -Dorca.bare=true "$@"
fi
