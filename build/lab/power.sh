# In the guest, once for each life of the machine, with LIFE and LAST set: three processes with maps, which write into
# each other's persistent memory over RDMA while their logs are on a slow disk. In all lives but the last, whoever boots
# this ends it by killing the machine when /lab/cut is there.
set -e
modprobe -a nfit nd_pmem dax_pmem device_dax ext4 virtio_blk
mkdir -p /mnt/slow /mnt/server
if [ "$LIFE" = 1 ]; then
  mkfs.ext4 -q /dev/vda
  mkfs.ext4 -q /dev/vdb
  for number in 0 1 2; do
    ndctl create-namespace -f -e "namespace$number.0" -m devdax --map=mem > /dev/null
  done
fi
mount /dev/vda /mnt/slow
mount /dev/vdb /mnt/server
# In a later life they come up by themselves, some time after the modules.
for _ in $(seq 100); do [ -e /dev/dax2.0 ] && break; sleep 0.1; done
ls /dev/dax0.0 /dev/dax1.0 /dev/dax2.0 || { ndctl list -NRi; lsmod | grep -E 'dax|pmem|nfit'; exit 1; }
# shellcheck disable=SC2086  # $JAVA is a command with its flags
$JAVA -Dorca.lab.life="$LIFE" -Dorca.lab.transport=rdma -Dorca.lab.patience=600 -Dorca.lab.lease=10000 -cp "$GRID_CLASS_PATH" org.orcagrid.grid.PowerCuts \
  /mnt/slow /mnt/server/server /lab "$LAST" /dev/dax0.0 /dev/dax1.0 /dev/dax2.0
