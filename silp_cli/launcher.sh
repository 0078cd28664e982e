#!/bin/sh
# The command `silp`. The interpreter dies of a directory as stdin before it reads any code, so it is looked at here;
# all else is left to silp-python, which is installed beside this file.
here=$0
case $here in */*) ;; *) here=$(command -v "$here") ;; esac
while [ -L "$here" ]; do
    target=$(readlink "$here")
    case $target in
        /*) here=$target ;;
        *) here=${here%/*}/$target ;;
    esac
done
if [ -d /dev/fd/0 ]; then
    SILP_STDIN_IS_DIRECTORY=1 exec "${here%/*}/silp-python" "$@" <&-
fi
exec "${here%/*}/silp-python" "$@"
