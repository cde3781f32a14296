# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is written in rows 25 and 27, and whether a transcript is it.

import subprocess

from harness import PATIENCE

MEGABYTE = 1 << 20

# What is written waits for the test, and the command for what the test looks at meanwhile.
GATE = 'await() { while [ ! -e "$D/$1" ]; do sleep 0.02; done; }; '

FLOODS = {
    '100 MB without a newline': ('head -c 100000000 /dev/zero | tr "\\0" x', 100000000),
    '10 M empty lines': ('yes "" | head -n 10000000', 10000000),
    'an OSC of 100 MB without an end': ('{ printf "\\033]0;"; head -c 100000000 /dev/zero | tr "\\0" x; }', 100000004),
    'a title of 1 MB': ('{ printf "\\033]0;"; head -c 1000000 /dev/zero | tr "\\0" t; printf "\\007"; }', 1000005),
    'a link to a file and the clipboard': (
        '{ printf "\\033]8;;file:///etc/passwd\\033\\\\link\\033]8;;\\033\\\\"; printf "\\033]52;c;"; '
        'head -c 1000000 /dev/zero | tr "\\0" Q; printf "\\007"; }', None),
}


def difference(path, writer, reader='cat'):
    """Returns: what cmp says of what @reader makes of a file, and what the shell line @writer writes."""
    done = subprocess.run(['bash', '-c', f'cmp <({writer}) <({reader} "$1")', 'sh', str(path)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
    return [done.stdout.decode(errors='replace')] if done.returncode else []
