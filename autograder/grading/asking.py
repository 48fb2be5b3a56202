"""What a case may ask of a learner's function.

Everything a test case does goes through :class:`Ask`: resolve the function, call it, compare. This module needs numpy
and :mod:`autograder.grading.checks` only; the build copies both into the released public cases, where the reference's
answers are recorded instead of computed.
"""

import difflib

import numpy as np

from autograder.grading.checks import Mismatch, compare, copied, describe, identical, plain, same


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
