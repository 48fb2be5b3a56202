"""Where cases are tried: a folder with secrets and things that must survive, and the means to see what became of them."""

import contextlib
import ctypes
import os
import secrets
import socket
import tempfile
import time
from pathlib import Path

from autograder.files import remove_tree


class Arena:
    """A marked temporary folder: decoys of the pack, a planted secret, another submission, a place for submissions.

    The temporary folder and HOME of everything started inside `with` lie in it, so that processes can be recognised.
    """

    def __enter__(self):
        self.base = Path(tempfile.mkdtemp(prefix="corpus-"))
        self.base.chmod(0o711)
        self.marker = self.base.name
        self.key = secrets.randbelow(2**30) + 1  # of the System V objects that one case leaves
        # A case knows the first word of a secret, and only who has read it knows the second.
        words = {name: (secrets.token_hex(6), secrets.token_hex(6)) for name in ("token", "other", "hidden", "reference")}
        self.secrets = [second for _, second in words.values()]
        token, other, hidden, reference = (f"{first} {second}" for first, second in words.values())
        self.fixed = {"pack/planted.txt": token, "pack/other.ipynb": other, "pack/victim.txt": "untouched",
                      "scratch/keep": "", "outside/keep": ""}
        for stage in ("stage1_recurrence", "stage2_bptt"):
            self.fixed[f"pack/solutions/{stage}.py"] = f"# x @ a_prev + {reference}\n# 1 - a**2 {reference}\n"
            for question in ("elman_step", "step_jacobian", "numerical_gradient"):
                self.fixed[f"pack/autograder/hidden/{stage}/{question}.py"] = f"# ask.agrees({hidden})\n"
        for name, text in self.fixed.items():
            path = self.base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.base / "outside").chmod(0o777)
        (self.base / "scratch").chmod(0o711)
        (self.base / "pack").chmod(0o700)
        self.places = {"root": str(self.base / "pack"), "planted": str(self.base / "pack" / "planted.txt"),
                       "other": str(self.base / "pack" / "other.ipynb"), "victim": str(self.base / "pack" / "victim.txt"),
                       "marker": self.marker, "token_word": words["token"][0],
                       "other_word": words["other"][0],
                       "key": str(self.key), "outside": str(self.base / "outside")}
        self._listen()
        self._before = {name: os.environ.get(name) for name in ("HOME", "TMPDIR", "CORPUS_TOKEN")}
        os.environ.update(HOME=str(self.base), TMPDIR=str(self.base / "scratch"), CORPUS_TOKEN=token)
        self._tempdir, tempfile.tempdir = tempfile.tempdir, None
        return self

    def _listen(self):
        """Sockets that a submission may try to reach: in a folder and on the loopback interface, streams and datagrams."""
        self.lines = []
        for kind, name in ((socket.SOCK_STREAM, "stream"), (socket.SOCK_DGRAM, "datagram")):
            for family, address in ((socket.AF_UNIX, f"{self.base}/outside/{name}"), (socket.AF_INET, ("127.0.0.1", 0))):
                line = socket.socket(family, kind)
                line.bind(address)
                if kind == socket.SOCK_STREAM:
                    line.listen()
                line.setblocking(False)
                self.lines.append(line)
                if family == socket.AF_INET:
                    self.places[f"{name}_port"] = str(line.getsockname()[1])
            os.chmod(f"{self.base}/outside/{name}", 0o777)

    def __exit__(self, *error):
        for line in self.lines:
            line.close()
        for name, value in self._before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        tempfile.tempdir = self._tempdir
        self.tidy()
        remove_tree(self.base)

    def submission(self, files):
        """Write {name: bytes} as it was handed in; returns the path that a grader is given: a file or a folder of folders."""
        box = Path(tempfile.mkdtemp(dir=self._folder("box")))
        folder = box if len(files) == 1 and "/" not in next(iter(files)) else box / "handed_in"
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return box / next(iter(files)) if folder == box else box

    def out(self):
        """A fresh folder for results."""
        return Path(tempfile.mkdtemp(dir=self._folder("out")))

    def _folder(self, name):
        (self.base / name).mkdir(exist_ok=True, mode=0o700)
        return self.base / name

    def damage(self):
        """What is not as it was: one line each."""
        for name, text in self.fixed.items():
            path = self.base / name
            if not path.is_file() or path.read_text() != text:
                yield f"{name} was changed"
        yield from (f"{path.relative_to(self.base)} was left" for path in self._strays())
        for line in self.lines:
            with contextlib.suppress(BlockingIOError):
                line.accept() if line.type == socket.SOCK_STREAM else line.recv(100)
                yield f"reached {line.getsockname()}"
        yield from (f"{path} was left" for path in Path("/dev/shm").glob(f"*{self.marker}*"))
        if ctypes.CDLL(None).shmget(self.key, 0, 0) != -1 or ctypes.CDLL(None).msgget(self.key, 0) != -1:
            yield "System V objects were left"

    def _strays(self):
        """What lies where nothing was put."""
        known = {*self.fixed, *(parent.as_posix() for name in self.fixed for parent in Path(name).parents)}
        for path in [*self.base.glob("*"), *self.base.glob("*/*"), *(self.base / "pack").rglob("*")]:  # not into deep folders
            name = path.relative_to(self.base).as_posix()
            if name not in known and not path.is_socket() and name.split("/")[0] not in ("box", "out"):
                yield path

    def tidy(self):
        """Put everything back as it was, as far as that is possible."""
        for path in Path("/dev/shm").glob(f"*{self.marker}*"):
            path.unlink()
        libc = ctypes.CDLL(None)
        for number, control in ((libc.shmget(self.key, 0, 0), libc.shmctl), (libc.msgget(self.key, 0), libc.msgctl)):
            if number != -1:
                control(number, 0, None)
        for path in list(self._strays()):
            path.unlink() if path.is_symlink() or path.is_file() else remove_tree(path)
        for name, text in self.fixed.items():
            (self.base / name).write_text(text)

    def processes(self, allowed=(), patience=2.0):
        """The marked processes that are left after `patience` seconds, without those of the ids in `allowed`."""
        deadline = time.monotonic() + patience
        while True:
            found = [f"{number}: {line[:80]}" for number, line in self._marked() if number not in allowed]
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(0.02)

    def _marked(self):
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if folder.stat().st_uid not in (os.geteuid(), 0, *range(61_000, 61_010)):
                    continue
                line, environment = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
            except OSError:
                continue
            if self.marker.encode() in line + environment and int(folder.name) != os.getpid():
                yield int(folder.name), line.replace(b"\0", b" ").decode(errors="replace")


def verdict(case, question, scores, honest, message):
    """Complaints about the outcome of one case. scores: {question: (score, maximum)} or None for no result at all;
    honest: the same for the wrong function; message: the text that goes with it.
    """
    if scores is None:
        return ["no result"]
    complaints = []
    cap = {name: most if case.expects == "right" else score for name, (score, most) in honest.items()}
    complaints += [f"{name}: stole {score - cap.get(name, 0):g} points" for name, (score, _) in scores.items()
                   if score > cap.get(name, 0)]
    if case.ideal == "full":
        complaints += [f"{name}: {score:g} of {most:g}" for name, (score, most) in scores.items() if score < most]
        complaints += [] if scores else [f"ungradable: {message[:200]}"]
    if case.ideal in ("own", "none") and question not in scores:
        complaints.append(f"ungradable: {message[:200]}")
    if case.ideal == "none" and scores.get(question, (0, 0))[0]:
        complaints.append(f"{question}: {scores[question][0]:g} points")
    if not message.strip():
        complaints.append("no message")
    return complaints


def tally(outcomes):
    """Outcomes (category, id, met, complaints) as a table by category, then what was not met."""
    rows = []
    for category in dict.fromkeys(category for category, *_ in outcomes):
        mine = [met for name, _, met, _ in outcomes if name == category]
        rows.append(f"{category:14} {len(mine):4} cases {sum(mine):4} met")
    rows.append(f"{'all':14} {len(outcomes):4} cases {sum(met for *_, met, _ in outcomes):4} met")
    return "\n".join(rows + [f"  {name}: {'; '.join(complaints)[:160]}" for _, name, met, complaints in outcomes if not met])
