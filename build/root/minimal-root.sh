# Sourced by build/image.sh and build/dist-test.sh: a minimal Debian root, with a shell and coreutils and no package manager.

# Whether this machine can make and enter one; sets `missing` to what it lacks.
can_make_root() {
  missing=
  [ "$(uname -s)" = Linux ] || missing="this is not Linux"
  [ "$(id -u)" = 0 ] || missing="only root can enter a root of its own"
  for program in mmdebstrap unshare nsenter ip; do
    command -v "$program" > /dev/null || missing="$program is missing (apt-get install mmdebstrap util-linux iproute2)"
  done
  [ -n "$missing" ] || unshare --mount --pid --net --fork true 2> /dev/null || missing="this machine allows no namespaces of mounts, processes and network"
  [ -z "$missing" ]
}

# minimal_root FOLDER
minimal_root() {
  # The launchers need a shell, sed and coreutils; a JDK needs the rest.
  mmdebstrap --quiet --variant=extract --include=base-files,dash,coreutils,sed,grep,libc-bin,libgcc-s1,libstdc++6,zlib1g "$(release_of_debian)" "$1.tar" > "$1.log" 2>&1 ||
    { cat "$1.log" >&2; return 1; }
  mkdir -p "$1"
  # No device files: the kernel's are bound in, where a container's engine makes its own.
  tar --extract --file "$1.tar" --directory "$1" --exclude './dev/*' --exclude './usr/share/doc/*' --exclude './usr/share/locale/*' --exclude './usr/share/man/*' \
    --exclude './var/lib/apt/*' --exclude './var/cache/*'
  rm "$1.tar" "$1.log"
  mkdir -p "$1/dev" "$1/proc" "$1/tmp"
}

release_of_debian() {
  (. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
}

# The Java that Maven builds with.
java_home_here() {
  java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p'
}
