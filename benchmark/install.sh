#!/usr/bin/env bash
# Installs the auditors of the benchmark into virtual environments, target/benchmark/NAME. Run from anywhere, again at will.
#
#   benchmark/install.sh                      all auditors, with python3.10
#   benchmark/install.sh statdp dp-sniper     these
#   PYTHON=FILE benchmark/install.sh          with this Python 3.10, which all pinned versions have in common
#   PLAUDIT_WHEEL=FILE benchmark/install.sh   with a wheel of plaudit's package, instead of a build
#
# An auditor that cannot be installed is reported, the others are, and the exit code is 1.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-python3.10}
all=(plaudit statdp dp-sniper privacy-estimates dp-recorder dp-auditorium)

# Checks out a commit of a repository on GitHub, without submodules, into target/benchmark/sources/NAME.
checkout() {
  local name=$1 repository=$2 commit=$3 folder="$root/target/benchmark/sources/$1"
  rm -rf "$folder"
  git clone --quiet --no-checkout "https://github.com/$repository" "$folder" || return 1
  git -C "$folder" checkout --quiet "$commit" || return 1
  echo "$commit" > "$root/target/benchmark/$name/COMMIT"
}

install_auditor() {
  local name=$1 venv="$root/target/benchmark/$1" sources="$root/target/benchmark/sources/$1"
  "$python" -m venv --clear "$venv" || return 1
  local pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet install)
  case $name in
    plaudit)
      "${pip[@]}" "numpy<2.3" "${PLAUDIT_WHEEL:-$root/python}" ;;
    statdp)
      # It uses numpy.bool, which numpy 1.24 removed.
      checkout "$name" cmla-psu/statdp d1f1e8fafa1fe15342dc9502654ec241585b9919 &&
        "${pip[@]}" "numpy==1.23.5" numba tqdm "$sources" ;;
    dp-sniper)
      # The last torch on PyPI that brings its own libraries; a smaller one for CPUs is at download.pytorch.org/whl/cpu.
      checkout "$name" eth-sri/dp-sniper ee087b2584ca97d1064154db5dd2bda0bb5a8ceb &&
        "${pip[@]}" "torch==1.12.1" "numpy<2" scipy pandas scikit-learn mmh3 matplotlib tensorboard &&
        "${pip[@]}" --no-deps "$sources" ;;
    privacy-estimates)
      "${pip[@]}" "privacy-estimates==0.1.0.post1" ;;
    dp-recorder)
      checkout "$name" ObliviousAI/dp-recorder 85d189ebd7ff81a52984708322ee2c2d8c479db4 &&
        "${pip[@]}" "$sources" pytest ;;
    dp-auditorium)
      # Its package imports all testers, and so TensorFlow. Its own requirements pin 80 packages; these suffice.
      checkout "$name" google/differential-privacy b5b0286e313b64a692abfc8c528d54ef47d960a0 &&
        "${pip[@]}" "numpy~=1.26.3" "tensorflow-cpu~=2.15.0" "tensorflow-probability~=0.23.0" "google-vizier==0.1.21" \
          etils scipy absl-py typing-extensions "jax[cpu]~=0.4.23" &&
        "${pip[@]}" --no-deps "$sources/python/dp_auditorium" ;;
    *)
      echo "install.sh: unknown auditor $name; use one of: ${all[*]}" >&2
      return 1 ;;
  esac
}

"$python" -c 'import sys; sys.exit(None if sys.version_info[:2] == (3, 10) else "install.sh: needs Python 3.10; set PYTHON")' ||
  exit 1
mkdir -p "$root/target/benchmark/sources"
wanted=("$@")
[ $# -eq 0 ] && wanted=("${all[@]}")
failed=()
for name in "${wanted[@]}"; do
  if install_auditor "$name"; then
    echo "installed into target/benchmark/$name"
  else
    echo "install.sh: $name could not be installed; see above" >&2
    # A half-made environment would count as installed.
    rm -rf "$root/target/benchmark/$name"
    failed+=("$name")
  fi
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "install.sh: not installed: ${failed[*]}" >&2
  exit 1
fi
