# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of stintctl for fish: it is with that of stint.

functions -q __stintctl
or source (status dirname)/stint.fish
complete -c stintctl -f -a '(__stintctl)'
