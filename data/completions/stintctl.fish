# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of stintctl for fish: it is with that of stint.

source (status dirname)/stint.fish
