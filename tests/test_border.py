"""The border's messages: what goes in comes out, and nothing that comes in is believed."""

import dataclasses
import math
import socket
import threading
import time
import typing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.grading.checks import identical
from autograder.isolation import messages

DTYPES = st.sampled_from(["?", "i1", "i8", "u4", "f4", "f8", "c16"])
ARRAYS = DTYPES.flatmap(lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)))
LEAVES = st.none() | st.booleans() | st.integers(-2**70, 2**70) | st.floats() | st.text(max_size=8) | ARRAYS
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple)
                      | st.dictionaries(st.text(max_size=4) | st.integers(0, 9), inner, max_size=3), max_leaves=12)


def through(value):
    """A value after one trip across the border."""
    frame = messages.pack(value)
    text, _ = messages.HEADER.unpack(frame[:messages.HEADER.size])
    body = frame[messages.HEADER.size:]
    return messages.unpack(body[:text], body[text:])


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_plain_data_crosses_unchanged(value):
    assert identical(through(value), value)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=40))
def test_random_bytes_are_refused_and_nothing_else(text, data):
    with pytest.raises(messages.ProtocolError):
        messages.unpack(b"[" + text, data + b"x")


@dataclasses.dataclass
class Pair:
    first: float
    second: np.ndarray


class Named(typing.NamedTuple):
    loss: float
    count: int


@pytest.mark.parametrize(("value", "expected"), [
    (np.matrix([[1.0]]), messages.Opaque("numpy.matrix")),
    (np.ma.masked_array([1.0], mask=[True]), messages.Opaque("numpy.ma.MaskedArray")),
    (np.array([None]), messages.Opaque("numpy array of dtype object")),
    (np.array(["a"]), messages.Opaque("numpy array of dtype <U1")),
    (print, messages.Opaque("builtin_function_or_method")), ({1, 2}, messages.Opaque("set")),
    (b"bytes", messages.Opaque("bytes")),
    (Named(0.5, 3), (0.5, 3)), (np.float32(0.5), np.float32(0.5)), (np.longdouble(0.5), np.float64(0.5)), (1j, 1j),
])
def test_what_is_not_plain_travels_as_its_type_name(value, expected):
    got = through(value)
    assert type(got) is type(expected) and got == expected


def test_small_dataclasses_become_tuples_and_order_is_kept():
    first, second = through(Pair(0.5, np.arange(6.0).reshape(2, 3).T))
    assert first == 0.5 and np.array_equal(second, np.arange(6.0).reshape(2, 3).T)


@pytest.mark.parametrize(("text", "data"), [
    (b'{"array": ["<f8", [2]]}', b"\0" * 8), (b'{"array": ["<f8", [1]]}', b"\0" * 16), (b'{"array": ["|O", [1]]}', b"\0" * 8),
    (b'{"array": ["<f8", [-1]]}', b""), (b'{"array": ["<f8", [99999999999]]}', b""), (b'{"array": ["<f8", [1.5]]}', b"\0" * 8),
    (b'{"array": ["<f8", [1, 1, 1, 1, 1, 1, 1, 1, 1]]}', b"\0" * 8), (b'{"array": ["<M8[s]", [1]]}', b"\0" * 8),
    (b'{"array": [["<f8"], [1]]}', b"\0" * 8), (b'{"dict": [[[1], 2]]}', b""), (b'{"dict": [[1]]}', b""), (b'{"tuple": 1}', b""),
    (b'{"unknown": 1}', b""), (b'{"a": 1, "b": 2}', b""), (b"[" * 5000 + b"]" * 5000, b""), (b"[" + b"1," * 300_000 + b"1]", b""),
    (b"9" * 400, b""), (b'{"array": ["<f8", [4194304, 0]]}', b""), (b'{"dict": [["' + b"k" * 200 + b'", 1]]}', b""),
    (b'{"dict": [' + b'["k", 1],' * 1000 + b'["k", 1]]}', b""),
    (b"9" * 5000, b""), (b'{"complex": ["a", 1]}', b""), (b"\xff", b""), (b"", b""), (b"1", b"left over"),
])
def test_malformed_frames_are_refused(text, data):
    with pytest.raises(messages.ProtocolError):
        messages.unpack(text, data)


def test_claimed_sizes_are_not_believed():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(messages.HEADER.pack(2**62, 2**62))
        started = time.monotonic()
        with pytest.raises(messages.ProtocolError, match="a message of more than"):
            messages.receive(ours, time.monotonic() + 5, 2**24, messages.MAX_TEXT)
        assert time.monotonic() - started < 1


def test_deadlines_hold_for_a_side_that_dribbles_or_does_not_read():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        def dribble():
            for byte in messages.pack([1.0] * 50)[:-1]:
                time.sleep(0.01)
                try:
                    theirs.sendall(bytes([byte]))
                except OSError:
                    return
        thread = threading.Thread(target=dribble)
        thread.start()
        started = time.monotonic()
        with pytest.raises(messages.DeadlinePassed):
            messages.receive(ours, started + 0.3)
        with pytest.raises(messages.DeadlinePassed):
            messages.send(ours, np.zeros(10**7), time.monotonic() + 0.3)
        assert time.monotonic() - started < 1.5
        ours.close()
        thread.join()


def test_half_a_surrogate_pair_becomes_text_that_a_file_can_hold():
    assert through(["a\ud800b", messages.Opaque("\udfff"), {"\ud800": 1}]) == ["a?b", messages.Opaque("?"), {"?": 1}]


def test_nan_and_infinity_cross():
    values = through([math.nan, math.inf, -math.inf, np.array([math.nan, -math.inf])])
    assert math.isnan(values[0]) and values[1:3] == [math.inf, -math.inf] and math.isnan(values[3][0])
