# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of stintctl for fish: verbs, their options as their help lists them, and jobs.

function __stintctl_verbs
    stintctl --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)$' '$1\t$2'
end

function __stintctl_options
    set -l words (commandline -opc)
    stintctl $words[2] --help 2>/dev/null | string replace -rf '^ *(--[a-z-]+)(?:,? [^ ]*)?  +(.*)$' '$1\t$2'
end

function __stintctl_jobs
    stintctl list 2>/dev/null | string replace -rf '^ *([0-9]+) +(.*)$' '$1\t$2'
    echo last
end

complete -c stintctl -f
complete -c stintctl -f -n __fish_use_subcommand -a '(__stintctl_verbs)'
complete -c stintctl -f -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -a '(__stintctl_options)'
complete -c stintctl -f -n '__fish_seen_subcommand_from show wait output follow terminate kill pause resume extend export' -a '(__stintctl_jobs)'
complete -c stintctl -f -n '__fish_seen_subcommand_from run start' -a '(__fish_complete_subcommand --fcs-skip=2)'
