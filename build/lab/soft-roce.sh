# In the guest: a network interface with nothing behind it, and soft-RoCE on it. To be sourced.
modprobe -a ib_uverbs rdma_ucm dummy veth sch_netem rdma_rxe
ip link add lab0 mtu "${LAB_MTU:-1500}" type dummy
ip addr add 10.9.0.1/24 dev lab0
ip link set lab0 up
rdma link add rxe0 type rxe netdev lab0

# Two more devices with a wire between them, on which packets can be lost: $(lose 2%), $(lose 0%).
ip link add lab1 mtu "${LAB_MTU:-1500}" type veth peer name lab2 mtu "${LAB_MTU:-1500}"
for number in 1 2; do
  ip addr add "10.9.1.$number/24" dev "lab$number"
  ip link set "lab$number" up
  # Both ends are this machine's: it must take what comes from itself by the wire.
  for setting in accept_local=1 rp_filter=0; do
    echo "${setting#*=}" > "/proc/sys/net/ipv4/conf/lab$number/${setting%=*}"
  done
  rdma link add "rxe$number" type rxe netdev "lab$number"
done
echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter
ip neigh replace 10.9.1.2 lladdr "$(cat /sys/class/net/lab2/address)" nud permanent dev lab1
ip neigh replace 10.9.1.1 lladdr "$(cat /sys/class/net/lab1/address)" nud permanent dev lab2

lose() {
  tc qdisc replace dev lab1 root netem loss "$1"
  tc qdisc replace dev lab2 root netem loss "$1"
}
