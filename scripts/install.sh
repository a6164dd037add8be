# Installs what Ripple needs on Debian and Ubuntu. Sourced by ./demo and ./check.
#
#   need_rust               ends the script with advice if there is no usable Rust
#   need_packages WHAT...   installs what is missing, or ends the script with advice
#   want_packages WHAT...   the same for what one can do without: then says so and goes on
#
# apt is called only if something is missing, with sudo unless we are root.

rust_minimum=1.88

# What building Ripple and compiling C take: a linker, a C++ compiler and libclang for the SAT
# solver, and clang itself. No make, no cmake, no LLVM libraries.
build_packages="clang gcc g++ libc6-dev libclang1"

say() {
    printf '\n== %s\n' "$*"
}

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 2
}

need_rust() {
    if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    command -v cargo >/dev/null && command -v rustc >/dev/null ||
        fail "Rust is missing. Install it as https://rustup.rs says, then run this again."
    local version
    version=$(rustc --version | cut -d' ' -f2)
    if [ "$(printf '%s\n' "$rust_minimum" "$version" | sort -V | head -n1)" != "$rust_minimum" ]; then
        fail "Rust $rust_minimum or newer is needed and this is $version. Run \`rustup update stable\`."
    fi
}

# The major version of the clang that is used by default.
clang_major() {
    clang -dumpversion 2>/dev/null | cut -d. -f1
}

# Whether what a package is wanted for is there, wherever it comes from.
have() {
    case $1 in
        libc6-dev) [ -e /usr/include/stdio.h ] ;;
        libclang-rt-*-dev) have_sanitizers "$1" ;;
        libcsmith-dev) have_csmith_header ;;
        gcc) command -v cc >/dev/null ;;
        g++) command -v c++ >/dev/null ;;
        libclang1) have_libclang ;;
        libtool) command -v libtoolize >/dev/null ;;
        libtool-bin) command -v libtool >/dev/null ;;
        ninja-build) command -v ninja >/dev/null ;;
        python3-jsonschema) python3 -c 'import jsonschema' 2>/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# The library is loaded by bindgen, which describes the SAT solver to Rust when it is built.
have_libclang() {
    [ -n "${LIBCLANG_PATH:-}" ] ||
        [ -n "$(find -L /usr/lib /usr/local/lib -maxdepth 3 \
            \( -name 'libclang.so*' -o -name 'libclang-[0-9]*.so*' \) -print -quit 2>/dev/null)" ]
}

have_csmith_header() {
    [ -n "$(find /usr/include /usr/local/include -name csmith.h -print -quit 2>/dev/null)" ]
}

have_sanitizers() {
    local number=${1#libclang-rt-} directory
    number=${number%-dev}
    directory=/usr/lib/llvm-$number/lib/clang
    [ -n "$(find -L "$directory" -name 'libclang_rt.asan*.a' -print -quit 2>/dev/null)" ]
}

missing_of() {
    local package
    for package in "$@"; do
        have "$package" || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

can_install() {
    command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }
}

has_candidate() {
    case $(apt-cache policy "$1" 2>/dev/null) in
        *'Candidate: (none)'* | '') return 1 ;;
        *) return 0 ;;
    esac
}

# Refreshes the package lists if they are older than a day, at most once.
refresh_lists() {
    [ -z "${lists_are_fresh:-}" ] || return 0
    lists_are_fresh=yes
    local lists=/var/lib/apt/lists
    if [ -z "$(find $lists -maxdepth 0 -mtime -1 2>/dev/null)" ] ||
        [ -z "$(find $lists -maxdepth 1 -name '*Packages*' -print -quit 2>/dev/null)" ]; then
        as_root apt-get update -qq || true
    fi
}

install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

need_packages() {
    local missing
    missing=$(missing_of "$@" | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    can_install || fail "Missing: $missing. Install with: sudo apt-get install -y $missing"
    say "installing $missing"
    refresh_lists
    # shellcheck disable=SC2086 # Package names hold no blanks.
    install $missing || fail "apt-get could not install $missing"
}

want_packages() {
    local missing package available=
    missing=$(missing_of "$@")
    [ -n "$missing" ] || return 0
    if ! can_install; then
        echo "going on without: $(echo "$missing" | tr '\n' ' ')"
        return 0
    fi
    refresh_lists
    for package in $missing; do
        if has_candidate "$package"; then
            available="$available $package"
        else
            echo "going on without $package: this release does not have it"
        fi
    done
    [ -n "$available" ] || return 0
    say "installing$available"
    for package in $available; do
        install "$package" || echo "going on without $package: apt-get could not install it"
    done
}
