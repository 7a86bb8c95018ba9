#!/bin/sh
# Runs `npm ci` and `npm test`, or the command given, in a fresh clone of the last commit where of all programs only Node, npm, a shell
# and coreutils are visible. Linux, as root: the folders of programs are covered by others in a mount namespace of its own. With
# `--as-user` the tests run as `nobody`.
#
#   sudo scripts/test-without-programs.sh [--as-user] [COMMAND...]
set -eu

if [ "${1:-}" != --inside ]; then
  if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
    echo 'test-without-programs.sh needs Linux, root, and the right to mount (in a container: --privileged).' >&2
    exit 1
  fi
  user=
  if [ "${1:-}" = --as-user ]; then
    user=nobody
    shift
  fi
  [ $# -gt 0 ] || set -- npm test
  root=$(cd "$(dirname "$0")/.." && pwd)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"
  git clone -q "file://$root" "$work/clone"
  mkdir "$work/tools" "$work/tmp"
  cp "$(command -v setpriv)" "$work/tools"
  unshare -m "$0" --inside "$work" "$user" "$@"
  exit
fi

work=$2 user=$3
shift 3

# The programs of coreutils, as Debian has them, and what a shell and npm need.
coreutils='[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dircolors
  dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum mkdir mkfifo mknod mktemp
  mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum
  sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort
  tty uname unexpand uniq unlink users vdir wc who whoami yes'
visible="$coreutils sh dash bash node npm npx"

for folder in /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /usr/games /bin /sbin; do
  [ -d "$folder" ] && [ ! -L "$folder" ] || continue
  stage=$work/programs$folder
  mkdir -p "$stage"
  for name in $visible; do
    [ ! -e "$folder/$name" ] || cp -a "$folder/$name" "$stage"
  done
  staged="${staged:-} $folder"
done
empty=$work/empty
mkdir "$empty"
for folder in /usr/lib/python3 /usr/lib/chromium /usr/share/fonts /usr/local/share/fonts /opt; do
  [ ! -d "$folder" ] || mount --bind "$empty" "$folder"
done
# The last mounts: they cover `mount` too.
cp "$(command -v mount)" "$work/tools"
for folder in $staged; do "$work/tools/mount" --bind "$work/programs$folder" "$folder"; done

cd "$work/clone"
export TMPDIR="$work/tmp"
unset CHROMIUM
npm ci --no-audit --no-fund
if [ -n "$user" ]; then
  chown -R "$user" "$work/clone" "$work/tmp"
  export HOME="$work/tmp"
  exec "$work/tools/setpriv" --reuid "$user" --regid "$(id -g "$user")" --clear-groups "$@"
fi
exec "$@"
