#!/bin/sh
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
# Builds the native library of transport-rdma into a folder: build.sh FOLDER JAVA_HOME [BARE]. Maven runs it;
# where the compiler or the headers are missing, or BARE is true, it says so in one line and builds nothing.
# CFLAGS_EXTRA adds flags, as in CFLAGS_EXTRA='-fsanitize=address'.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$1
java_home=$2
bare=${3:-false}
cc=${CC:-cc}
folder=$out/native/linux-$(uname -m)
library=$folder/liborcardma.so

skip() {
  # What an earlier build has left must not make this line untrue.
  if [ -e "$library" ]; then rm -r "$out/native"; fi
  echo "transport-rdma: built without its native library, so without RDMA: $1"
  exit 0
}

[ "$(uname -s)" = Linux ] || skip "this is not Linux"
[ "$bare" != true ] || skip "-Dorca.bare=true"
command -v "$cc" > /dev/null || skip "there is no C compiler (apt-get install gcc libc6-dev)"
[ -r "$java_home/include/jni.h" ] || skip "$java_home has no include/jni.h: it is no JDK"
for header in infiniband/verbs.h rdma/rdma_cma.h; do
  echo "#include <$header>" | "$cc" -E - > /dev/null 2>&1 ||
    skip "<$header> is missing (apt-get install libibverbs-dev librdmacm-dev)"
done

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
library=$folder/liborcardma.so
if [ -z "${CFLAGS_EXTRA:-}" ] && [ -r "$library" ] &&
    [ -z "$(find "$here" -newer "$library" -type f)" ]; then
  exit 0
fi
# The same bytes in whatever folder it is built: what debuggers are told is relative to this one.
cd "$here"
# shellcheck disable=SC2086
"$cc" -std=gnu11 -O2 -g -ffile-prefix-map="$here"=. -ffile-prefix-map="$java_home"=java -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -Wshadow \
  -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong ${CFLAGS_EXTRA:-} \
  -I"$java_home/include" -I"$java_home/include/linux" \
  -Wl,-z,relro,-z,now -Wl,--no-undefined -Wl,-soname,liborcardma.so \
  -o "$library" ./*.c -libverbs -lrdmacm -lpthread -ldl
