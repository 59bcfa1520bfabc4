# In the guest: the tests with the native library built with AddressSanitizer, which ends the JVM when something is read or
# written that may not be. It also looks for what nobody has any more at the end; of that the JVM's own does not count.
set -e
reports=/tmp/asan
# Without use_tls=0 the look for leaks itself ends with a fault in a JVM; names of functions would take it more minutes.
export ASAN_OPTIONS="handle_segv=0:detect_leaks=1:symbolize=0:log_path=$reports" LSAN_OPTIONS=exitcode=0:use_tls=0
LD_PRELOAD=$(gcc -print-file-name=libasan.so) tests
# Without a report of the JVM's own leaks nobody has looked.
cat $reports.* | grep '^SUMMARY: AddressSanitizer'
if grep -B 8 liborcardma $reports.*; then exit 1; fi
