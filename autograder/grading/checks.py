"""Comparisons of a learner's answer with the expected one: type, then shape, then finiteness, then values.

This module needs numpy only; the build copies it into the released public cases.
"""

import dataclasses
from collections.abc import Mapping

import numpy as np


class Mismatch(Exception):
    """The first difference found by :func:`compare`: a text key and its fields."""

    def __init__(self, key, /, **fields):
        super().__init__(key)
        self.key = key
        self.fields = fields


class Opaque:
    """A value that is not plain data (a matrix, a masked or object array, any other object), by its type's name."""

    def __init__(self, type_name):
        self.type_name = type_name


def plain(value):
    """Reduce a value to numbers, strings, None, base arrays, lists, tuples and dicts; the rest becomes Opaque."""
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if type(value) is np.ndarray:
        return value if value.dtype.kind in "biufc" else Opaque(f"numpy array of dtype {value.dtype}")
    if isinstance(value, np.ndarray):
        return Opaque(f"{type(value).__module__}.{type(value).__qualname__}")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    # A value that crossed the border as its type's name stands for that type, not for itself.
    return Opaque(getattr(value, "type_name", None) or type(value).__qualname__)


def copied(value):
    """Copy arrays, lists, tuples and dicts all the way down; functions and scalars are shared."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    return value


def identical(first, second):
    """Whether two arguments are equal bit for bit, types included; functions count as equal to themselves."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if isinstance(first, dict):
        return list(first) == list(second) and all(identical(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(identical, first, second))
    return callable(first) or first == second or (first != first and second != second)


def describe(value):
    """Say what a value is on one line: small ones in full, larger ones by dtype and shape."""
    if isinstance(value, Opaque):
        return f"a {value.type_name}"
    if isinstance(value, np.ndarray):
        kind = f"{value.dtype} {value.shape}".replace(",)", ",)")
        if 0 < value.size <= 6:
            return f"{kind} {np.array2string(value, precision=5, separator=', ', floatmode='maxprec')}".replace("\n", "")
        return kind
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        text = "[" + ", ".join(describe(item) for item in value[:6]) + (", ..." if len(value) > 6 else "") + "]"
        return text if isinstance(value, list) else "(" + text[1:-1] + ")"
    if callable(value):
        return "a function"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_array(value, where):
    """Turn a plain answer into a real numeric array, or raise Mismatch. Lists and tuples of rows are converted."""
    if value is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(value, Opaque):
        raise Mismatch("not_plain", where=where, got=value.type_name)
    if isinstance(value, (str, dict)):
        raise Mismatch("wrong_type", where=where, expected="a numpy array", got=type(value).__name__)
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise Mismatch("ragged", where=where) from None
    if array.dtype.kind not in "biufc":
        raise Mismatch("not_plain", where=where, got=f"{type(value).__name__} of dtype {array.dtype}")
    if array.dtype.kind == "c":
        if np.any(array.imag):
            raise Mismatch("complex_result", where=where)
        array = array.real
    return array


@np.errstate(all="ignore")  # infinities and NaN are answers to judge, not accidents to warn of
def compare_arrays(expected, got, allowed, where, strict):
    """Shape, finiteness, values of one array; `allowed(expected)` gives the permitted absolute error."""
    got = as_array(got, where)
    if expected.dtype.kind == "b" and strict and got.dtype.kind != "b":
        raise Mismatch("wrong_type", where=where, expected="a bool array", got=f"an array of dtype {got.dtype}")
    if expected.dtype.kind in "iu" and strict and got.dtype.kind not in "iu" and got.size:
        raise Mismatch("wrong_type", where=where, expected="integers", got=f"dtype {got.dtype}")
    if got.shape != expected.shape:
        squeezed = tuple(n for n in got.shape if n != 1) == tuple(n for n in expected.shape if n != 1)
        if strict or not squeezed:
            alike = not squeezed and got.size == expected.size and agrees(np.sort(expected, None), np.sort(got, None), allowed)
            raise Mismatch("extra_axis" if squeezed else "wrong_shape", where=where, expected=expected.shape, got=got.shape,
                           remark_key=("remark_right_values", {}) if alike else None)
        got = got.reshape(expected.shape)
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        wrong = expected != got
    else:
        expected, got = expected.astype(float), got.astype(float)
        finite = np.isfinite(expected)
        strange = finite & ~np.isfinite(got)
        if strange.any():
            index = tuple(int(i) for i in np.argwhere(strange)[0])
            raise Mismatch("not_finite", where=where, count=int(strange.sum()), size=expected.size, index=index,
                           got=describe(got[index]), expected=describe(expected[index]))
        wrong = np.where(finite, np.abs(np.where(finite, got - np.where(finite, expected, 0), 0)) > allowed(expected),
                         ~((expected == got) | (np.isnan(expected) & np.isnan(got))))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Mismatch("wrong_value" if expected.shape else "wrong_number", where=where, shape=expected.shape,
                       index=index[0] if len(index) == 1 else index, count=int(wrong.sum()), size=expected.size,
                       expected=describe(expected[index]), got=describe(got[index]),
                       remark_key=resemblance(expected, got, allowed))


def resemblance(expected, got, allowed):
    """Name a familiar way of being wrong: the transpose, or one constant factor everywhere; else None."""
    is_float = expected.dtype.kind == "f"
    expected, got, limit = expected.astype(float), got.astype(float), allowed(expected)
    if expected.ndim == 2 and expected.shape[0] == expected.shape[1] and np.all(np.abs(got.T - expected) <= limit):
        return ("remark_transposed", {})
    scale = float(np.sum(expected * expected))
    factor = float(np.sum(got * expected)) / scale if scale > 0 and is_float else 0.0
    if expected.size > 1 and abs(factor) > 1e-9 and np.all(np.abs(got - factor * expected) <= abs(factor) * limit):
        return ("remark_factor", {"factor": f"{factor:.4g}"})
    return None


def compare(expected, got, allowed, where, strict=False):
    """Compare an answer with the reference's, part by part, and raise Mismatch at the first difference.

    `strict` also demands the contract's exact shapes and integer or bool types; without it a superfluous axis of
    length one is dropped.
    """
    if isinstance(got, Opaque):
        raise Mismatch("not_plain", where=where, got=got.type_name)
    if got is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(expected, list) and any(isinstance(item, (str, dict)) for item in expected):
        expected = tuple(expected)  # not rows of an array
    if isinstance(expected, tuple):
        if isinstance(got, np.ndarray) and got.ndim and len(got) == len(expected):
            got = tuple(got)
        if not isinstance(got, (tuple, list)):
            raise Mismatch("wrong_type", where=where, expected=f"{len(expected)} results", got=type(got).__name__)
        if len(got) != len(expected):
            raise Mismatch("wrong_count", where=where, expected=len(expected), got=len(got))
        try:
            for position, (one, other) in enumerate(zip(expected, got)):
                compare(one, other, allowed, f"{where}[{position}]", strict)
        except Mismatch as mismatch:
            if len(expected) == 2 and agrees(expected[0], got[1], allowed) and agrees(expected[1], got[0], allowed):
                raise Mismatch("swapped", where=where) from None
            raise mismatch
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            raise Mismatch("wrong_type", where=where, expected="a dict", got=type(got).__name__)
        for key in expected:
            if key not in got:
                raise Mismatch("missing_key", where=where, key=repr(key), got=", ".join(map(repr, list(got)[:12])))
        for key in expected:
            compare(expected[key], got[key], allowed, f"{where}[{key!r}]", strict)
    elif isinstance(expected, str):
        if not isinstance(got, str):
            raise Mismatch("wrong_type", where=where, expected="a string", got=type(got).__name__)
        if got != expected:
            raise Mismatch("wrong_number", where=where, expected=repr(expected), got=describe(got), remark_key=None)
    else:
        compare_arrays(np.asarray(expected), got, allowed, where, strict)


def agrees(expected, got, allowed, strict=False):
    """Whether :func:`compare` finds no difference."""
    try:
        compare(expected, got, allowed, "", strict)
    except Mismatch:
        return False
    return True


def same(first, second, allowed):
    """Whether two plain answers, right or wrong, are alike in form and values."""
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)) and len(first) == len(second):
        return all(same(one, other, allowed) for one, other in zip(first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key], allowed) for key in first)
    if any(isinstance(value, (str, dict, Opaque, type(None))) for value in (first, second)):
        return describe(first) == describe(second)
    try:
        if np.iscomplexobj(first) or np.iscomplexobj(second):
            return all(agrees(part(first), part(second), allowed, strict=True) for part in (np.real, np.imag))
        return agrees(np.asarray(first), second, allowed, strict=True)
    except (ValueError, TypeError):  # rows of different lengths
        return describe(first) == describe(second)
