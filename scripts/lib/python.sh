# shellcheck shell=sh
# Finding a Python, and making virtual environments. Sourced by the scripts beside it; POSIX sh.
# The sourcing script sets `me`, the name that messages start with.

# say WORD… : one line for the person who waits, never into a result on standard output.
say() {
  printf '%s\n' "$*" >&2
}

# die WORD… : says what is wrong and ends with status 1.
die() {
  printf '%s: %s\n' "${me:-millebornes}" "$*" >&2
  exit 1
}

# usable_python COMMAND : is it a Python that this package supports?
# Asked of the program itself, since a version manager may put names on the PATH that lead nowhere.
usable_python() {
  "$1" -I -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (4, 0))' </dev/null >/dev/null 2>&1
}

# find_python : prints the path of a Python >= 3.11, rather one that can make environments; fails when there is none.
find_python() {
  if [ -n "${MILLEBORNES_PYTHON:-}" ]; then
    if ! usable_python "$MILLEBORNES_PYTHON"; then
      say "$me: MILLEBORNES_PYTHON is '$MILLEBORNES_PYTHON', which is no Python 3.11 or newer."
      return 1
    fi
    path_of_python "$MILLEBORNES_PYTHON"
    return
  fi
  second=''
  for name in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if usable_python "$name"; then
      if has_venv "$name"; then
        path_of_python "$name"
        return
      fi
      second=${second:-$name}
    fi
  done
  [ -n "$second" ] && path_of_python "$second"
}

# path_of_python COMMAND : the interpreter behind a name on the PATH.
path_of_python() {
  "$1" -I -c 'import sys; print(sys.executable)' </dev/null
}

# has_venv PYTHON : can it make virtual environments with pip in them? (Debian packages this apart.)
has_venv() {
  "$1" -I -c 'import ensurepip, venv' </dev/null >/dev/null 2>&1
}

# apt_install PACKAGE… : installs Debian packages; fails without root or apt-get.
apt_install() {
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    return 1
  fi
  say "Installing Debian packages: $*"
  # The package lists of a fresh machine are often empty or old: then fetch them and try again.
  told=$(apt_quietly install -y --no-install-recommends "$@") && return 0
  told=$(apt_quietly update && apt_quietly install -y --no-install-recommends "$@") && return 0
  printf '%s\n' "$told" | grep -E '^(E|Err|W):' | tail -n 4 | sed 's/^/  | /' >&2
  return 1
}

# apt_quietly ARGUMENT… : apt-get without questions; what it says goes to standard output.
apt_quietly() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" </dev/null 2>&1
}

# venv_package PYTHON : the name of the Debian package that gives PYTHON its venv module.
venv_package() {
  case "$1" in
    */python3.[0-9]*) printf '%s-venv\n' "$(basename -- "$1")" ;;
    *) printf 'python3-venv\n' ;;
  esac
}

# need_python : sets `python` to a Python >= 3.11 that can make virtual environments, installing what is
# missing where it may; otherwise says what to install and ends.
need_python() {
  if ! python=$(find_python); then
    [ -z "${MILLEBORNES_PYTHON:-}" ] || exit 1
    apt_install python3 python3-venv || true
    python=$(find_python) || die "Python 3.11 or newer is needed and was not found.
  Debian 12 or Ubuntu 24.04 and newer:  sudo apt-get install python3 python3-venv
  Fedora:                               sudo dnf install python3
  macOS with Homebrew:                  brew install python
Then start this again. (Set MILLEBORNES_PYTHON to use one that is not on the PATH.)"
  fi
  if ! has_venv "$python"; then
    package=$(venv_package "$python")
    apt_install "$package" || true
    has_venv "$python" || die "$python lacks the modules 'venv' and 'ensurepip'. Install the package that holds them, then start this again:
  sudo apt-get install $package"
  fi
}

# real_path FILE : its path with all links followed; empty when it does not exist.
real_path() {
  if [ -e "$1" ]; then
    readlink -f -- "$1" 2>/dev/null || printf '%s\n' "$1"
  fi
}

# set_up_venv FOLDER CHECKOUT KEY LOG REQUIREMENT… : makes or mends the virtual environment FOLDER with `$python`: the
# package in CHECKOUT as an editable package with REQUIREMENT… (such as ".[dev]") and the pinned versions of constraints.txt.
#
# With `prefer_uv=yes`, uv installs them where it can.
#
# FOLDER/stamp holds KEY and the interpreter. It is removed first and written last, so an interrupted set-up is
# seen as such by the next start, which begins anew.
set_up_venv() (
  folder=$1 checkout=$2 key=$3 log=$4
  shift 4
  unset PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE_VIRTUALENV
  export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
  : >"$log" || exit 1
  # Only an environment that was once complete, by the same interpreter, is worth mending.
  if [ ! -f "$folder/stamp" ] || [ "$(real_path "$folder/bin/python")" != "$(real_path "$python")" ]; then
    rm -rf -- "$folder"
    "$python" -I -m venv "$folder" </dev/null >>"$log" 2>&1 || exit 1
  fi
  rm -f -- "$folder/stamp"
  cd -- "$checkout" || exit 1
  if [ "${prefer_uv:-no}" != yes ] || ! uv_install "$folder" "$@" </dev/null >>"$log" 2>&1; then
    # The first name binds the build backend too in older versions of pip, the second in newer ones. Both are split at
    # spaces, therefore no path.
    export PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
    # numba and numpy come compiled: building them by oneself would fail only after a long while.
    "$folder/bin/python" -I -m pip install --quiet --retries 2 --no-compile --only-binary llvmlite,numba,numpy \
      "$@" </dev/null >>"$log" 2>&1 || exit 1
  fi
  # Bytecode for later starts, but not of the packages' own tests. The installers would write it all, pip on one core.
  # Some packages hold files that no Python can compile.
  "$folder/bin/python" -I -m compileall -q -j 0 -x 'site-packages/.*/tests/' "$folder/lib" \
    </dev/null >/dev/null 2>&1 || true
  stamp_text "$folder" "$key" >"$folder/stamp.new" && mv -f -- "$folder/stamp.new" "$folder/stamp"
)

# uv_install FOLDER ARGUMENT… : installs the same as pip, but with uv, which takes an eighth of the time for hundreds of
# packages. It fails if uv or a package isn't available, for example if only pip knows the package index. Then use pip.
uv_install() {
  folder=$1
  shift
  index=${PIP_INDEX_URL:-$("$folder/bin/python" -I -m pip config get global.index-url 2>/dev/null || true)}
  "$folder/bin/python" -I -m pip install --quiet --retries 2 --constraint constraints.txt uv || return 1
  if [ -n "$index" ]; then
    export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$index}"
  fi
  "$folder/bin/uv" pip install --quiet --system-certs --python "$folder/bin/python" --constraint constraints.txt \
    --build-constraint constraints.txt --only-binary llvmlite --only-binary numba --only-binary numpy "$@"
}

# stamp_text FOLDER KEY : what FOLDER/stamp has to say for the environment to be fresh.
stamp_text() {
  printf '%s\n%s\n%s\n' "$2" "$(real_path "$1/bin/python")" "$1"
}

# venv_fresh FOLDER KEY : is the environment complete and of these ingredients? Starts no Python: it must be quick.
venv_fresh() {
  [ -f "$1/stamp" ] && [ -x "$1/bin/python" ] && [ "$(cat "$1/stamp")" = "$(stamp_text "$1" "$2")" ]
}

# explain_failure LOG : says in words why a set-up failed.
explain_failure() {
  if grep -qiE 'NewConnectionError|ConnectTimeout|ReadTimeout|Temporary failure|Name or service not known|Network is unreachable|ProxyError|Connection (refused|reset|broken)|Failed to establish|SSLError' "$1"; then
    # What pip concludes from a missing network (contradictory versions) only leads astray.
    say "$me: the Python packages that are needed could not be downloaded. Is this machine connected to the network?"
  else
    if grep -qi 'No space left on device' "$1"; then
      say "$me: the disk is full; the set-up needs about 400 MB."
    else
      say "$me: the set-up with $python failed."
    fi
    grep -E '(^|[[:space:]])[A-Za-z.]*(ERROR|[Ee]rror):' "$1" | tail -n 3 | sed 's/^ */  | /' >&2
  fi
  say "  The whole story: $1"
}
