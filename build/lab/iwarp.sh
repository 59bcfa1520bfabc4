# In the guest: soft-iWARP in place of soft-RoCE. It is chosen as any other device, and its connections because it has
# no datagrams. Atomics, which DisniConnectionTest asks for, and zones are not there.
set -e
for number in 0 1 2; do rdma link delete "rxe$number"; done
modprobe siw
rdma link add siw0 type siw netdev lab0
"$ORCA" rdma doctor
JAVA_TOOL_OPTIONS='-Xmx300m -XX:+UseSerialGC' "$ORCA" rdma perf --seconds 3
classes=
for name in IwarpTest RdmaTransportTest ConnectedEndpointTest RdmaOverTlsTest RdmaGridContractTest BadArgumentsTest; do
  classes+=" -c org.orcagrid.transport.rdma.$name"
done
# shellcheck disable=SC2086  # words, as $JAVA is
$JAVA -Dorca.lab.packets=2000 -Dorca.lab.models=true -Dorca.lab.patience=600 -jar "$CONSOLE" execute -cp "$CLASS_PATH" --disable-banner --disable-ansi-colors \
  --details=tree --fail-if-no-tests $classes
