# In the guest: an NVDIMM as a DAX file system, and on it the contract of all media and maps of all models,
# with logs that are mapped READ_WRITE_SYNC and with pools of PMDK. Then the NVDIMM as a device, and zones in it that
# nodes write into over RDMA.
set -e
modprobe -a nfit nd_pmem ext4
# A new NVDIMM has no labels and comes up raw, where ext4 refuses DAX.
ndctl create-namespace -f -e namespace0.0 -m fsdax --map=mem > /dev/null
mkfs.ext4 -q -b 4096 /dev/pmem0
mkdir -p /mnt/pmem
mount -o dax=always /dev/pmem0 /mnt/pmem
grep pmem /proc/mounts
status=0
# shellcheck disable=SC2086  # $JAVA is a command with its flags
$JAVA -Dorca.lab.dax=true -Djava.io.tmpdir=/mnt/pmem -Djunit.jupiter.execution.timeout.mode=disabled \
  -jar "$CONSOLE" execute -cp "$MEDIA_CLASS_PATH" --disable-banner --disable-ansi-colors --details=tree \
  --fail-if-no-tests -c org.orcagrid.ddp.durable.nvm.NvmMediumTest -c org.orcagrid.ddp.durable.nvm.MapsOnNvmTest \
  -c org.orcagrid.medium.llpl.LlplMediumTest -c org.orcagrid.medium.llpl.MapsOnPoolTest || status=$?
umount /mnt/pmem
# The same memory as a device, which a network card may write into: zones of maps.
ndctl destroy-namespace -f namespace0.0 > /dev/null
modprobe device_dax
ndctl create-namespace -f -m devdax --map=mem > /dev/null
ls -l /dev/dax0.0
grep -r . /sys/bus/nd/devices/region0/persistence_domain
tests_of() {
  $JAVA -Dorca.lab.address=10.9.0.1 -Dorca.lab.zone=/dev/dax0.0 -jar "$CONSOLE" execute -cp "$CLASS_PATH" \
    --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests "$@"
}
tests_of -c org.orcagrid.transport.rdma.ZonedMapsOverRdmaTest -c org.orcagrid.transport.rdma.MappedMemoryTest || status=$?
exit $status
