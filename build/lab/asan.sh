# In the guest: the tests with the native library built with AddressSanitizer, which ends the JVM when something is read or
# written that may not be. It also looks for what nobody has any more at the end; of that the JVM's own does not count.
set -e
reports=/tmp/asan
export ASAN_OPTIONS="handle_segv=0:detect_leaks=1:log_path=$reports" LSAN_OPTIONS=exitcode=0
LD_PRELOAD=$(gcc -print-file-name=libasan.so) tests
# Without a report of the JVM's own leaks nobody has looked.
cat $reports.* | grep '^SUMMARY: AddressSanitizer'
! grep -B 8 liborcardma $reports.*
