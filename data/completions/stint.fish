# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of stint and stintctl for fish. What there is to complete is asked of the programs themselves, so that
# it is always what they have.

# __stint_takes_value OPTION HELP…: whether this option has a value, as the lines of the help say.
function __stint_takes_value
    string match -rq -- "^ *(-[a-zA-Z], )?$argv[1][ =][A-Za-z]" $argv[2..]
end

# __stint_values OPTION HELP…: what this option may be followed by.
function __stint_values
    set -l values (string match -rg -- "^ *(?:-[a-zA-Z], )?$argv[1][ =]([a-z]+(?:\|[a-z]+)+)" $argv[2..])
    if set -q values[1]
        string split '|' -- $values
    else if test $argv[1] = --cwd
        __fish_complete_directories (commandline -ct)
    else if string match -rq -- "^ *(-[a-zA-Z], )?$argv[1][ =]FILE" $argv[2..]
        __fish_complete_path (commandline -ct)
    end
end

# __stint_options HELP…
function __stint_options
    string match -rg -- '^ *(?:-[a-zA-Z], )?(--[a-z-]+[^ ]*(?: [^ ]+)*  +.*)$' $argv |
        string replace -r -- '^(--[a-z-]+).*?  +(.*)$' '$1\t$2'
end

# __stint_option_or_value PROGRAM…: fails where the word is neither.
function __stint_option_or_value
    set -l words (commandline -opc)
    set -l help ($argv --help 2>/dev/null)
    if string match -q -- '--*' $words[-1]; and __stint_takes_value $words[-1] $help
        __stint_values $words[-1] $help
    else if string match -q -- '-*' (commandline -ct)
        __stint_options $help
    else
        return 1
    end
end

# __stint_job FIRST PROGRAM…: options of a job from word FIRST on, then its command.
function __stint_job
    set -l words (commandline -opc)
    set -l help ($argv[2..] --help 2>/dev/null)
    set -l at $argv[1]
    set -l ended no
    while test $at -le (count $words); and string match -q -- '-*' $words[$at]
        set -l word $words[$at]
        set at (math $at + 1)
        if test $word = --
            set ended yes
            break
        end
        if __stint_takes_value $word $help
            if test $at -gt (count $words)
                __stint_values $word $help
                return
            end
            set at (math $at + 1)
        end
    end
    if test $at -gt (count $words); and test $ended = no; and string match -q -- '-*' (commandline -ct)
        __stint_options $help
    else if test $at -gt (count $words)
        complete -C (commandline -ct)
    else
        complete -C (string join ' ' -- (string escape -- $words[$at..]) (commandline -ct))
    end
end

function __stint_jobs
    $argv[1] list 2>/dev/null | string replace -rf '^ *([0-9]+) +(.*)$' '$1\t$2'
    echo last
end

function __stintctl
    set -l words (commandline -opc)
    switch (count $words)
        case 1
            $words[1] --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)$' '$1\t$2'
            printf '%s\n' --help --version
            return
        case 2
            if test $words[2] = history; and not string match -q -- '-*' (commandline -ct)
                $words[1] history --help 2>/dev/null | string replace -rf '^  ([a-z]+).*?  +(.*)$' '$1\t$2'
                return
            end
    end
    switch $words[2]
        case run start
            __stint_job 3 $words[1..2]
        case show wait output follow terminate kill pause resume extend export
            __stint_option_or_value $words[1..2]
            or __stint_jobs $words[1]
        case '*'
            __stint_option_or_value $words[1..2]
    end
end

complete -c stint -f -a '(__stint_job 2 (commandline -opc)[1])'
complete -c stintctl -f -a '(__stintctl)'
