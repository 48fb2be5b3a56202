"""Public cases of clip."""

import numpy as np
from otter.test_files import test_case


@test_case(name="longer_than_tau")
def longer_than_tau(ask):
    ask.agrees({"W": np.array([[3.0, 0.0], [0.0, 4.0]]), "b": np.array([12.0])}, 6.5)


@test_case(name="shorter_than_tau")
def shorter_than_tau(ask):
    ask.agrees({"W": np.array([[0.0, 4.0]]), "b": np.array([3.0])}, 2.0)
    ask.agrees({"W": np.array([[3.0, 0.0], [0.0, 4.0]]), "b": np.array([12.0])}, 20.0)
    ask.has_types_and_shapes({"W": np.array([[0.5, -1.0, 2.0]]), "b": np.array([1.5])})


@test_case(name="refuses_nan")
def refuses_nan(ask):
    ask.refuses(({"W": np.array([[1.0, np.nan]]), "b": np.array([2.0])}, 5.0),
                valid=({"W": np.array([[6.0, 8.0]]), "b": np.array([0.0])}, 5.0))
