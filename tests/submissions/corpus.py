"""The corpus of hostile, broken and odd submissions: {id: Case}, from the modules beside this one."""

from submissions import adaptive, archives, attacks_on_score, breakage, kit, leaks, oddities  # noqa: F401

CASES = dict(sorted(kit.CASES.items()))
WRONG = {
    "elman_step": "def elman_step(x, a_prev, params):\n    return np.zeros(len(a_prev))",
    "step_jacobian": "def step_jacobian(a, W_aa):\n    return np.zeros(np.shape(W_aa))",
    "numerical_gradient": "def numerical_gradient(f, w, h=1e-6):\n    return np.zeros(np.shape(w))",
}


def target(stage, question, parameters, solved, places):
    """What the cases are aimed at: `solved` is the solved notebook as JSON, `parameters` the names as text."""
    right = next(cell["source"] for cell in solved["cells"] if cell["id"] == f"stub-{question}")
    right = right if isinstance(right, str) else "".join(right)
    wrong = WRONG.get(question, f"def {question}(*arguments):\n    return 0.123")
    return kit.Target(stage, question, parameters, right, wrong, solved, places)
