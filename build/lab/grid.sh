# In the guest: the grid's processes over RDMA, by the commands that its users have. The transport beside
# perftest, Kite's benchmark, an ensemble whose servers host a grid, and crashes of both.
set -e
export JAVA_TOOL_OPTIONS='-Xmx300m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto'
orca() {
  echo
  echo "== orca $*"
  "$ORCA" "$@"
}
# The compiler for hot code pays here, as it does in a user's process.
JAVA_TOOL_OPTIONS='-Xmx300m -XX:+UseSerialGC' orca rdma perf --rounds 20000 --seconds 5
JAVA_TOOL_OPTIONS='-Xmx300m -XX:+UseSerialGC' orca rdma perf --transport rdma-connections --seconds 5
orca reproduce kite-fig4 --quick --transport rdma --sessions 8 --keys 1000 --out /tmp/results
orca grid start 3 --dir /tmp/grid --set grid.transport=rdma --set grid.lease.ms=10000 --timeout 600
grep -rh --include=orca.log "talks to the others over" /tmp/grid
orca grid stop --dir /tmp/grid
# Its processes have the class path of this one.
faults() {
  echo
  echo "== $*"
  $JAVA -Dorca.lab.transport=rdma -Dorca.lab.patience=600 -Dorca.lab.lease=10000 -Djunit.jupiter.execution.timeout.mode=disabled \
    -cp "$GRID_CLASS_PATH:$CONSOLE" org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=tree \
    --fail-if-no-tests "$@"
}
faults -c org.orcagrid.grid.HostedGridTest
# Not the test that lets a node stand still: on an emulated processor it takes longer than the ten seconds after which
# a client takes a node for lost that says nothing.
faults -m org.orcagrid.grid.GridFaultsTest#aKilledNodeTakesItsSessionsAndNothingElse
# Maps of all models beside Kite's keys. It is no test of processes, and has the class path of the module.
echo
echo "== the contract of a grid, with all models"
$JAVA -Dorca.lab.models=true -Dorca.lab.patience=600 -Djunit.jupiter.execution.timeout.mode=disabled -jar "$CONSOLE" execute \
  -cp "$CLASS_PATH" --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests \
  -c org.orcagrid.transport.rdma.RdmaGridContractTest
