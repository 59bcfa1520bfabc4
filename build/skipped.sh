#!/bin/sh
# Says why tests were skipped, one line for each reason: skipped.sh TARGET SINCE. Maven runs it after the tests of
# a module; the reasons are in what Surefire has written below TARGET since the build began at SINCE.
set -eu

[ -d "$1/surefire-reports" ] || exit 0
find "$1/surefire-reports" -name 'TEST-*.xml' -newermt "$2" -exec \
  sed -n 's/.*<skipped message="\([^"]*\)".*/\1/p' {} + |
  sed -e 's/&#10;/ /g' -e 's/&quot;/"/g' -e "s/&apos;/'/g" -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' \
    -e 's/^Assumption failed: //' |
  sort | uniq -c |
  while read -r count reason; do
    echo "[skipped] $count in $(basename "$(dirname "$1")"): $reason"
  done
