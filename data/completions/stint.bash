# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of stint and stintctl for bash. What there is to complete is asked of the programs themselves,
# so that it is always what they have.

# _stint_options WORD…: the options that the help of these words lists.
_stint_options ()
{
  "$@" --help 2>/dev/null | sed -nE 's/^ *(-[a-zA-Z], )?(--[a-z-]+).*/\2/p'
}

# _stint_values OPTION WORD…: the words between which this option chooses: "a|b|c" behind it in the help.
_stint_values ()
{
  local option=$1
  shift
  "$@" --help 2>/dev/null | sed -nE "s/^ *$option +([a-z]+(\\|[a-z]+)+).*/\\1/p" | tr '|' '\n'
}

# Options of a job from word $1 on, then its command; what offers them is the rest.
_stint_job ()
{
  local first=$1 i word
  shift
  for ((i = first; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -- ]]; then
      ((i++))
      break
    fi
    [[ $word == -* ]] || break
    # An option with a value takes the next word too.
    if "$@" --help 2>/dev/null | grep -qE "^ *$word [A-Za-z]"; then
      ((i++))
    fi
  done
  if ((i < COMP_CWORD)) || { ((i == COMP_CWORD)) && [[ ${COMP_WORDS[COMP_CWORD]} != -* ]]; }; then
    if declare -F _command_offset >/dev/null; then
      _command_offset "$i"
    else
      mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
    fi
    return
  fi
  _stint_option_or_value "$@"
}

_stint_option_or_value ()
{
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} values
  if [[ $previous == --* ]]; then
    case $previous in
      --cwd)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return ;;
      --json | --save | --output)
        if "$@" --help 2>/dev/null | grep -qE "^ *(-o, )?$previous FILE"; then
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
          return
        fi ;;
    esac
    values=$(_stint_values "$previous" "$@")
    if [[ -n $values ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
      return
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$(_stint_options "$@")" -- "$word")
}

_stint ()
{
  COMPREPLY=()
  _stint_job 1 "${COMP_WORDS[0]}"
}

_stintctl ()
{
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')
      --help --version" -- "$word")
    return
  fi
  if [[ $verb == history ]] && ((COMP_CWORD == 2)) && [[ $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" history --help 2>/dev/null | sed -nE 's/^  ([a-z]+).*/\1/p')" -- "$word")
    return
  fi
  case $verb in
    run | start)
      _stint_job 2 "$program" "$verb" ;;
    show | wait | output | follow | terminate | kill | pause | resume | extend | export)
      if [[ $word == -* || ${COMP_WORDS[COMP_CWORD - 1]} == --* ]]; then
        _stint_option_or_value "$program" "$verb"
      else
        mapfile -t COMPREPLY < <(compgen -W "$("$program" list 2>/dev/null | sed -nE 's/^ *([0-9]+) .*/\1/p') last" -- "$word")
      fi ;;
    *)
      _stint_option_or_value "$program" "$verb" ;;
  esac
}

complete -F _stint stint
complete -F _stintctl stintctl
