"""Public checks of bptt_check. The cases come first, then recorded answers, then the comparisons."""
import dataclasses
from collections.abc import Mapping
import numpy as np
import difflib
from otter.test_files import test_case

@test_case(name='lab_fault_matrix/bptt_check/seed_42', hidden=False, success_message='public checks passed; 2 hidden checks run at grading')
def seed_42(env):
    ask = Ask(env, 'lab_fault_matrix/bptt_check/seed_42', SETTING)
    error = np.max(ask.agrees(42, expected=1e-9, tolerance=float("inf")))
    ask.requires(0 < error < 1e-6, "error_of_another_size", error=f"{error:.2g}")


ANSWERS = {
    'lab_fault_matrix/bptt_check/seed_42': [],
}

HINTS = {
}

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


class CaseFailed(AssertionError):
    """A property that does not hold; the text is the whole message for the reader. `answers` led to it."""

    answers = ()


class Ask:
    """One case's questions to one learner function.

    `env` maps names to callables (the notebook's namespace, or proxies of it); `case` is `stage/question/name`;
    `setting` holds the seed, the tolerances, the texts, the names of the parameters, the reference, and an `oracle`:
    `oracle(case)(compute)` gives a value that only the reference can give, computed now or recorded earlier.
    """

    def __init__(self, env, case, setting):
        self.case = case
        self.question = case.split("/")[1]
        self.setting = setting
        self._asked = None
        self._answers = []  # (error's class names or None, result, which arguments changed) of every call
        self._oracle = setting["oracle"](case)
        self.function = env.get(self.question)
        if not callable(self.function):
            near = difflib.get_close_matches(self.question, [n for n in env if isinstance(n, str) and callable(env[n])], 1)
            self.fail("misspelt" if near else "missing", near=near[0] if near else "")
        begin_case = getattr(self.function, "begin_case", None)
        if begin_case is not None:
            begin_case(case)

    # --- inputs ------------------------------------------------------------------------------------------------

    def generators(self, count):
        """`count` independent random generators that depend on the course's seed and the case alone."""
        return [np.random.default_rng([self.setting["seed"], *self.case.encode(), i]) for i in range(count)]

    # --- asking ------------------------------------------------------------------------------------------------

    def call(self, *args):
        """The learner's answer on copies of `args`, as plain data; a raised exception fails the case."""
        result, error = self._attempt(args)
        if error is not None:
            kinds, text, line = error
            place = self._text("at_line", line=line) if line else ""
            self.fail("raised", error=f"{kinds[0]}: {text}" if text else kinds[0], place=place)
        return result

    def reference(self, *args):
        """The reference's answer on its own copies of `args`."""
        return self._oracle(lambda: self.setting["reference"](*copied(args)))

    def expected(self, compute):
        """A value computed from the reference by `compute(reference)`; recorded in released cases."""
        return self._oracle(lambda: compute(self.setting["reference"]))

    def agrees(self, *args, tolerance="default", expected=None):
        """Compare the learner's answer with the reference's (or with `expected`); return the learner's answer."""
        return self._agrees(args, tolerance, expected, strict=False)

    def has_types_and_shapes(self, *args, tolerance="default"):
        """The contract's exact types and shapes, on an answer whose values are right as well."""
        self._agrees(args, tolerance, None, strict=True)

    def keeps_arguments(self, *args, tolerance="default"):
        """A right answer that leaves every argument as it was, bit for bit."""
        self.agrees(*args, tolerance=tolerance)
        for name, before, after in zip(self.setting["parameters"], args, self._after):
            if not identical(before, after):
                self.fail("argument_changed", argument=name, change=self._first_change(before, after))

    def keeps_no_state(self, args, other, tolerance="default"):
        """The same answer, and the right one, for the same arguments after a call with `other` arguments."""
        expected = self.reference(*args)
        self._agrees(args, tolerance, expected, strict=False)
        self.agrees(*other, tolerance=tolerance)
        second = self.call(*args)
        try:
            compare(expected, second, self._allowed(tolerance), self._text("the_result"))
        except Mismatch as mismatch:
            self.fail("state_kept", difference=self._mismatch_text(mismatch))

    def refuses(self, *bad, valid, tolerance="default"):
        """A right answer on the `valid` arguments and a ValueError on each of the `bad` ones (a tuple each)."""
        self.agrees(*valid, tolerance=tolerance)
        for args in bad:
            result, error = self._attempt(args)
            if error is None:
                self.fail("bad_input_accepted", got=describe(result))
            kinds, text, _ = error
            if "ValueError" not in kinds:
                self.fail("bad_input_other_error", error=f"{kinds[0]}: {text}" if text else kinds[0])

    def requires(self, condition, key, /, **fields):
        """Fail with the text `key` unless `condition` holds (for properties that no method above covers)."""
        if not condition:
            self.fail(key, **fields)

    def fail(self, key, /, **fields):
        """End the case with a message that stands alone: the property, what was asked, what is wrong."""
        title = self.setting["texts"]["cases"].get(self.case.split("/", 1)[1], self.case.split("/")[-1])
        lines = [self._text("headline", question=self.question, title=title)]
        if self._asked is not None:
            given = ", ".join(f"{name} = {describe(value)}" for name, value in zip(self.setting["parameters"], self._asked))
            lines.append(self._text("asked", call=f"{self.question}({given})"))
        lines.append(self._text(key, question=self.question, **fields))
        known = self.setting.get("hints", {}).get(self.case, ())
        hints = [hint for hint, answers in known if same_answers(answers, self._answers, self._allowed("default"))]
        failure = CaseFailed("\n".join(lines + [self._text("hint", hint=hint) for hint in hints[:1]]))
        failure.answers = self._answers
        raise failure

    # --- inside ------------------------------------------------------------------------------------------------

    def _text(self, key, /, **fields):
        return self.setting["texts"]["checks"][key].format(**fields)

    def _mismatch_text(self, mismatch):
        fields = dict(mismatch.fields)
        remark = fields.pop("remark_key", None)
        text = self._text(mismatch.key, **fields)
        if remark is None:
            return text
        key, remark_fields = remark
        size = _size_named(remark_fields.get("factor"), self.setting["parameters"], self._asked)
        if size is not None:
            key, remark_fields = "remark_factor_of_size", {**remark_fields, "size": size}
        return text + "\n  " + self._text(key, **remark_fields)

    def _attempt(self, args):
        """Call the learner: (plain result, None) or (None, (exception class names, text, line)). A stub ends the case."""
        self._asked = args
        result, error, self._after = attempt(self.function, args)
        self._answers.append((error and error[0], result, changes(args, self._after)))
        if error is not None and error[0][0] == "NotImplementedError":
            self.fail("not_attempted")
        if error is not None and error[0][0] in ("timeout", "crashed", "protocol"):
            self.fail(error[0][0], detail=error[1])
        return result, error

    def _agrees(self, args, tolerance, expected, strict):
        if expected is None:
            expected = self.reference(*args)
        answer = self.call(*args)
        try:
            compare(expected, answer, self._allowed(tolerance), self._text("the_result"), strict)
        except Mismatch as mismatch:
            self.fail("mismatch", difference=self._mismatch_text(mismatch))
        return answer

    def _allowed(self, tolerance):
        limits = self.setting["tolerances"]
        if tolerance == "default":
            tolerance = limits["relative"]
        if tolerance == "entrywise":
            return lambda expected: limits["entrywise_relative"] * np.abs(expected) + limits["absolute_floor"]
        if tolerance == "sigmoid":
            return lambda expected: np.full(np.shape(expected), limits["sigmoid_absolute"])

        def scaled(expected):
            finite = np.abs(expected[np.isfinite(expected)])
            return np.full(expected.shape, max(tolerance * finite.max(initial=0.0), limits["absolute_floor"]))
        return scaled

    def _first_change(self, before, after):
        if isinstance(before, dict) and isinstance(after, dict):
            for key in before:
                if key not in after or not identical(before[key], after[key]):
                    inner = self._first_change(before[key], after[key]) if key in after else self._text("removed")
                    return f"[{key!r}] {inner}"
        if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)) and len(before) == len(after):
            differing = [i for i, (one, other) in enumerate(zip(before, after)) if not identical(one, other)]
            if differing:
                return f"[{differing[0]}] {self._first_change(before[differing[0]], after[differing[0]])}"
        if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and before.shape == after.shape:
            changed = np.argwhere((before != after) & ~((before != before) & (after != after)))
            if len(changed):
                index = tuple(int(i) for i in changed[0])
                return self._text("changed_entry", index=index, before=describe(before[index]), after=describe(after[index]))
        return self._text("changed_value", before=describe(before), after=describe(after))


def attempt(function, args):
    """Call a function on copies: (plain result, error, arguments afterwards); error is (class names, text, line)."""
    passed = copied(args)
    error = result = None
    try:
        result = plain(function(*passed))
    except KeyboardInterrupt:
        raise
    except BaseException as exception:  # SystemExit and friends are answers too, not an end of grading
        error = getattr(exception, "learner_error", None) or _described(exception)
    after = getattr(function, "arguments_after", None)
    return result, error, passed if after is None else after


def changes(before, after):
    """Which arguments a call has changed, as bools."""
    return tuple(not identical(one, other) for one, other in zip(before, after))


def same_answers(first, second, allowed):
    """Whether two sequences of answers (error's class names, result, changed arguments) are alike."""
    return len(first) == len(second) and all(
        _same_error(one[0], other[0]) and one[2] == other[2] and (one[0] is not None or same(one[1], other[1], allowed))
        for one, other in zip(first, second))


def _same_error(first, second):
    """Whether both are no error, or one is of the other's class."""
    if first is None or second is None:
        return first is second
    return first[0] in second or second[0] in first


def _size_named(factor, names, args):
    """Say which length among the arguments a factor (as text) is, or is one over; None if it is none of them."""
    for name, value in zip(names, args or ()):
        shape = value.shape if isinstance(value, np.ndarray) else (len(value),) if isinstance(value, list) else ()
        for axis, length in enumerate(shape):
            if length > 1 and factor in (f"{length:.4g}", f"{1 / length:.4g}"):
                return f"{length} = {name}.shape[{axis}]" if isinstance(value, np.ndarray) else f"{length} = len({name})"
    return None


def _described(exception):
    """(class names, text, line in the learner's code) of an exception that was raised in this process."""
    line = exception.__traceback__
    while line is not None and line.tb_next is not None:
        line = line.tb_next
    kinds = [kind.__name__ for kind in type(exception).__mro__]
    try:
        text = str(exception)[:300]
    except Exception:  # a learner's class may not know how to print itself
        text = ""
    return kinds, text, line.tb_lineno if line is not None else None


def computed(case):
    """The oracle where the reference is at hand: compute every value."""
    return lambda compute: compute()


def recorded(answers):
    """The oracle of released cases: the values that were recorded for each case, in the order of asking."""
    def oracle(case):
        remaining = iter(answers[case])
        return lambda compute: next(remaining)
    return oracle

SETTING = {**{'seed': 20260901, 'tolerances': {'relative': 1e-05, 'absolute_floor': 1e-12, 'entrywise_relative': 0.0001, 'sigmoid_absolute': 1e-07, 'gradient_check': 1e-06}, 'texts': {'checks': {'headline': '{question}: {title}', 'asked': '  asked:    {call}', 'the_result': 'the result', 'the_gradient': 'the gradient', 'missing': "  `{question}` is not defined in your notebook. Run the cell that defines it, or restore the function's name.", 'misspelt': '  `{question}` is not defined in your notebook, but `{near}` is. Is the name misspelt?', 'not_attempted': '  `{question}` still raises NotImplementedError: not attempted yet.', 'raised': '  got:      your function raised {error}{place}', 'at_line': ' (line {line} of the code it was in)', 'timeout': '  got:      no answer within {detail}. Look for a loop that never ends.', 'crashed': '  got:      the process that ran your function ended without an answer ({detail}).', 'protocol': '  got:      an answer that cannot be read ({detail}).', 'mismatch': '  {difference}', 'returned_none': 'got:      {where} is None. Is the return line missing, or inside the loop?', 'not_plain': 'got:      {where} is a {got}. Return plain numpy arrays and numbers; np.asarray(...) converts.', 'wrong_type': 'expected: {where} as {expected}\n  got:      {got}', 'ragged': 'got:      {where} cannot be read as an array: its rows differ in length or hold other objects.', 'complex_result': 'got:      {where} has an imaginary part. Expected real numbers.', 'wrong_count': 'expected: {expected} results\n  got:      {got}', 'swapped': 'got:      the two results in the wrong order.', 'missing_key': 'expected: {where} has the key {key}\n  got:      keys {got}', 'wrong_shape': 'expected: {where} has shape {expected}\n  got:      shape {got}', 'extra_axis': 'expected: {where} has shape {expected}\n  got:      shape {got}: an axis of length one too many or too few', 'not_finite': 'got:      {where} has {count} of {size} entries that are not finite; the first at index {index}: {got}, expected {expected}', 'wrong_number': 'expected: {where} is {expected}\n  got:      {got}', 'wrong_value': '{where} of shape {shape} differs in {count} of {size} entries, first at index {index}\n  expected: {expected}\n  got:      {got}', 'remark_transposed': 'note:     your result is the transpose of the expected one.', 'remark_factor': 'note:     every entry is {factor} times the expected one.', 'remark_factor_of_size': 'note:     every entry is {factor} times the expected one ({size}).', 'remark_right_values': 'note:     the values are right, their arrangement is not.', 'hint': '  hint:     {hint}', 'argument_changed': '  got:      the right answer, but the call changed its argument `{argument}`: {change}. Work on a copy.', 'changed_entry': 'at index {index} from {before} to {after}', 'changed_value': 'from {before} to {after}', 'removed': 'removed', 'state_kept': '  got:      another answer at the second identical call. A function keeps nothing between calls.\n  {difference}', 'bad_input_accepted': '  expected: ValueError for this input\n  got:      {got}', 'bad_input_other_error': '  expected: ValueError for this input\n  got:      {error}', 'overflow_expected': '  expected: a loss that is inf or NaN, after 400 steps of this explosion\n  got:      something else', 'other_signal': '  row {row} of the fault matrix: the record of your run should give {signal} = {expected}\n  got:      {got}', 'loss_not_down': '  row b of the fault matrix: 100 clipped updates should bring the loss down to at most 1e-10 of the first\n  got:      a larger one', 'clipping_made_a_difference': '  row c of the fault matrix: no gradient is above tau, so the run with clipping and the one without are identical\n  got:      two different records', 'finite_elsewhere': '  {name}: expected finite values up to the first loss that is not finite, and none (the norms: NaN) from there on\n  got:      finite values elsewhere', 'not_a_measured_error': '  expected: one number, the relative error as measured\n  got:      something else', 'error_of_another_size': '  expected: an error below 1e-6, and above 0: rounding never agrees to the last bit\n  got:      {error}', 'another_error_again': '  expected: the same error for the same seed\n  got:      another one at the second call', 'the_same_error_for_other_seeds': '  expected: other networks, so other errors, for other seeds\n  got:      the same one', 'gradient_differs': '  {array} of shape {shape} disagrees with central differences: error {error}, limit {limit}\n  largest difference at index {index}\n  expected: {expected}\n  got:      {got}'}, 'cases': {'bptt_check/seed_42': 'the error for seed 42'}}, 'parameters': ['seed']}, 'oracle': recorded(ANSWERS), 'hints': HINTS}

OK_FORMAT = False
name = 'bptt_check'
points = [1.25]
