#!/usr/bin/env bash
# Installs published libraries and the Python package of plaudit into virtual environments, target/real/GROUP: one for
# each file requirements/GROUP.txt, of libraries whose versions agree. Run from anywhere, as often as you like.
#
#   audits/real/install.sh                        all groups, with python3
#   audits/real/install.sh common opendp          these groups
#   PYTHON=python3.12 audits/real/install.sh      with this Python, 3.9 to 3.13
#   PLAUDIT_WHEEL=FILE audits/real/install.sh     with a wheel of plaudit, instead of a build
#
# A group that cannot be installed is reported, the others are, and the exit code is 1.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-python3}

"$python" -c 'import sys; v = sys.version_info; sys.exit(
    None if (3, 9) <= v < (3, 14) else "install.sh: needs Python 3.9 to 3.13, and %s is %d.%d; set PYTHON" %
    (sys.executable, v[0], v[1]))' || exit 1
wanted=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

# One environment; the first step that fails ends it.
install_group() {
  local group=$1 venv="$root/target/real/$1" found
  # An environment of another Python, or an unfinished one, is made again.
  found=$("$venv/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none)
  if [ "$found" != "$wanted" ]; then
    "$python" -m venv --clear "$venv" || return 1
  fi
  local pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet)
  "${pip[@]}" install --only-binary :all: --requirement "$here/requirements/$group.txt" || return 1
  # The engine is built with the package, which takes a minute or two the first time.
  "${pip[@]}" install --force-reinstall "${PLAUDIT_WHEEL:-$root/python}" || return 1
  local file
  for file in "$here"/rows/*.py; do
    if grep -q "^ENVIRONMENT = \"$group\"" "$file"; then
      "$venv/bin/python" "$here/serve.py" "$(basename "$file" .py)" --check || return 1
    fi
  done
  echo "installed into $venv"
}

groups=("$@")
if [ $# -eq 0 ]; then
  for file in "$here"/requirements/*.txt; do groups+=("$(basename "$file" .txt)"); done
fi
failed=()
for group in "${groups[@]}"; do
  if [ ! -f "$here/requirements/$group.txt" ]; then
    echo "install.sh: requirements/$group.txt is missing; use one of: $(cd "$here/requirements" && echo *.txt)" >&2
    failed+=("$group")
  elif ! install_group "$group"; then
    echo "install.sh: $group could not be installed; see above" >&2
    failed+=("$group")
  fi
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "install.sh: not installed: ${failed[*]}" >&2
  exit 1
fi
