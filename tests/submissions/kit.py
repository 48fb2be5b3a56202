"""What a case of the corpus is, and what its generator is given.

A case is a generator function `make(target) -> {file name: bytes}`: one notebook, one zip, or several files that were
handed in as a folder. `target` says what it is aimed at, so every case can be aimed at any stage and question. Nothing
in the corpus does harm when it runs unconfined: it writes and deletes below its own temporary folder only, starts at
most 50 processes, sleeps at most 60 s, uses less than 1 GB and talks to the loopback interface only.
"""

import copy
import json
import string
from collections.abc import Callable
from dataclasses import dataclass, field

IDEALS = {
    "full": "full marks",
    "own": "what the wrong function honestly earns, nothing else lost or gained",
    "none": "0 for the question, with a message, nothing gained elsewhere",
    "result": "a result with a message, within the limits; nothing gained",
}
CASES = {}


@dataclass(frozen=True)
class Case:
    """One submission of the corpus. No secret may appear in anything that comes out of any of them."""

    id: str
    category: str
    ideal: str
    make: Callable
    question: str = ""  # only for this question; "" for any
    stock: bool = True  # whether stock Otter is given it as well
    expects: str = ""  # "right" if it holds a right function, which is not stolen points


@dataclass(frozen=True)
class Target:
    """What a case is aimed at.

    right, wrong: sources of an implementation with full marks and of one with wrong values; solved: the solved notebook
    as JSON; places: strings that attacks use (root: a folder laid out like the pack; planted: a file with a secret;
    outside: a folder anybody may write to; other: another submission; victim: a file that must survive; marker: a word
    in every process and path of the run; token_word, other_word: how secrets begin; stream_port, datagram_port: sockets
    on the loopback interface; key: a number for System V objects).
    """

    stage: str
    question: str
    parameters: str
    right: str
    wrong: str
    solved: dict
    places: dict = field(default_factory=dict)

    def filled(self, code):
        """Source code with $question, $parameters, $right, $wrong, $wire and the places filled in."""
        values = {"stage": self.stage, "question": self.question, "parameters": self.parameters, "right": self.right,
                  "wrong": self.wrong, "wire": WIRE, "module": f"solutions.{self.stage}", **self.places}
        # Twice: a filled-in piece may hold names as well.
        return string.Template(string.Template(code).safe_substitute(values)).safe_substitute(values)

    def notebook(self, code, first=()):
        """The solved notebook as a dict; the question's cell holds `code`, and cells follow at each `# %%`.

        first: sources of code cells to put at the top.
        """
        notebook = copy.deepcopy(self.solved)
        position = next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == f"stub-{self.question}")
        parts = self.filled(code).split("\n# %%\n")
        notebook["cells"][position:position + 1] = [self.cell(part, f"own-{i}") for i, part in enumerate(parts)]
        notebook["cells"][:0] = [self.cell(source, f"first-{i}") for i, source in enumerate(first)]
        return notebook

    @staticmethod
    def cell(source, cell_id):
        """One code cell as a dict."""
        return {"cell_type": "code", "execution_count": None, "id": cell_id, "metadata": {}, "outputs": [], "source": source}

    def bytes(self, code, **kwargs):
        """A notebook file; see :meth:`notebook`."""
        return as_bytes(self.notebook(code, **kwargs))


def as_bytes(notebook):
    """A notebook as the bytes of a file."""
    return json.dumps(notebook, indent=1).encode()


def case(case_id, category, ideal, **fields):
    """Register the decorated generator function."""
    def register(make):
        if case_id in CASES or ideal not in IDEALS:
            raise ValueError(f"{case_id}: registered before, or of unknown ideal {ideal!r}")
        fields.setdefault("expects", "right" if ideal == "full" else "")
        CASES[case_id] = Case(case_id, category, ideal, make, **fields)
        return make
    return register


def notebooks(category, ideal, codes, **fields):
    """Register one case per entry of {id: code}: the solved notebook with that code in the question's place."""
    for case_id, code in codes.items():
        def make(target, code=code):
            return {"homework.ipynb": target.bytes(code)}
        case(case_id, category, ideal, **{"expects": "right" if "$right" in code else "", **fields})(make)


# What attacks on the wire protocol begin with: find the channel in the caller's frames and say anything on it.
WIRE = '''
import json, socket, struct, sys, time
def wire():
    frame = sys._getframe()
    while frame is not None:
        channel, request = frame.f_locals.get("channel"), frame.f_locals.get("request")
        if isinstance(channel, socket.socket):
            return channel, request if isinstance(request, dict) else {}
        frame = frame.f_back
    return None, {}
def say(text, data=b"", sizes=None):
    channel, _ = wire()
    if channel is not None:
        text = text if isinstance(text, bytes) else json.dumps(text).encode()
        channel.sendall(struct.pack(">QQ", *(sizes or (len(text), len(data)))) + text + data)
def reply(result, after=None, **more):
    _, request = wire()
    after = [None] * len(request.get("arguments", ())) if after is None else after
    pairs = {"id": request.get("id"), "result": result, "after": after, "output": "", **more}
    return {"dict": [[key, value] for key, value in pairs.items()]}
'''
