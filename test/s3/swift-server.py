"""Runs a whole object store with the S3 API in one process: swift's proxy, account, container and object servers.

    /usr/bin/python3 swift-server.py FOLDER

FOLDER gets the configuration and all data; it has to be on a disk with extended attributes (ext4, xfs). Writes one line to
standard output when it answers: the port of the S3 API on 127.0.0.1. Ends with its standard input. The access key is
test:tester, the secret testing, the region us-east-1; buckets are addressed by path.
"""
import os
import sys
import threading

import eventlet
import eventlet.wsgi

eventlet.monkey_patch()

from swift.common import utils  # noqa: E402

root = os.path.abspath(sys.argv[1])
os.makedirs(os.path.join(root, 'disk', 'd1'), exist_ok=True)


def write(name, text):
    with open(os.path.join(root, name), 'w') as file:
        file.write(text)


write('swift.conf', '''[swift-hash]
swift_hash_path_prefix = lectern
swift_hash_path_suffix = test
[swift-constraints]
''')
utils.set_swift_dir(root)
utils.validate_hash_conf()

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402

reload_storage_policies()


class Quiet:
    def write(self, *_):
        pass

    def flush(self):
        pass


def listen():
    return eventlet.listen(('127.0.0.1', 0))


sockets = {kind: listen() for kind in ('object', 'container', 'account', 'proxy')}
port_of = {kind: socket.getsockname()[1] for kind, socket in sockets.items()}

for kind in ('object', 'container', 'account'):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port_of[kind], 'device': 'd1', 'weight': 1.0})
    builder.rebalance()
    builder.get_ring().save(os.path.join(root, kind + '.ring.gz'))
    write(kind + '.conf', f'''[DEFAULT]
devices = {root}/disk
mount_check = false
swift_dir = {root}
log_level = ERROR
log_address = /dev/null
fallocate_reserve = 0
disable_fallocate = true
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
[{kind}-replicator]
''')

write('proxy.conf', f'''[DEFAULT]
swift_dir = {root}
log_level = ERROR
log_address = /dev/null
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
check_bucket_owner = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
node_timeout = 30
''')

for kind in ('object', 'container', 'account', 'proxy'):
    application = loadapp(os.path.join(root, kind + '.conf'))
    eventlet.spawn(eventlet.wsgi.server, sockets[kind], application, log=Quiet(), log_output=False, debug=False)

print(port_of['proxy'], flush=True)
while True:
    ready = eventlet.patcher.original('select').select([0], [], [], 0)[0]
    if ready and not os.read(0, 1):
        break
    eventlet.sleep(0.2)
os._exit(0)
