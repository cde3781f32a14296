# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of stint for fish: the options that its help lists, and then a command.

function __stint_options
    $argv --help 2>/dev/null | string replace -rf '^ *(--[a-z-]+)(?:,? [^ ]*)?  +(.*)$' '$1\t$2'
end

complete -c stint -f -a '(__fish_complete_subcommand)'
complete -c stint -f -n 'string match -q -- "-*" (commandline -ct)' -a '(__stint_options stint)'
