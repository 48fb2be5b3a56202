"""Typed messages between the trusted process and a learner's process; both sides use this module and nothing else.

A frame is the byte lengths of a JSON text and of the array data (8 bytes each, big endian), the text, the data. Values
are None, bools, numbers, strings, lists, tuples, dicts and base numpy arrays of bool or numeric dtype; anything else
travels as its type's name. Nothing is ever pickled, and nothing in a frame is believed beyond being such a value.
"""

import dataclasses
import json
import math
import struct
import time
from collections.abc import Mapping

import numpy as np

DTYPES = {np.dtype(code).str for code in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")}
MAX_DEPTH = 30
MAX_NODES = 200_000
MAX_BITS = 1024  # of an integer
MAX_ENTRIES = 1000  # of a dict: keys can be chosen so that filling one takes quadratic time
MAX_KEY = 100  # characters of a dict's key
MAX_ITEMS = 2**21  # of an array, axes of length 0 counted as 1: empty arrays must not be long, nor small ones many
MAX_TEXT = 2**20  # JSON grows twentyfold when it is read; arrays do not, so only the data part may be large
HEADER = struct.Struct(">QQ")


class ProtocolError(Exception):
    """A frame that is too large, malformed, or not what was expected next."""


class Closed(ProtocolError):
    """The other side is gone."""


class DeadlinePassed(ProtocolError):
    """No complete frame arrived in time."""


@dataclasses.dataclass(frozen=True)
class Opaque:
    """Stands for a value that is not plain data; only its type's name crosses the border."""

    type_name: str


@dataclasses.dataclass(frozen=True)
class Callback:
    """Stands for a function that stays on the trusted side; `handle` says which."""

    handle: int


def encode(value, buffers, depth=0):
    """Turn a value into a JSON-ready tree; array data is appended to the list `buffers`."""
    if depth > MAX_DEPTH:
        raise ProtocolError("nested too deeply")
    if value is None or isinstance(value, (bool, str)):
        return value if type(value) in (type(None), bool, str) else str(value)
    if type(value) in (int, float):
        if type(value) is int and value.bit_length() > MAX_BITS:
            raise ProtocolError(f"an integer of more than {MAX_BITS} bits")
        return value
    if type(value) is np.ndarray or isinstance(value, np.generic):
        array = np.asarray(value)
        if array.dtype.kind == "f" and array.dtype.itemsize > 8:
            array = array.astype(np.float64)
        if array.dtype.newbyteorder("=").str not in DTYPES:
            return {"opaque": f"numpy array of dtype {str(value.dtype)[:60]}"}
        array = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
        buffers.append(np.ascontiguousarray(array).data if array.size else b"")
        return {"scalar" if isinstance(value, np.generic) else "array": [array.dtype.str, list(array.shape)]}
    if isinstance(value, np.ndarray):
        return {"opaque": f"{type(value).__module__}.{type(value).__qualname__}"[:80]}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, Callback):
        return {"callback": value.handle}
    if isinstance(value, Mapping):
        return {"dict": [[encode(key, buffers, depth + 1), encode(item, buffers, depth + 1)] for key, item in value.items()]}
    if isinstance(value, list):
        return [encode(item, buffers, depth + 1) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(item, buffers, depth + 1) for item in value]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not isinstance(value, Opaque):
        fields = [getattr(value, field.name) for field in dataclasses.fields(value)]
        return {"tuple": [encode(item, buffers, depth + 1) for item in fields]}
    name = value.type_name if isinstance(value, Opaque) else type(value).__qualname__
    return {"opaque": str(name)[:80]}


class _Reader:
    """Rebuilds a value from a tree and the data behind it, counting what it makes."""

    def __init__(self, data):
        self.data = memoryview(data)
        self.position = 0
        self.nodes = 0

    def value(self, tree, depth=0):
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise ProtocolError("too many or too deeply nested values")
        if isinstance(tree, str):  # without halves of surrogate pairs, which no file can hold
            return tree.encode("utf-8", "replace").decode()
        if isinstance(tree, int) and tree.bit_length() > MAX_BITS:
            raise ProtocolError(f"an integer of more than {MAX_BITS} bits")
        if tree is None or isinstance(tree, (bool, int, float)):
            return tree
        if isinstance(tree, list):
            return [self.value(item, depth + 1) for item in tree]
        if not isinstance(tree, dict) or len(tree) != 1:
            raise ProtocolError("a value of unknown form")
        (kind, body), = tree.items()
        if kind in ("array", "scalar"):
            array = self.array(body)
            return array if kind == "array" else array.reshape(())[()]
        if kind == "tuple" and isinstance(body, list):
            return tuple(self.value(item, depth + 1) for item in body)
        if kind == "dict" and isinstance(body, list) and len(body) <= MAX_ENTRIES:
            pairs = [self.pair(pair, depth) for pair in body]
            return dict(pairs)
        if kind == "opaque" and isinstance(body, str):
            return Opaque(self.value(body)[:80])
        if kind == "callback" and type(body) is int:
            return Callback(body)
        if kind == "complex" and isinstance(body, list) and len(body) == 2 and all(type(x) in (int, float) for x in body):
            return complex(*body)
        raise ProtocolError("a value of unknown form")

    def pair(self, pair, depth):
        if not isinstance(pair, list) or len(pair) != 2:
            raise ProtocolError("a dict entry of unknown form")
        key = self.value(pair[0], depth + 1)
        if not isinstance(key, (str, int, float, bool, type(None), np.generic)):
            raise ProtocolError("a dict key that is neither a string nor a number")
        if isinstance(key, str) and len(key) > MAX_KEY:
            raise ProtocolError(f"a dict key of more than {MAX_KEY} characters")
        return key, self.value(pair[1], depth + 1)

    def array(self, body):
        if not isinstance(body, list) or len(body) != 2 or body[0] not in DTYPES or not isinstance(body[1], list):
            raise ProtocolError("an array of unknown form")
        dtype, shape = np.dtype(body[0]), body[1]
        possible = len(shape) <= 8 and all(type(n) is int and 0 <= n <= MAX_ITEMS for n in shape)
        if not possible or math.prod(max(n, 1) for n in shape) > MAX_ITEMS:
            raise ProtocolError("an array of impossible shape")
        size = math.prod(shape)
        end = self.position + size * dtype.itemsize
        if end > len(self.data):
            raise ProtocolError("an array larger than its data")
        array = np.frombuffer(self.data[self.position:end], dtype=dtype).reshape(shape).copy()
        self.position = end
        return array


def pack(value):
    """One frame as bytes."""
    buffers = []
    text = json.dumps(encode(value, buffers)).encode()
    data = b"".join(bytes(part) for part in buffers)
    return HEADER.pack(len(text), len(data)) + text + data


def unpack(text, data):
    """The value of one frame; raises ProtocolError for anything malformed."""
    try:
        tree = json.loads(text)
        reader = _Reader(data)
        value = reader.value(tree)
    except (ValueError, RecursionError, TypeError, OverflowError, MemoryError) as error:
        raise ProtocolError(f"unreadable: {type(error).__name__}") from None
    if reader.position != len(data):
        raise ProtocolError("data left over")
    return value


def size_of(value):
    """The bytes of the arrays in a value, and about those of the rest."""
    if isinstance(value, dict):
        return sum(map(size_of, value.values())) + 100
    if isinstance(value, (list, tuple)):
        return sum(map(size_of, value)) + 100
    return value.nbytes + 100 if isinstance(value, np.ndarray) else len(value) if isinstance(value, str) else 30


def send(sock, value, deadline=None):
    """Send one frame before `deadline` (time.monotonic seconds; None waits without limit)."""
    view = memoryview(pack(value))
    try:
        while view:
            sock.settimeout(_remaining(deadline))
            view = view[sock.send(view):]
    except TimeoutError:
        raise DeadlinePassed("not read in time") from None
    except OSError as error:
        raise Closed(str(error)) from None


def receive(sock, deadline=None, max_bytes=2**24, max_text=2**28):
    """Receive one frame before `deadline` and return its value; its parts may have `max_text` and `max_bytes` bytes."""
    text_size, data_size = HEADER.unpack(_read(sock, HEADER.size, deadline))
    if text_size > max_text or data_size > max_bytes:
        raise ProtocolError(f"a message of more than {max_text // 2**20} MB of text or {max_bytes // 2**20} MB of arrays")
    body = _read(sock, text_size + data_size, deadline)
    return unpack(body[:text_size], body[text_size:])


def _read(sock, size, deadline):
    chunks = bytearray()
    while len(chunks) < size:
        try:
            sock.settimeout(_remaining(deadline))
            chunk = sock.recv(min(size - len(chunks), 2**20))
        except TimeoutError:
            raise DeadlinePassed("no answer in time") from None
        except OSError as error:
            raise Closed(str(error)) from None
        if not chunk:
            raise Closed("end of stream")
        chunks += chunk
    return bytes(chunks)


def _remaining(deadline):
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise DeadlinePassed("no answer in time")
    return left
