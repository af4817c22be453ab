#!/usr/bin/env bash
# Installs the libraries of requirements.txt and the Python package of plaudit into a virtual
# environment, target/real-venv. Run from anywhere, as often as you like.
#
#   audits/real/install.sh            with python3
#   PYTHON=python3.12 audits/real/install.sh
#   DIRECTORY=/tmp/venv audits/real/install.sh   elsewhere (the specs look in target/real-venv)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=${DIRECTORY:-$root/target/real-venv}
python=${PYTHON:-python3}

"$python" -c 'import sys; v = sys.version_info; sys.exit(
    None if (3, 9) <= v < (3, 14) else "install.sh: needs Python 3.9 to 3.13, and %s is %d.%d; set PYTHON" %
    (sys.executable, v[0], v[1]))'
# One that was made by another Python, or not to its end, is made anew.
wanted=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
found=$("$venv/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none)
if [ "$found" != "$wanted" ]; then
  "$python" -m venv --clear "$venv"
fi
pip() { "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install --only-binary :all: --requirement "$here/requirements.txt"
# The engine is built with it, which takes a minute or two the first time.
pip install --force-reinstall "$root/python"

"$venv/bin/python" "$here/mechanisms.py" --check
echo "installed into $venv"
