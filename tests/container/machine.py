"""A bare Debian or Ubuntu in a folder, laid out as Gradescope does it, and entered as a container is.

What is entered sees its own files, processes and mounts; nothing is mounted outside. The archive and the package index are
those that this machine is configured for.
"""

import configparser
import contextlib
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import limits

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "seqprehistory"
BUNDLE = "etc/ssl/certs/ca-certificates.crt"
MACHINE_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/xdg/pip", "/etc/ssl/certs",
                 "/usr/local/share/ca-certificates")
MACHINE_APT = ("/etc/apt/sources.list", "/etc/apt/sources.list.d", "/etc/apt/apt.conf.d", "/etc/apt/auth.conf.d",
               "/etc/apt/keyrings", "/etc/apt/apt-mirrors.txt", "/etc/apt/trusted.gpg", "/etc/apt/trusted.gpg.d",
               "/usr/share/keyrings")
MACHINE_VARIABLES = re.compile(r"PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|\w+_proxy", re.IGNORECASE)
CONTAINER_CAPABILITIES = "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw," \
                         "+sys_chroot,+mknod,+audit_write,+setfcap"  # what container engines leave root by default
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENTER = """set -e
mount --make-rprivate /
mount -t proc proc {root}/proc
for device in null zero full random urandom tty; do mount --bind /dev/$device {root}/dev/$device; done
mount -t tmpfs -o mode=1777 shm {root}/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts {root}/dev/pts
{binds}
exec setpriv {capabilities} chroot {root} env -i {variables} sh -c {command}
"""


class CannotBuild(Exception):
    """The root cannot be built here; the text says why."""


class Machine:
    """The root in a folder; `run` is the only way in."""

    def __init__(self, root, binds):
        self.root, self.binds = root, binds
        self.autograder = root / "autograder"

    def run(self, command, seconds, cpus=0.5, variables=(), contained=True):
        """Run a shell command in there as root; returns limits.Finished.

        variables: environment besides PATH and HOME; contained: with the capabilities of a container's root only.
        """
        environment = {"PATH": PATH, "HOME": "/root", **dict(variables)}
        root = shlex.quote(str(self.root))
        script = ENTER.format(
            root=root, binds="\n".join(f"mount --bind {shlex.quote(path)} {root}{shlex.quote(path)}" for path in self.binds),
            capabilities=f"--inh-caps -all --bounding-set {CONTAINER_CAPABILITIES}" if contained else "",
            variables=" ".join(shlex.quote(f"{name}={value}") for name, value in environment.items()),
            command=shlex.quote(f"cd /autograder && {command}"))
        entered = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child",
                   "sh", "-c", script]
        return limits.run(entered, self.root.parent / "log", cpus, seconds)

    def lay_out(self, stage_zip, names=None):
        """/autograder afresh, with the zip's files (or only those) and nothing submitted; what was installed stays."""
        for name in ("source", "submission", "results"):
            shutil.rmtree(self.autograder / name, ignore_errors=True)
            (self.autograder / name).mkdir(parents=True)
        with zipfile.ZipFile(stage_zip) as archive:
            for entry in archive.infolist():
                if names is None or entry.filename in names:
                    archive.extract(entry, self.autograder / "source")
                    (self.autograder / "source" / entry.filename).chmod(entry.external_attr >> 16 & 0o777)
        shutil.copy2(self.autograder / "source" / "run_autograder", self.autograder / "run_autograder")

    def clear(self):
        """Forget the last submission and its results."""
        for name in ("submission", "results"):
            shutil.rmtree(self.autograder / name)
            (self.autograder / name).mkdir()


@contextlib.contextmanager
def machine():
    """A fresh root for the time of the block, with this machine's archive and index; one at a time. Raises CannotBuild."""
    _require()
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        work = CACHE / "work"
        shutil.rmtree(work, ignore_errors=True)  # of a run that was killed
        root = work / "root"
        root.mkdir(parents=True)
        try:
            subprocess.run(["tar", "-xf", _base(work), "-C", root], check=True)
            _copy_configuration(root)
            links = find_links()
            for path in links:
                (root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
            yield Machine(root, links)
        finally:
            shutil.rmtree(work)


@contextlib.contextmanager
def kept(machine, folder, *made_from):
    """Move a folder of the root in from the cache, if it is there, and back when the block ends without an exception.

    made_from: the bytes that decide whether it is the same. Gives whether it was there.
    """
    digest = hashlib.sha256(b"\0".join([_base_name().encode(), *made_from])).hexdigest()[:16]
    cached, used = CACHE / f"{Path(folder).name}-{digest}", machine.root / folder
    found = cached.exists()
    if found:
        cached.rename(used)
    yield found
    for old in CACHE.glob(f"{Path(folder).name}-*"):
        shutil.rmtree(old)
    used.rename(cached)


def variables():
    """What this machine tells pip and TLS libraries by the environment."""
    return {name: value for name, value in os.environ.items() if MACHINE_VARIABLES.fullmatch(name)}


def find_links():
    """The folders in which this machine's pip looks for packages besides the index."""
    named = os.environ.get("PIP_FIND_LINKS", "").split()
    for path in ("/etc/pip.conf", "/etc/xdg/pip/pip.conf"):
        parser = configparser.RawConfigParser()
        parser.read(path)
        named += [word for section in parser.sections() for word in parser.get(section, "find-links", fallback="").split()]
    paths = {word.removeprefix("file://") for word in named}
    return sorted(path for path in paths if os.path.isabs(path) and os.path.isdir(path))


def _require():
    """What the test needs of this machine; debootstrap is installed when only that is missing."""
    if os.uname().sysname != "Linux" or os.geteuid() != 0:
        raise CannotBuild("building and entering a root needs Linux and the root user (sudo make test-container)")
    missing = [name for name in ("unshare", "setpriv", "chroot", "mount", "tar") if not shutil.which(name)]
    if missing:
        raise CannotBuild(f"{', '.join(missing)} cannot be found (in Debian and Ubuntu: util-linux, coreutils, mount, tar)")
    if not shutil.which("debootstrap"):
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "debootstrap"]):
            _must(command, "debootstrap is missing and cannot be installed")


def _archive():
    """(release, mirror, components) of this machine's own archive, or of CONTAINER_ARCHIVE="release mirror components"."""
    if os.environ.get("CONTAINER_ARCHIVE"):
        return tuple(os.environ["CONTAINER_ARCHIVE"].split())
    release = re.search(r"^VERSION_CODENAME=\"?(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    if not release:
        raise CannotBuild("/etc/os-release names no release of Debian or Ubuntu")
    for text in [path.read_text() for path in (Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*")))
                 if path.is_file() and path.suffix in (".list", ".sources")]:
        for mirror, suites, components in _entries(text):
            if release[1] in suites:
                if mirror.startswith("mirror+file:"):
                    mirror = Path(mirror.removeprefix("mirror+file:")).read_text().split()[0]
                return release[1], mirror, ",".join(components)
    raise CannotBuild(f"no source in /etc/apt is for the release of this machine, {release[1]}")


def _entries(text):
    """(mirror, suites, components) of every entry of a sources file, in the one-line form or the other."""
    for line in re.findall(r"^deb\s+(?:\[[^\]]*\]\s*)?(\S.*)$", text, re.MULTILINE):
        mirror, suite, *components = line.split()
        yield mirror, [suite], components
    for paragraph in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)):
        fields = {name.lower(): value.split() for name, value in re.findall(r"^([\w-]+):(.*)$", paragraph, re.MULTILINE)}
        if "deb" in fields.get("types", []):
            for mirror in fields.get("uris", []):
                yield mirror, fields.get("suites", []), fields.get("components", [])


def _base_name():
    return "base-" + hashlib.sha256(" ".join([*_archive(), os.uname().machine]).encode()).hexdigest()[:16]


def _base(work):
    """The tar of the bare root, made by debootstrap when it is not in the cache."""
    release, mirror, components = _archive()
    archive = CACHE / f"{_base_name()}.tar"
    if not archive.exists():
        _must(["debootstrap", "--variant=minbase", f"--components={components}", release, work / "base", mirror],
              f"debootstrap cannot build {release} from {mirror}")
        part = work / "base.tar"
        subprocess.run(["tar", "--numeric-owner", "-cf", part, "-C", work / "base", "."], check=True)
        shutil.rmtree(work / "base")
        for old in CACHE.glob("base-*.tar"):
            old.unlink()
        part.rename(archive)
    return archive


def _copy_configuration(root):
    """This machine's ways to the network: names, pip, apt, and the certificates that it trusts."""
    if not os.environ.get("CONTAINER_ARCHIVE"):
        (root / "etc/apt/sources.list").unlink(missing_ok=True)  # debootstrap's
    for source in MACHINE_FILES + (() if os.environ.get("CONTAINER_ARCHIVE") else MACHINE_APT):
        target = root / source.lstrip("/")
        if os.path.isdir(source):
            subprocess.run(["cp", "-rL", f"{source}/.", _folder(target)], stderr=subprocess.DEVNULL)  # but for links to nothing
        elif os.path.isfile(source):
            _folder(target.parent)
            shutil.copyfile(source, target)
    for value in variables().values():
        if os.path.isabs(value) and os.path.isfile(value) and not (root / value.lstrip("/")).exists():
            _folder((root / value.lstrip("/")).parent)
            shutil.copyfile(value, root / value.lstrip("/"))
    (root / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")  # as in every container's image: no fsync
    if (root / BUNDLE).is_file():  # so that it is still in the bundle when the ca-certificates package makes it anew
        shutil.copyfile(root / BUNDLE, _folder(root / "usr/local/share/ca-certificates") / "machine.crt")


def _folder(path):
    path.mkdir(parents=True, exist_ok=True)
    return path


def _must(command, complaint):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        raise CannotBuild(f"{complaint}:\n" + "\n".join(done.stdout.splitlines()[-15:]))
