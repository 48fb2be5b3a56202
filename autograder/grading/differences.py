"""What only hidden cases ask: gradient checks, and answers to compute with.

Not released: this module holds the answers of two questions of stage 2.
"""

import numpy as np

from autograder.grading.asking import Ask
from autograder.grading.checks import Mismatch, as_array, compare, copied, describe
from autograder.isolation.messages import pack


def central_differences(loss, array, h=1e-6):
    """Gradient of a scalar function of `array` by the two-point formula, entry by entry; `array` is left unchanged."""
    gradient = np.zeros(array.shape)
    for index in np.ndindex(array.shape):
        nudged = array.astype(float)
        nudged[index] = array[index] + h
        above = loss(nudged)
        nudged[index] = array[index] - h
        gradient[index] = (above - loss(nudged)) / (2 * h)
    return gradient


class HiddenAsk(Ask):
    """What hidden cases may ask: everything in :class:`Ask`, and gradients against differences of the reference."""

    def matches_differences(self, args, loss, pick=lambda result: result, wrt=None):
        """Hold the learner's gradients against central differences of the reference's loss, array by array.

        `loss(reference, args)` is the scalar to difference; `wrt(args)` is the array, or dict of arrays inside `args`,
        to nudge; `pick(result)` takes the learner's gradients, of the same form, out of its answer.
        """
        arrays = wrt(args)

        def numeric(reference):
            def gradient(name):
                def nudged_loss(nudged):
                    changed = copied(args)
                    target = wrt(changed) if name is None else wrt(changed)[name]
                    target[...] = nudged
                    return loss(reference, changed)
                return central_differences(nudged_loss, arrays if name is None else arrays[name])
            return {name: gradient(name) for name in arrays} if isinstance(arrays, dict) else gradient(None)

        # The same for every submission, and most of the time that the trusted side spends.
        memory, key = self.setting.get("memory", {}), (self.case, pack([*args, arrays]))
        if key not in memory:
            memory[key] = self.expected(numeric)
        expected = memory[key]
        answer = self.call(*args)
        reference = self.reference(*args)
        try:
            compare(reference, answer, lambda array: np.full(array.shape, np.inf), self._text("the_result"))
            analytic = pick(answer)
        except Mismatch as mismatch:
            self.fail("mismatch", difference=self._mismatch_text(mismatch))
        for name in expected if isinstance(expected, dict) else [None]:
            n = expected if name is None else expected[name]
            a = as_array(analytic if name is None else analytic[name], "").reshape(n.shape)
            size = np.linalg.norm(a) + np.linalg.norm(n)
            error = float(np.linalg.norm(a - n) / size) if size > 0 else 0.0
            limit = self.setting["tolerances"]["gradient_check"]
            if not error <= limit:
                worst = np.unravel_index(int(np.argmax(np.abs(a - n))), n.shape)
                index = tuple(int(i) for i in worst)
                self.fail("gradient_differs", array=self._text("the_gradient") if name is None else f"grads[{name!r}]",
                          shape=n.shape, error=f"{error:.2e}", limit=f"{limit:.0e}", index=index,
                          expected=describe(float(n[index])), got=describe(float(a[index])))

    def answer_in_form(self, *args):
        """The learner's answer as a float array, or dict of them, in the reference's shapes; the values are not judged."""
        memory, key = self.setting.get("memory", {}), (self.case, "form", pack(list(args)))
        if key not in memory:
            memory[key] = self.reference(*args)
        reference, answer = memory[key], self.call(*args)
        try:
            if not isinstance(reference, dict):
                return _in_shape(np.shape(reference), answer, self._text("the_result"))
            keys = dict.fromkeys(answer, ()) if isinstance(answer, dict) else answer
            compare(dict.fromkeys(reference, ()), keys, self._allowed("default"), self._text("the_result"))
            return {name: _in_shape(np.shape(value), answer[name], f"{self._text('the_result')}[{name!r}]")
                    for name, value in reference.items()}
        except Mismatch as mismatch:
            self.fail("mismatch", difference=self._mismatch_text(mismatch))


def _in_shape(shape, value, where):
    """A value as a float array of a shape; a superfluous axis of length one is dropped. Raises Mismatch."""
    array = as_array(value, where).astype(float)
    if [n for n in array.shape if n != 1] != [n for n in shape if n != 1]:
        raise Mismatch("wrong_shape", where=where, expected=shape, got=array.shape)
    return array.reshape(shape)
