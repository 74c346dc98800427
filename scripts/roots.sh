# shellcheck shell=bash
# Clean root folders of Debian systems. systems.sh, portable.sh and arm.sh source this after setting `root`, the
# project's folder. The roots stay in ${XDG_CACHE_HOME:-~/.cache}/glassformer-systems, so that the next run only updates
# them; a deleted one is made again. GLASSFORMER_MIRROR names a Debian mirror; without it debootstrap uses its own.
# shellcheck disable=SC2016  # bash -c has its own arguments
: "${root:?set it before sourcing}"
roots=${XDG_CACHE_HOME:-$HOME/.cache}/glassformer-systems

require_root_tools() { # require_root_tools SCRIPT
  local tool
  if ((EUID != 0)); then
    printf '%s\n' "$1 needs root: it makes a root folder of each system and changes into it." >&2
    exit 2
  fi
  for tool in debootstrap git; do
    command -v "$tool" >/dev/null || {
      printf '%s\n' "$1 needs the package $tool." >&2
      exit 2
    }
  done
  mkdir -p -- "$roots" || exit 1
}

# Runs a command in the system; whatever is mounted for it or left running by it is gone when it ends. A folder /medium
# in the system is read-only.
inside() { # inside SYSTEM COMMAND…
  unshare --mount --pid --fork --kill-child -- bash -c '
    mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
      if [ -d "$0/medium" ]; then mount --bind "$0/medium" "$0/medium" && mount -o remount,ro,bind "$0/medium"; fi &&
      exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"' "$@" </dev/null
}

make_system() { # make_system NAME SUITE: makes a minimal system with the ordinary user glassformer
  local system=$roots/$1
  if [[ ! -d $system ]]; then
    rm -rf -- "$system.new"
    debootstrap --variant=minbase "$2" "$system.new" ${GLASSFORMER_MIRROR:+"$GLASSFORMER_MIRROR"} &&
      mv -T -- "$system.new" "$system" || return 1
  fi
  cp -- /etc/resolv.conf "$system/etc/resolv.conf" || return 1
  inside "$system" id glassformer >/dev/null 2>&1 || inside "$system" useradd --create-home glassformer || return 1
}

# Runs apt-get in the system. A mirror may lag behind sid by more than its Release file allows.
inside_apt() { # inside_apt SYSTEM ARGUMENT…
  inside "$1" env DEBIAN_FRONTEND=noninteractive apt-get -y -o Acquire::Check-Valid-Until=false "${@:2}"
}

copy_tree() { # copy_tree SYSTEM: copies this folder's tracked files, with uncommitted changes, to the user's home
  local copy=$1/home/glassformer/glassformer
  mkdir -p -- "$copy" || return 1
  # Unchanged files keep their times, so what was built from them stays valid.
  (cd -- "$root" && git ls-files -z | while IFS= read -r -d '' file; do
    cmp -s -- "$file" "$copy/$file" || cp --parents -P -t "$copy" -- "$file" || exit 1
  done) || return 1
  (cd -- "$copy" && find . -path './build*' -prune -o -type f -printf '%P\0') | while IFS= read -r -d '' file; do
    [[ -e $root/$file ]] || rm -f -- "$copy/$file"
  done
  inside "$1" chown -R glassformer: /home/glassformer
}

as_user() { # as_user SYSTEM COMMAND: runs a shell command in the copy
  inside "$1" su - glassformer -c "cd glassformer && $2"
}
