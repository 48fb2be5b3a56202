"""The layers that close a learner's process in, applied by itself before any of the learner's code runs."""

import contextlib
import ctypes
import errno
import os
import resource
import shutil
import struct
import sys

if sys.platform.startswith("linux"):
    import landlockpy
    from landlockpy import AccessFS, Scope

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
PR_SET_SECCOMP, SECCOMP_FILTER = 22, 2
# What reaches other processes and is closed by nothing else, by machine: (audit's number of it, numbers of the calls)
# socket, io_uring_setup; shmget, semget, msgget, mq_open; add_key, request_key, keyctl; and memfd_create, for memory that
# belongs to no process, so that no limit counts it
OUTWARD_CALLS = {"x86_64": (0xC000003E, (41, 425, 29, 64, 68, 240, 248, 249, 250, 319)),
                 "aarch64": (0xC00000B7, (198, 425, 194, 190, 186, 180, 217, 218, 219, 279))}
FOREIGN_CALLS = 0x40000000  # from here on: the calls of x86-64 with short pointers
MS_BIND, MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV, MNT_DETACH = 0x1000, 0x4000, 0x40000, 2, 4, 2
SYSTEM_PATHS = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
SHARED_MEMORY = "/dev/shm"
PROCESSES = 64  # and threads, that one submission may have where they are counted for it alone


def prctl(option, value):
    """Call prctl; False where it is refused or does not exist."""
    try:
        return ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0
    except (OSError, AttributeError):
        return False


def become_reaper():
    """Adopt every orphan among the descendants. Returns False where this is not possible."""
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def unshare(flags):
    """Enter new namespaces; False where that is refused. A new process namespace holds the children only."""
    return sys.platform.startswith("linux") and ctypes.CDLL(None).unshare(flags) == 0


def enter_namespaces(no_network):
    """New namespaces for one submission: mounts, processes, IPC and, unless that is closed already, network.

    Root needs nothing else; other users get them inside a user namespace, where the system allows that.
    """
    uid, gid = os.geteuid(), os.getegid()
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (0 if no_network else CLONE_NEWNET)
    if not unshare(flags if uid == 0 else flags | CLONE_NEWUSER):
        return False
    if uid != 0:  # without a mapping no file could be made in a file system of its own
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    return True


def mount_own_files(scratch, uid, size_mb):
    """Put small file systems of the submission's own over its scratch folder and /dev/shm; needs namespaces."""
    owner, group = (uid, uid) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    if not _mount("none", "/", None, MS_REC | MS_PRIVATE):
        return False
    if os.geteuid() == 0:
        _open_interpreter()
    os.makedirs(scratch, exist_ok=True)
    options = f"size={size_mb}m,nr_inodes=5000,mode=0700,uid={owner},gid={group}"
    folders = [scratch, *([SHARED_MEMORY] if os.path.isdir(SHARED_MEMORY) else [])]
    return all(_mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) for folder in folders)


def _open_interpreter():
    """Let other users reach an interpreter below a closed folder (a home with mode 0700), in this mount namespace only.

    An empty file system covers the closed folder, and nothing but the interpreter is put back.
    """
    closed = {}
    for prefix in (sys.prefix, sys.base_prefix):
        for path in dict.fromkeys((prefix, os.path.realpath(prefix))):
            parents = [os.sep.join(path.split(os.sep)[:depth]) for depth in range(2, path.count(os.sep) + 1)]
            folder = next((parent for parent in parents if not os.stat(parent).st_mode & 0o001), None)
            if folder is not None:
                closed.setdefault(folder, {})[path] = os.open(path, os.O_PATH)
    for folder, paths in closed.items():
        if _mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=0711"):
            for path, handle in paths.items():
                os.makedirs(path, exist_ok=True)
                _mount(f"/proc/self/fd/{handle}", path, None, MS_BIND | MS_REC)
    for handle in [handle for paths in closed.values() for handle in paths.values()]:
        os.close(handle)


def _mount(source, target, kind, flags, options=""):
    return ctypes.CDLL(None).mount(source.encode(), target.encode(), kind and kind.encode(), flags, options.encode()) == 0


def unmount(folder):
    """Take away what was mounted over a folder, if anything was."""
    ctypes.CDLL(None).umount2(folder.encode(), MNT_DETACH)


def clear_shared_memory(uid):
    """Remove what a submission's user left in /dev/shm, where that is everybody's."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(SHARED_MEMORY)):
            if entry.stat(follow_symlinks=False).st_uid == uid:
                shutil.rmtree(entry) if entry.is_dir(follow_symlinks=False) else os.unlink(entry)


def confine(scratch, uid, limits, layers, in_namespaces, own_files):
    """Apply every layer of `layers` that works here and return the names of those that do, in order.

    scratch: the only folder that stays writable, besides /dev/shm where that is the submission's own (own_files) or can
    be cleared by its user; uid: the user to become when root; limits: dict with memory_mb, file_mb, cpu_seconds;
    in_namespaces: whether this process is in namespaces of its own (for others than root, a user namespace too).
    """
    active = ["process"]
    if "limits" in layers:
        counted_alone = "user" in layers and _user_can_run(uid) if os.geteuid() == 0 else in_namespaces
        _set_limits(limits, counted_alone)
        active.append("limits")
    if "no_new_privileges" in layers and prctl(PR_SET_NO_NEW_PRIVS, 1):
        active.append("no_new_privileges")
    if "sockets" in layers and "no_new_privileges" in active and no_sockets():
        active.append("sockets")
    if "user" in layers and os.geteuid() == 0 and _user_can_run(uid):
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        active.append("user")
    writable = [scratch, SHARED_MEMORY] if own_files or "user" in active else [scratch]
    if "landlock" in layers and _landlock(writable):
        active.append("landlock")
    return active


def no_sockets():
    """Refuse to make sockets (pairs excepted, which lead nowhere), System V objects, message queues, keys and memory files.

    Landlock closes neither UDP nor sockets in folders, and the others outlive the submission.
    """
    machine = os.uname().machine
    if not sys.platform.startswith("linux") or machine not in OUTWARD_CALLS or sys.maxsize < 2**32:
        return False
    audit, calls = OUTWARD_CALLS[machine]
    load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06  # of the kernel's packet filter: (what, jump if so, if not, value)
    refuse, allow, count = 0x00050000 | errno.EACCES, 0x7FFF0000, len(calls)
    program = [(load, 0, 0, 4), (equal, 0, count + 2, audit), (load, 0, 0, 0), (at_least, count, 0, FOREIGN_CALLS),
               *((equal, count - i - 1, int(i == count - 1), call) for i, call in enumerate(calls)),
               (give, 0, 0, refuse), (give, 0, 0, allow)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code)))
    return ctypes.CDLL(None).prctl(PR_SET_SECCOMP, SECCOMP_FILTER, ctypes.c_void_p(ctypes.addressof(head)), 0, 0) == 0


def _set_limits(limits, counted_alone):
    with open("/proc/self/statm") if os.path.exists("/proc/self/statm") else open(os.devnull) as file:
        pages = (file.read().split() or ["0"])[0]
    memory = int(pages) * resource.getpagesize() + limits["memory_mb"] * 2**20
    wanted = {"RLIMIT_AS": memory, "RLIMIT_FSIZE": limits["file_mb"] * 2**20, "RLIMIT_CPU": limits["cpu_seconds"],
              "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 256,
              "RLIMIT_NPROC": PROCESSES if counted_alone else _processes_of_user() + 4 * PROCESSES}
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (value, value))


def _processes_of_user():
    """The limit counts every process and thread of the user, those of other lanes too, so it is set well above them.

    The keeper ends a submission that has too many of its own.
    """
    mine = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.geteuid():
                mine += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return mine


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


def _landlock(writable):
    """Close all files but the interpreter's, the system's libraries and the writable folders; close TCP and signals."""
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
                    rules.allow_path(path, AccessFS.READ_FILE | AccessFS.WRITE_FILE)
            for path in writable:
                if os.path.exists(path):
                    rules.allow_path(path, rules.handled_fs)
            rules.restrict()
    except (landlockpy.LandlockError, OSError):
        return False
    return True
