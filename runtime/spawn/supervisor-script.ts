/**
 * The supervisor: a POSIX shell script that waits for the end of its stdin, whose other end only the owner holds. The
 * kernel closes that end however the owner dies; what is registered then gets TERM, its grace, and KILL.
 *
 * Arguments: the owner's pid, the owner's process group (empty where unknown), the start of the owner's environment marks.
 * The lines that it reads are in wire.ts. It must run under dash, busybox, bash, mksh and ksh93; what they disagree on:
 * - `kill -TERM -N` is the only spelling of a group signal that all of them take;
 * - `sleep 0.1` is not POSIX: where it fails, `sleep 1` counts for ten;
 * - dash and busybox exit when fork(2) fails: from the first fork on, an EXIT trap ends what is left;
 * - dash has 39 buckets for variables and O(n) appends: groups lie in 100 lists by the last two digits.
 * Lines that start with # are taken out before it runs: its words show in ps(1), and `pkill -f` reads them.
 */
export const SUPERVISOR_SCRIPT = `
trap '' HUP INT QUIT TERM PIPE TSTP TTIN TTOU
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
cd /
owner=$1 outer=$2 mark=$3

# /proc may be absent, or speak of another pid namespace.
proc=
read -r id rest </proc/self/stat && [ "$id" = "$$" ] && proc=/proc
[ -n "$outer" ] || outer=$(ps -o pgid= -p "$owner" | tr -d ' ')

# Never 0, 1 (everybody), what overflows to them, ourselves or the owner's own group.
may() {
  case $1 in '' | *[!0-9]* | 0* | 1 | ????????* | "$$" | "$owner" | "$outer") return 1 ;; esac
}
number() {
  case $1 in '' | *[!0-9]* | ?????????????????????*) return 1 ;; esac
}

# A list is ' ID:START:GRACE:KIND ID:START:GRACE:KIND '; the kind is empty for a group, p for a process, s for a session.
drop() {
  slot=g_\${1#"\${1%??}"}
  eval "list=\\$$slot"
  case $list in *" $1:"*)
    rest=\${list#*" $1:"}
    list="\${list%%" $1:"*} \${rest#* }"
    eval "$slot=\\$list" ;;
  esac
}
put() {
  drop "$1"
  [ -n "$list" ] || { slots="$slots $slot" list=' '; }
  list="$list$1:$2:$3:$4 "
  eval "$slot=\\$list"
}

slots= open=' '
while read -r verb id start grace kind rest; do
  case $kind in p | s) ;; *) kind= ;; esac
  case $verb in
    '+') may "$id" && number "$start" && number "$grace" && put "$id" "$start" "$grace" "$kind" ;;
    '-') may "$id" && drop "$id" ;;
    '?') number "$id" && open="$open$id " ;;
    '!') case $open in *" $id "*) open="\${open%%" $id "*} \${open#*" $id "}" ;; esac ;;
  esac
done

# From here on the owner is gone.
stat() {
  state= group= born=
  read -r line <"/proc/$1/stat" || return
  set -- \${line##*") "}
  state=$1 group=$3 born=\${20}
}
# A leader with another start time is a stranger who got the number. One that is gone pins it as long as members live; a
# process pins nothing.
same() {
  [ -n "$proc" ] && [ "$2" != 0 ] || return 0
  stat "$1"
  case $born in '') [ "$3" != p ] ;; *) [ "$born" = "$2" ] ;; esac
}
# What is left is ' TARGET:DUE:START', the target as kill(1) takes it.
end() {
  target=-$1
  [ "$3" != p ] || target=$1
  kill -TERM "$target" && kill -CONT "$target" && left="$left $target:$2:$4"
}
finish() {
  for entry in $left; do kill -KILL "\${entry%%:*}"; done
}
# What was started but not yet registered is known by its mark alone, and so is what left its group. A later mark with a
# reason is that of a process that stays on purpose. In the owner's group there are children without a group of their own.
hunt() {
  missing=' '
  for seq in $open; do
    found=
    for file in $(grep -szlE -e "$mark$seq:;([^:;]*:;)*$" /proc/[0-9]*/environ); do
      id=\${file#/proc/} id=\${id%/environ}
      stat "$id"
      if may "$group"; then
        found=1
        case "$left " in *" -$group:"*) ;; *) end "$group" 30 ;; esac
      elif may "$id" && [ "$group" = "$outer" ]; then
        found=1
        case "$left " in *" $id:"*) ;; *) end "$id" 30 p "$born" ;; esac
      fi
    done
    [ -n "$found" ] || missing="$missing$seq "
  done
  open=$missing
}
# Every process that is no zombie, as ') STATE PARENT GROUP '; believed only if we see ourselves.
scan() {
  alive=unknown
  [ "$tick" != 0 ] && [ -n "$proc" ] || return
  found=$(grep -shoE '[)] [^ZX] [0-9]+ [0-9]+ ' /proc/[0-9]*/stat)
  case $found in *" $$ "*) alive=$found ;; esac
}
# The groups of a session: a shell with job control gives one to each job, and makes new ones until it ends.
session_groups() {
  [ -n "$proc" ] || return
  for entry in $sessions; do
    set -- $(grep -shoE "[)] [^ZX] [0-9]+ [0-9]+ \${entry%%:*} " /proc/[0-9]*/stat)
    while [ $# -ge 5 ]; do
      case "$signalled" in *" $4 "*) ;; *) signalled="$signalled$4 "; may "$4" && end "$4" "\${entry#*:}" ;; esac
      shift 5
    done
  done
}
# A group that is gone is never signalled again: its number may be another's. One of zombies alone keeps its number, and
# KILL cannot hurt it, but ends a member that the scan was too early for.
judge() {
  keep= alive=
  for entry in $left; do
    id=\${entry%%:*} due=\${entry#*:} start=\${entry##*:}
    due=\${due%:*}
    kill -0 "$id" || continue
    case $id in
      -*)
        [ -n "$alive" ] || scan
        case $alive in unknown | *" \${id#-} "*) ;; *) due=0 ;; esac ;;
      *)
        [ -z "$proc" ] || stat "$id"
        [ -z "$proc" ] || [ "$start$state" = "$born\${state%[ZX]}" ] || continue ;;
    esac
    if [ "$tick" -ge "$due" ]; then kill -KILL "$id"; else keep="$keep $entry"; fi
  done
  left=$keep
}
# Without any sleep(1) the grace is counted, not skipped.
nap() {
  sleep 0.1 && tick=$((tick + 1)) && return
  sleep 1 || { spin=0; while [ "$spin" -lt 500000 ]; do spin=$((spin + 1)); done; }
  tick=$((tick + 10))
}

left= sessions= signalled=' '
trap finish EXIT
for slot in $slots; do
  eval "list=\\$$slot"
  for entry in $list; do
    id=\${entry%%:*} kind=\${entry##*:} rest=\${entry#*:}
    start=\${rest%%:*} rest=\${rest#*:} grace=\${rest%:*}
    same "$id" "$start" "$kind" || continue
    end "$id" "$grace" "$kind" "$start"
    [ "$kind" != s ] || sessions="$sessions $id:$grace" signalled="$signalled$id "
  done
done
tick=0
while :; do
  # The environment of a fork is its parent's until it calls exec(3): look again.
  case $proc$tick in /proc0 | /proc1 | /proc3 | /proc10) hunt ;; esac
  [ -n "$proc" ] && [ "$tick" -lt 10 ] || open=' '
  session_groups
  judge
  [ "$left$open" != ' ' ] || { session_groups; [ -n "$left" ] || break; }
  nap
done
`.replace(/^ *#.*\n/gm, '');
