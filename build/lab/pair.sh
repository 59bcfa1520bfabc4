# In each of two guests, with NUMBER and OPERATIONS set: members 0 and 1 of a grid are in the first, member 2 in the
# second. The wire between them loses one packet in a hundred, and for some time all.
set -e
modprobe virtio_net
ip addr add "10.9.2.$NUMBER/24" dev eth0
ip link set eth0 up
rdma link add rxe3 type rxe netdev eth0
tc qdisc replace dev eth0 root netem loss 1%
sessions=4
selves=0,1
if [ "$NUMBER" = 2 ]; then
  selves=2
  (
    sleep 90
    echo "The wire is cut"
    tc qdisc replace dev eth0 root netem loss 100%
    sleep 20
    tc qdisc replace dev eth0 root netem loss 1%
    echo "The wire is mended"
  ) &
fi
mkdir -p /lab/keep
# shellcheck disable=SC2086  # $JAVA is a command with its flags
$JAVA -Dorca.lab.transport=rdma:rxe3 -Dorca.lab.patience=600 -cp "$GRID_CLASS_PATH" org.orcagrid.grid.HistoryLoad \
  10.9.2.1:7300,10.9.2.1:7310,10.9.2.2:7300 $selves $sessions $((OPERATIONS / 3 / sessions)) "/tmp/history-$NUMBER"
tc -s qdisc show dev eth0
cp "/tmp/history-$NUMBER" /lab/keep/
