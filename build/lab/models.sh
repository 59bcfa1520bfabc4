# In each of two guests, with NUMBER and ROUNDS set: maps of all models, with the server that knows who is a member
# and members 0 and 1 in the first guest, member 2 in the second. The wire between them delays packets, lets them overtake
# each other, and loses one in a hundred. Member 2 is killed with -9 while it writes, and comes back on the same folder.
set -e -o pipefail
modprobe -a virtio_net
ip addr add "10.9.2.$NUMBER/24" dev eth0
ip link set eth0 up
rdma link add rxe3 type rxe netdev eth0
# Most packets that are close together overtake each other.
tc qdisc replace dev eth0 root netem delay 5ms 2ms loss 1%
members='10.9.2.1:7300 10.9.2.1:7310'
[ "$NUMBER" = 1 ] || members=10.9.2.2:7300
# Each map says in a line of its own how it came back; the load says it in less.
brief() {
  sed -u -e '/HostedMap.MapEffects recovered$/d' -e '/^INFO: map .* comes back/d'
}
load() {
  # shellcheck disable=SC2086  # $JAVA is a command with its flags, $members are words
  exec $JAVA -Dorca.lab.transport=rdma:rxe3 -Dorca.lab.patience=150 -Dorca.lab.lease=10000 -cp "$GRID_CLASS_PATH" org.orcagrid.grid.ModelLoad \
    "$NUMBER" 10.9.2.1:2181 /tmp/models "$ROUNDS" $members
}
if [ "$NUMBER" = 2 ]; then
  mkfifo /tmp/words
  brief < /tmp/words &
  load > /tmp/words 2>&1 &
  first=$!
  until [ -e /tmp/models/ready ]; do
    kill -0 $first
    sleep 0.2
  done
  kill -KILL $first
  status=0
  wait $first || status=$?
  [ $status = 137 ]
  echo "== member 2 was killed after $(wc -l < /tmp/models/ledger) lines of its ledger"
fi
(load) 2>&1 | brief
# What nodes say to each other has gone over the device, and over a wire that loses.
counters=/sys/class/infiniband/rxe3/ports/1/hw_counters
grep -H . $counters/sent_pkts $counters/rcvd_pkts
[ "$(cat $counters/sent_pkts)" -gt 1000 ]
tc -s qdisc show dev eth0
