"""Worked examples of the lab: the numbers that the notebook's prose quotes, computed by the reference."""

import numpy as np


def examples(reference):
    def numbers(values, digits):
        return "$(" + ", ".join(f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for value in values) + ")$"

    small = reference.forward_backward(np.array([[0.5, -1.0], [0.75, 0.25]]), np.array([1.0, -2.0]), np.array([0.5, 0.25]), 3,
                                       "linear")
    run = reference.fault_run(1, 0.9, "tanh", None, 0.1, 2, 3)
    return {"small_loss": f"{small['loss']:.4f}", "small_dx": numbers(small["dx"][0], 4), "run_losses": numbers(run["losses"], 4)}
