# In the guest, with datagrams of 4096 bytes: all tests with many packets, and then with small datagrams.
set -e
tests -Dorca.lab.packets=10000
ip link set lab0 mtu 1500
tests -Dorca.lab.packets=10000
