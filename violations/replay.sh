#!/usr/bin/env bash
# Replays certificates of violations with the libraries that their records pin.
#
#   violations/replay.sh NAME..                  these records
#   violations/replay.sh --all                   all records
#   violations/replay.sh --regression NAME VERSION
#                                                another version of the library: is the violation gone?
#
# PLAUDIT        the plaudit binary (else target/release/plaudit, else plaudit on PATH)
# PLAUDIT_WHEEL  a wheel of the Python package (else the folder python/ is used, which needs no build)
# PYTHON         the Python of the environments (else the first on PATH that fits the record)
#
# Environments are in target/violations, one for each set of requirements; one of audits/real/install.sh that has these
# versions, and this Python, is used as it is if there is no PLAUDIT_WHEEL. The exit code is 0 only if each
# violation is reproduced; with --regression, that of `plaudit audit --regression`: 0 if it is gone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/.." && pwd)
work=$root/target/violations

fail() { echo "replay.sh: $1" >&2; exit 2; }

binary() {
  if [ -n "${PLAUDIT:-}" ]; then
    command -v "$PLAUDIT" || fail "PLAUDIT=$PLAUDIT is not a program; set it to the plaudit binary"
  elif [ -x "$root/target/release/plaudit" ]; then
    echo "$root/target/release/plaudit"
  else
    command -v plaudit || fail "plaudit is not found; run cargo build --release, or set PLAUDIT"
  fi
}

# field NAME KEY: a text of a record, or the lines of a list.
field() {
  python3 - "$here/$1/record.json" "$2" <<'PY'
import json, sys
value = json.load(open(sys.argv[1], encoding="utf-8"))[sys.argv[2]]
print("\n".join(value) if isinstance(value, list) else value)
PY
}

# fits PYTHON LOWEST BELOW: true if the version is in the range.
fits() {
  "$1" - "$2" "$3" <<'PY' 2>/dev/null
import sys
lowest, below = (tuple(map(int, text.split("."))) for text in sys.argv[1:])
sys.exit(not lowest <= sys.version_info[:2] < below)
PY
}

# python_for ">=3.10,<3.13": a Python of this range.
python_for() {
  local range=${1//[>=< ]/} candidate
  local candidates=(python3 python3.11 python3.12 python3.10 python3.9 python3.13)
  if [ -n "${PYTHON:-}" ]; then candidates=("$PYTHON"); fi
  for candidate in "${candidates[@]}"; do
    if fits "$candidate" "${range%,*}" "${range#*,}"; then command -v "$candidate"; return; fi
  done
  fail "Python $1 is not found; set PYTHON"
}

# installed PYTHON PINS: an environment in target/real of the same Python with exactly these versions, if there is one.
installed() {
  local candidate
  for candidate in "$root"/target/real/*/; do
    if "$candidate/bin/python" - "$("$1" --version)" "$2" <<'PY' 2>/dev/null
import platform, sys
from importlib.metadata import version
pins = [line.split("==") for line in sys.argv[2].split()]
same = sys.argv[1] == "Python " + platform.python_version()
sys.exit(not (same and pins and all(version(name) == wanted for name, wanted in pins)))
PY
    then
      echo "${candidate%/}"
      return
    fi
  done
  return 1
}

# environment NAME [VERSION]: makes the environment of a record, and prints its folder.
environment() {
  local pins python hash folder
  pins=$(field "$1" requirements)
  if [ $# = 2 ]; then
    # The library is pinned first. Its companions can need other versions as well.
    pins=$(field "$1" library)==$2$'\n'$(tail -n +2 <<<"$pins")
  fi
  python=$(python_for "$(field "$1" python)") || exit 2
  if [ -z "${PLAUDIT_WHEEL:-}" ] && installed "$python" "$pins"; then return; fi
  hash=$( { echo "$pins" | sort; "$python" --version; } | python3 -c \
    'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest()[:12])')
  folder=$work/environment-$hash
  if [ ! -e "$folder/complete" ]; then
    "$python" -m venv --clear "$folder" >&2
    echo "$pins" > "$folder/requirements.txt"
    "$folder/bin/python" -m pip --disable-pip-version-check --quiet install -r "$folder/requirements.txt" >&2 ||
      fail "$1: pip cannot install $(tr '\n' ' ' <<<"$pins"); see its message above"
    touch "$folder/complete"
  fi
  if [ -n "${PLAUDIT_WHEEL:-}" ]; then
    "$folder/bin/python" -m pip --disable-pip-version-check --quiet install --no-deps --force-reinstall \
      "$PLAUDIT_WHEEL" >&2 || fail "pip cannot install PLAUDIT_WHEEL=$PLAUDIT_WHEEL"
  fi
  echo "$folder"
}

# within FOLDER COMMAND..: with the environment's Python first on PATH.
within() {
  local folder=$1
  shift
  if [ -z "${PLAUDIT_WHEEL:-}" ]; then
    PYTHONPATH=$root/python PATH=$folder/bin:$PATH "$@"
  else
    env -u PYTHONPATH PATH="$folder/bin:$PATH" "$@"
  fi
}

known() {
  [ -f "$here/$1/record.json" ] || fail "the record $1 does not exist; violations/ has $(names | tr '\n' ' ')"
}

names() { (cd "$here" && for record in */record.json; do dirname "$record"; done); }

replay() {
  local folder log=$work/$1.log code=0
  folder=$(environment "$1") || return 2
  (cd "$here/$1" && within "$folder" "$plaudit" replay --run-program certificate.json) > "$log" 2>&1 || code=$?
  case $code in
    0) echo "$1: reproduced" ;;
    1) echo "$1: not reproduced (log: target/violations/$1.log)" ;;
    *) echo "$1: failed with exit code $code (log: target/violations/$1.log)"; tail -n 5 "$log" >&2 ;;
  esac
  return "$code"
}

[ $# -gt 0 ] || fail "no record is named; name records, or use --all"
plaudit=$(binary) || exit 2
mkdir -p "$work"
if [ "$1" = --regression ]; then
  [ $# = 3 ] || fail "--regression takes the name of a record and a version"
  known "$2"
  folder=$(environment "$2" "$3") || exit 2
  cd "$here/$2"
  within "$folder" "$plaudit" audit audit.toml --regression certificate.json --no-regressions \
    --out "$work/regression-$2-$3"
  exit
fi
if [ "$1" = --all ]; then
  mapfile -t chosen < <(names)
else
  chosen=("$@")
fi
for name in "${chosen[@]}"; do known "$name"; done
worst=0
for name in "${chosen[@]}"; do replay "$name" || worst=1; done
exit "$worst"
