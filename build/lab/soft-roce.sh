# In the guest: a network interface with nothing behind it, and soft-RoCE on it. To be sourced.
modprobe -a ib_uverbs rdma_ucm dummy rdma_rxe
ip link add lab0 mtu "${LAB_MTU:-1500}" type dummy
ip addr add 10.9.0.1/24 dev lab0
ip link set lab0 up
rdma link add rxe0 type rxe netdev lab0
