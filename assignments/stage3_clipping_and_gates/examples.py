"""Worked examples of stage 3: the numbers that the notebook's prose quotes, computed by the reference."""

import numpy as np


def examples(reference):
    def numbers(values, digits=3):
        return ", ".join(f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for value in np.ravel(values))

    def rows(matrix, digits=3):
        return "[" + ", ".join(f"[{numbers(row, digits)}]" for row in matrix) + "]"

    def power_of_ten(value):
        mantissa, exponent = f"{value:.0e}".split("e")
        return f"${mantissa} \\cdot 10^{{{int(exponent)}}}$"

    def gradient(W, first, target, every_step):
        """dL/dW of a linear recurrence of 100 steps, the travelling gradient limited at every step or not at all."""
        states = [first]
        for _ in range(99):
            states.append(W @ states[-1])
        wish, total = states[-1] - target, np.zeros_like(W)
        for source in states[-2::-1]:
            total += np.outer(wish, source)
            wish = W.T @ wish
            if every_step:
                wish = reference.clip({"wish": wish})["wish"]
        return total / np.linalg.norm(total)

    cosines = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        W, first, target = rng.normal(size=(16, 16)), rng.normal(size=16), rng.normal(size=16)
        patient = W * (1.5 / np.abs(np.linalg.eigvals(W)).max()), first, target / np.linalg.norm(target)
        cosines.append(np.sum(gradient(*patient, False) * gradient(*patient, True)))

    grads = {"W": np.array([[1.0, -2.0], [2.0, 0.0]]), "b": np.array([4.0, 0.0])}
    clipped = reference.clip(grads, 2.0)
    one_step = reference.forget_chain_grad(np.array([2.0, -1.0]), np.array([[0.5, 0.25]]), np.array([[1.0, 3.0]]),
                                           np.array([[1.0, -2.0]]))

    return {
        "global_norm_example": numbers(reference.global_norm(grads)),
        "clip_example": f"`W = {rows(clipped['W'])}` and `b = [{numbers(clipped['b'])}]`",
        "per_step_runs": str(len(cosines)),
        "per_step_median": numbers(np.median(cosines), 2),
        "per_step_worst": f"${numbers(min(cosines), 2)}$",
        "diagnosis_example": reference.diagnose_gradient(np.array([4e5, 300.0, 2.0])),
        "forget_step_example": "(" + numbers(reference.forget_step(np.array([2.0, -4.0, 1.0]), np.array([0.5, 1.0, 0.0]),
                                                                   np.array([1.0, 0.5, -3.0]))) + ")",
        "forget_jacobian_example": rows(reference.forget_jacobian(np.array([0.5, 1.0, 0.25]))),
        "chain_example": rows(reference.forget_chain_jacobian(np.array([[0.5, 1.0], [0.25, 0.9], [0.8, 1.0]]))),
        "gate_099": numbers(reference.forget_chain_jacobian(np.full((100, 1), 0.99)), 2),
        "gate_05": power_of_ten(reference.forget_chain_jacobian(np.full((100, 1), 0.5))[0, 0]),
        "chain_grad_example": ", ".join(f"`{name}` ({numbers(values)})"
                                        for name, values in zip(("d_c0", "d_fs", "d_gs"), one_step)),
        "residual_example": rows(reference.residual_chain_jacobian([np.array([[1.0, 2.0], [0.0, -1.0]]),
                                                                    np.array([[0.0, 0.5], [3.0, 1.0]])])),
        "post_norm": power_of_ten(0.5**12),
    }
