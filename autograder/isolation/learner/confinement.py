"""The layers that close a learner's process in, applied by itself before any of the learner's code runs."""

import ctypes
import os
import resource
import signal
import sys

if sys.platform.startswith("linux"):
    import landlockpy
    from landlockpy import AccessFS, Scope

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV = 0x4000, 0x40000, 2, 4
SYSTEM_PATHS = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/shm")
EXTRA_PROCESSES = 64


def prctl(option, value):
    """Call prctl; False where it is refused or does not exist."""
    try:
        return ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0
    except (OSError, AttributeError):
        return False


def become_reaper():
    """Adopt every orphan among the descendants, and die with the parent. Returns False where this is not possible."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def unshare(flags):
    """Enter new namespaces; False where that is refused. A new process namespace holds the children only."""
    return sys.platform.startswith("linux") and ctypes.CDLL(None).unshare(flags) == 0


def enter_namespaces(no_network):
    """New namespaces for one submission: processes, IPC and, unless that is closed already, network.

    Root needs nothing else; other users get them inside a user namespace, where the system allows that.
    """
    flags = CLONE_NEWPID | CLONE_NEWIPC | (0 if no_network else CLONE_NEWNET)
    return unshare(flags) if os.geteuid() == 0 else unshare(flags | CLONE_NEWUSER)


def mount_scratch(scratch, uid, size_mb):
    """Put small file systems of the submission's own over its scratch folder and /dev/shm (root only)."""
    if os.geteuid() != 0 or not unshare(CLONE_NEWNS):
        return False
    mount = ctypes.CDLL(None).mount
    if mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        return False
    options = f"size={size_mb}m,nr_inodes=5000,mode=0700,uid={uid},gid={uid}".encode()
    folders = [scratch, *(["/dev/shm"] if os.path.isdir("/dev/shm") else [])]
    return all(mount(b"tmpfs", folder.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, options) == 0 for folder in folders)


def confine(scratch, uid, limits, layers):
    """Apply every layer of `layers` that works here and return the names of those that do, in order.

    scratch: the only folder that stays writable; uid: the user to become when root; limits: dict with memory_mb,
    file_mb, cpu_seconds.
    """
    active = ["process"]
    if "limits" in layers:
        _set_limits(limits, owns_user=os.geteuid() == 0 and "user" in layers and _user_can_run(uid))
        active.append("limits")
    if "no_new_privileges" in layers and prctl(PR_SET_NO_NEW_PRIVS, 1):
        active.append("no_new_privileges")
    if "user" in layers and os.geteuid() == 0 and _user_can_run(uid):
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        active.append("user")
    if "landlock" in layers and _landlock(scratch):
        active.append("landlock")
    return active


def _set_limits(limits, owns_user):
    with open("/proc/self/statm") if os.path.exists("/proc/self/statm") else open(os.devnull) as file:
        pages = (file.read().split() or ["0"])[0]
    memory = int(pages) * resource.getpagesize() + limits["memory_mb"] * 2**20
    wanted = {"RLIMIT_AS": memory, "RLIMIT_FSIZE": limits["file_mb"] * 2**20, "RLIMIT_CPU": limits["cpu_seconds"],
              "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256, "RLIMIT_NPROC": EXTRA_PROCESSES if owns_user else _processes_of_user()}
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (value, value))


def _processes_of_user():
    """The limit counts every process and thread of the user, so it is set above what is there already."""
    mine = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.geteuid():
                mine += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return mine + EXTRA_PROCESSES


def _user_can_run(uid):
    """Whether the other user could still import from the standard library and the installed packages."""
    import numpy

    os.setegid(uid)
    os.seteuid(uid)
    try:
        return all(os.access(path, os.R_OK, effective_ids=True) for path in (os.__file__, numpy.__file__))
    finally:
        os.seteuid(0)
        os.setegid(0)


def _landlock(scratch):
    """Close all files but the interpreter's, the system's libraries and the scratch folder; close TCP and signals."""
    if not sys.platform.startswith("linux"):
        return False
    read = AccessFS.READ_FILE | AccessFS.READ_DIR | AccessFS.EXECUTE
    try:
        with landlockpy.Ruleset(scoped=Scope.SIGNAL | Scope.ABSTRACT_UNIX_SOCKET) as rules:
            for path in dict.fromkeys([sys.prefix, sys.base_prefix, *SYSTEM_PATHS]):
                if os.path.exists(path):
                    rules.allow_path(path, read if os.path.isdir(path) else AccessFS.READ_FILE)
            for path in DEVICES:
                if os.path.exists(path):
                    rules.allow_path(path, rules.handled_fs if os.path.isdir(path) else AccessFS.READ_FILE | AccessFS.WRITE_FILE)
            rules.allow_path(scratch, rules.handled_fs)
            rules.restrict()
    except (landlockpy.LandlockError, OSError):
        return False
    return True
