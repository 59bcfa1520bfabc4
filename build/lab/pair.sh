# In each of two guests, with NUMBER and OPERATIONS set: the server that knows who is a member and members 0 and 1 of a grid
# are in the first, member 2 is in the second. The wire between them loses one packet in a hundred, and twice for some time
# the members of the guests do not hear each other; they hear the server.
set -e -o pipefail
modprobe -a virtio_net nf_tables
ip addr add "10.9.2.$NUMBER/24" dev eth0
ip link set eth0 up
rdma link add rxe3 type rxe netdev eth0
tc qdisc replace dev eth0 root netem loss 1%
# Each drops what comes from whom it does not hear, RoCE's datagrams and the grid's TCP. It is not done where they go
# out: there soft-RoCE is told of it, and tries again at once and for ever.
nft -f - << 'RULES'
table inet partition {
  set unheard {
    type ipv4_addr
    flags dynamic,timeout
    timeout 20s
  }
  chain in {
    type filter hook input priority 0
    udp dport 9 update @unheard { ip saddr } counter drop
    ip saddr @unheard udp dport 4791 counter drop
    ip saddr @unheard tcp dport 7300-7310 counter drop
    ip saddr @unheard tcp sport 7300-7310 counter drop
  }
}
RULES
sessions=4
selves=0,1
shares='20% 60%'
cut() {
  # Three, since one may be lost.
  for _ in 1 2 3; do echo > /dev/udp/10.9.2.1/9; done
  nft 'add element inet partition unheard { 10.9.2.1 timeout 20s }'
}
if [ "$NUMBER" = 2 ]; then
  selves=2
  for share in $shares; do
    until grep -qs "^$share" /tmp/load; do sleep 1; done
    cut
    echo "== the guests do not hear each other for 20 s"
  done &
fi
mkdir -p /lab/keep
# shellcheck disable=SC2086  # $JAVA is a command with its flags
$JAVA -Dorca.lab.transport=rdma:rxe3 -Dorca.lab.patience=600 -Dorca.lab.lease=10000 -cp "$GRID_CLASS_PATH" \
  org.orcagrid.grid.HistoryLoad 10.9.2.1:2181 /tmp/nodes 10.9.2.1:7300,10.9.2.1:7310,10.9.2.2:7300 $selves \
  $sessions $((OPERATIONS / 3 / sessions)) "/tmp/history-$NUMBER" |
  tee /tmp/load
tc -s qdisc show dev eth0
nft list ruleset
cp "/tmp/history-$NUMBER" /lab/keep/
