#!/bin/sh
# Installs oldhand from its release archive, after checking what was fetched.
#
#   curl -fsSL @REPOSITORY@/releases/latest/download/install.sh | sh
#   sh install.sh --uninstall
#
# OLDHAND_VERSION     the version [@VERSION@]
# OLDHAND_BASE_URL    where the archive and SHA256SUMS are; https:, file: and http://127.0.0.1 work
# OLDHAND_PREFIX      `bin` and `share` go below it [~/.local]
set -eu

version=${OLDHAND_VERSION:-@VERSION@}
base=${OLDHAND_BASE_URL:-@REPOSITORY@/releases/download/v$version}
prefix=${OLDHAND_PREFIX:-${HOME:?set HOME or OLDHAND_PREFIX}/.local}

fail() {
    echo "error: $1" >&2
    [ $# -lt 2 ] || echo "hint: $2" >&2
    exit 1
}

# The files of an earlier installation, and the folders that are empty without them.
remove() {
    list="$prefix/share/oldhand/files"
    [ -f "$list" ] || fail "nothing was installed by this script below: \`$prefix\`" 'set OLDHAND_PREFIX to the folder it was installed to'
    while IFS= read -r file; do
        rm -f "$prefix/$file"
    done <"$list"
    sed 's|/[^/]*$||' "$list" | sort -ru >"$list.folders"
    rm -f "$list"
    while IFS= read -r folder; do
        while [ "$folder" != . ] && rmdir "$prefix/$folder" 2>/dev/null; do
            folder=$(dirname "$folder")
        done
    done <"$list.folders"
    rm -f "$list.folders"
    rmdir "$prefix/share/oldhand" "$prefix/share" "$prefix/bin" "$prefix" 2>/dev/null || true
}

target() {
    case "$(uname -s)/$(uname -m)" in
    Linux/x86_64) echo x86_64-unknown-linux-gnu ;;
    Linux/aarch64 | Linux/arm64) echo aarch64-unknown-linux-gnu ;;
    Darwin/x86_64) echo x86_64-apple-darwin ;;
    Darwin/arm64) echo aarch64-apple-darwin ;;
    *) fail "there is no program for this machine: \`$(uname -s) $(uname -m)\`" 'build it: cargo install --locked oldhand' ;;
    esac
}

fetch() {
    case "$base" in
    https:* | file:* | http://127.0.0.1[:/]*) ;;
    *) fail "not a safe place to fetch from: \`$base\`" 'use https:' ;;
    esac
    if command -v curl >/dev/null; then
        curl -fsSL -o "$2" "$base/$1" || fail "could not fetch \`$base/$1\`"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$base/$1" || fail "could not fetch \`$base/$1\`"
    else
        fail 'neither curl nor wget is installed'
    fi
}

sum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# Everything happens in here, so that half a script does nothing.
main() {
    case "${1:-}" in
    '') ;;
    --uninstall)
        remove
        echo "removed oldhand from $prefix"
        exit 0
        ;;
    *) fail "unexpected argument: \`$1\`" 'known: --uninstall' ;;
    esac
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
    target=$(target)
    stem="oldhand-$version-$target"
    fetch SHA256SUMS "$scratch/SHA256SUMS"
    want=$(grep " $stem.tar.gz\$" "$scratch/SHA256SUMS" | cut -d' ' -f1)
    [ -n "$want" ] || fail "this release has no archive: \`$stem.tar.gz\`"
    fetch "$stem.tar.gz" "$scratch/archive.tar.gz"
    have=$(sum "$scratch/archive.tar.gz")
    [ "$have" = "$want" ] || fail "the archive is not what was released: sha256 $have, expected $want" 'nothing was installed; try again, and report it if it stays'
    tar -xzf "$scratch/archive.tar.gz" -C "$scratch"
    [ ! -f "$prefix/share/oldhand/files" ] || remove
    mkdir -p "$prefix/share/oldhand"
    (cd "$scratch/$stem" && find bin share -type f | sort) >"$scratch/files"
    while IFS= read -r file; do
        mkdir -p "$prefix/$(dirname "$file")"
        # A program that runs keeps the old file.
        cp -p "$scratch/$stem/$file" "$prefix/$file.new"
        mv -f "$prefix/$file.new" "$prefix/$file"
    done <"$scratch/files"
    mv "$scratch/files" "$prefix/share/oldhand/files"
    echo "installed oldhand $version: $prefix/bin/oldhand"
    case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
    esac
}

main "$@"
