# In the guest: all tests with more packets, first with small datagrams and then with large ones, on the
# device with nothing behind it; then the contract over a wire that loses packets, and over one that is cut.
set -e
tests -Dorca.lab.packets=2000
ip link set lab0 mtu 9000
ibv_devinfo -d rxe0 | grep active_mtu
tests -Dorca.lab.packets=2000
over_wire() {
  $JAVA -Dorca.lab.devices=rxe1,rxe2 -Dorca.lab.packets=1000 -jar $CONSOLE execute -cp $CLASS_PATH \
    --disable-banner --disable-ansi-colors --details=tree -c "org.orcagrid.transport.rdma.$1"
}
lose 2%
over_wire RdmaTransportTest
tc -s qdisc show dev lab1
over_wire CutWireTest
# The same over reliable connections, whose device makes good what is lost.
over_wire ConnectedTransportTest
over_wire ConnectedWireTest
