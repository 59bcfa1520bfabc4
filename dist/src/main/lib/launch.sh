#!/usr/bin/env bash
#
# Copyright 2026 The Orca Grid authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
# What every launcher shares; sourced by ./orca of a checkout and by bin/ of a distribution. A launcher sets `home` and defines
# `class_path ROOM`, which prints a class path: of the `server`, of a user's `program`, or of `all` that is installed.

fail() {
  echo "orca: $*" >&2
  exit 1
}

# Follows symbolic links to the end, without readlink -f, which not every system has.
resolved() {
  path=$1
  while [ -L "$path" ]; do
    link=$(readlink "$path")
    case $link in
      /*) path=$link ;;
      *) path=$(dirname "$path")/$link ;;
    esac
  done
  echo "$path"
}

# The file "release" beside bin/ tells the version without the time that starting a JVM takes.
java_major() {
  release=$java_home/release
  version=
  if [ -r "$release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9][0-9.]*\).*/\1/p' "$release")
  fi
  if [ -z "$version" ]; then
    version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9][0-9.]*\).*/\1/p' | head -n 1)
  fi
  case $version in
    1.*) version=${version#1.} ;;
  esac
  echo "${version%%.*}"
}

# Sets java and java_home: Java 17 or newer, or one sentence that says what to do.
find_java() {
  if [ -x "$home/runtime/bin/java" ]; then
    java=$home/runtime/bin/java
  elif [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, which has no bin/java; set it to a JDK of version 17 or newer."
  else
    java=$(command -v java) || fail "No java found; install a JDK of version 17 or newer, or set JAVA_HOME to one."
  fi
  java_home=$(cd "$(dirname "$(resolved "$java")")/.." && pwd -P)
  major=$(java_major)
  case $major in
    '' | *[!0-9]*) fail "$java does not tell its version; set JAVA_HOME to a JDK of version 17 or newer." ;;
  esac
  [ "$major" -ge 17 ] || fail "$java is version $major; set JAVA_HOME to a JDK of version 17 or newer."
}

# Netty's epoll is native, and a JVM of 24 or later warns of that unless it was asked for. DiSNI looks into buffers.
jvm_flags="--enable-native-access=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED"

# orca java FILE.java [ARGUMENT...]: a program of the user's, with the grid on its class path.
launch_program() {
  [ $# -ge 1 ] || fail "Say which program: orca java FILE.java [ARGUMENT...]"
  case $1 in
    --help | -h)
      echo "Usage: orca java [JVM-FLAG...] FILE.java|CLASS [ARGUMENT...]"
      echo "Run a program of yours with the grid's client, JCache and the optional media on its class path."
      exit 0
      ;;
  esac
  for word in "$@"; do
    case $word in
      *.java)
        [ -e "$word" ] || fail "There is no file $word to run; give the path of a Java source file."
        [ -f "$word" ] || fail "$word is a folder and not a Java source file; give the path of a file in it."
        [ -r "$word" ] || fail "No permission to read $word; run as its owner or chmod it."
        break
        ;;
      -*) ;;
      *)
        [ ! -d "$word" ] || fail "$word is a folder and not a Java program; give the path of a Java source file in it."
        break
        ;;
    esac
  done
  # The optional media need flags of their own; a program may use them. A user's program is to be quiet.
  flags=$(program_flags)
  # shellcheck disable=SC2086  # words
  exec "$java" $jvm_flags ${flags:+"$flags"} -Dlogback.configurationFile=org/orcagrid/cli/logback-quiet.xml \
    -cp "$(class_path program)" "$@"
}

launch() {
  if [ "${1:-}" = java ]; then
    shift
    launch_program "$@"
  fi
  words=
  for word in "$@"; do
    case $word in
      -*) ;;
      *) words="$words $word" ;;
    esac
  done
  # Short commands are over before the optimising compiler would pay; servers and benchmarks need it.
  short=-XX:TieredStopAtLevel=1
  case "$words " in
    " server run "* | " grid run "* | " geo run "* | " geo perf "* | " bench "* | " compare "* | " reproduce "* | " quickstart "* | " simulate "*) short= ;;
  esac
  # What starts servers, and the servers themselves, carry no harness.
  room=all
  case "$words " in
    " server "* | " ensemble "* | " grid "* | " cli "* | " tls "*) room=server ;;
  esac
  # What an operator gives the JVM of servers and of the shell; servers in the background read the variable themselves.
  own_flags=
  case "$words " in
    " server run "* | " grid run "* | " cli "*) own_flags=${ORCA_JVM_FLAGS:-} ;;
  esac
  log_config=
  [ ! -r "$home/conf/logback.xml" ] || log_config=-Dorca.log.config=$home/conf/logback.xml
  # Java itself no longer tells whether somebody looks at a line that is drawn over and over.
  terminal=false
  [ ! -t 2 ] || terminal=true
  run=exec
  [ -z "${ORCA_PRINT_COMMAND:-}" ] || run=print_command
  # shellcheck disable=SC2086  # an empty word must vanish
  $run "$java" -Xshare:auto $short $jvm_flags ${log_config:+"$log_config"} -Dorca.terminal=$terminal -Dorca.home="$home" -Dorca.server.classPath="$(class_path server)" \
    $own_flags -cp "$(class_path $room)" org.orcagrid.cli.Orca "$@"
}

# Quoted as a shell wants it.
print_command() {
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_/.:,=@%+-]*) printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")" ;;
      *) printf '%s ' "$word" ;;
    esac
  done
  echo
}
