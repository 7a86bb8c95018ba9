#!/bin/sh
# Runs Ceph with its S3 API: a monitor, a store of objects in memory, and a RADOS Gateway.
#
#     ceph-server.sh FOLDER MONITOR-PORT S3-PORT ACCESS-KEY SECRET
#
# FOLDER gets the configuration and the logs. Writes one line to standard output when it answers: the port of the S3 API on 127.0.0.1. Ends
# with its standard input.
set -eu
folder=$1 monitor=$2 port=$3 key=$4 secret=$5
cd "$folder"
mkdir mon osd
id=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)
cat >ceph.conf <<CONF
[global]
fsid = $id
keyring = $folder/keyring
mon host = [v2:127.0.0.1:$monitor]
public addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 1
osd crush chooseleaf type = 0
run dir = $folder
admin socket =
log file = $folder/\$name.log
pid file =
[mon.a]
mon data = $folder/mon
mon data avail crit = 1
[osd.0]
osd data = $folder/osd
osd objectstore = memstore
osd class load list = *
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:$port
rgw run sync thread = false
CONF
export CEPH_CONF="$folder/ceph.conf"
keyring() { ceph-authtool keyring --gen-key "$@" >&2; }
keyring --create-keyring -n mon. --cap mon 'allow *'
keyring -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
keyring -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' --cap mgr 'allow *'
monmaptool --create --addv a "[v2:127.0.0.1:$monitor]" --fsid "$id" monmap >&2
ceph-mon --mkfs -i a --monmap monmap --keyring keyring >&2
pids=
trap 'kill -9 $pids 2>/dev/null || true' EXIT
ceph-mon -i a -f >&2 &
pids="$pids $!"
timeout 60 ceph osd new "$osd" 0 >&2
ceph-osd -i 0 --mkfs --osd-uuid "$osd" >&2
ceph-osd -i 0 -f >&2 &
pids="$pids $!"
timeout 60 radosgw-admin -n client.admin user create --uid=test --display-name=test --access-key="$key" --secret="$secret" >&2
radosgw -n client.admin -f >&2 &
pids="$pids $!"
tries=0
until node -e "fetch('http://127.0.0.1:$port/').then(() => process.exit(0), () => process.exit(1))"; do
  tries=$((tries + 1))
  [ "$tries" -lt 100 ]
  sleep 0.2
done
echo "$port"
cat >/dev/null
