"""Worked examples of stage 3: the numbers that the notebook's prose quotes, computed by the reference."""

import numpy as np


def examples(reference):
    def numbers(values, digits=3):
        texts = [f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for value in np.ravel(values)]
        return "$(" + ", ".join("0" if text == "-0" else text for text in texts) + ")$"

    def power_of_ten(value):
        mantissa, exponent = f"{value:.0e}".split("e")
        return f"${mantissa} \\cdot 10^{{{int(exponent)}}}$"

    def cosine_when_clipped_at_every_step(seed, rho):
        """The cosine of dL/dW with the truth, for the linear recurrence of section 3."""
        rng = np.random.default_rng(seed)
        W = rng.normal(size=(16, 16))
        W = W * rho / np.abs(np.linalg.eigvals(W)).max()
        states, target = [rng.normal(size=16)], rng.normal(size=16)
        for _ in range(99):
            states.append(W @ states[-1])
        gradients = []
        for tau in (np.inf, 5.0):
            flowing, gradient = states[-1] - target, np.zeros_like(W)
            for before in reversed(states[:-1]):
                flowing = flowing * min(1.0, tau / np.linalg.norm(flowing))
                gradient += np.outer(flowing, before)
                flowing = W.T @ flowing
            gradients.append(gradient / np.linalg.norm(gradient))
        return np.sum(gradients[0] * gradients[1])

    cosines = [cosine_when_clipped_at_every_step(seed, 1.5) for seed in range(200)]
    large = [cosine_when_clipped_at_every_step(seed, 3.0) for seed in range(200)]
    gradient = {"W": np.array([[3.0, 0.0], [0.0, 4.0]]), "b": np.array([12.0])}
    clipped = reference.clip(gradient, 6.5)
    step = reference.forget_step(np.array([2.0, -1.0, 0.5]), np.array([0.5, 1.0, 0.0]), np.array([0.25, 3.0, -1.0]))
    d_c0, d_fs, d_gs = reference.forget_chain_grad(np.array([2.0, -1.0]), np.array([[0.5, 0.25]]), np.array([[0.3, -0.6]]),
                                                   np.array([[1.5, -2.0]]))
    hundred = reference.forget_chain_jacobian(np.full((100, 2), [0.99, 0.5]))
    return {"norm_example": f"{reference.global_norm(gradient):g}",
            "clip_example": f"a matrix with the entries {numbers(clipped['W'])} and the bias {numbers(clipped['b'])}",
            "step_example": numbers(step), "sigmoid_40": f"{1 / (1 + np.exp(-40.0)):g}",
            "per_step_median": f"{np.median(cosines):.2f}", "per_step_least": f"{min(cosines):.2f}",
            "per_step_large": f"{np.median(large):.2f}", "power_099": f"{hundred[0, 0]:.2f}",
            "power_05": power_of_ten(hundred[1, 1]), "grad_c0": numbers(d_c0), "grad_f": numbers(d_fs), "grad_g": numbers(d_gs)}
