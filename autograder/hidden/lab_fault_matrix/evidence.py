"""Hidden cases of evidence."""

from otter.test_files import test_case


def measured(rng, shuffled=False):
    names = ["near_one_product_stays_bounded", "rho_below_one_gradient_decays", "rho_above_one_gradient_explodes",
             "rho_one_tanh_saturation_still_decays", "clipping_caps_norm_keeps_training_alive",
             "clipping_does_not_rescue_vanishing", "bptt_matches_finite_difference"]
    metrics = {str(name): bool(rng.integers(2)) for name in (rng.permutation(names) if shuffled else names)}
    return {**metrics, "bptt_matches_finite_difference": float(10.0 ** rng.uniform(-10, -3))}


@test_case(name="values_of_several_measurements")
def values_of_several_measurements(ask):
    for number, rng in enumerate(ask.generators(4)):
        ask.has_types_and_shapes(measured(rng, shuffled=True), f"commit{number}", f"2026-11-0{number + 1}", f"machine {number}")


@test_case(name="refuses_a_missing_metric")
def refuses_a_missing_metric(ask):
    (rng,) = ask.generators(1)
    metrics = measured(rng)
    partial = [{name: value for name, value in metrics.items() if name != left_out} for left_out in metrics]
    rest = ("9ab01", "2026-11-09", "CPython")
    ask.refuses(*((part, *rest) for part in [*partial, {}]), valid=(metrics, *rest))


@test_case(name="refuses_an_unknown_metric")
def refuses_an_unknown_metric(ask):
    (rng,) = ask.generators(1)
    metrics = measured(rng)
    renamed = {name.replace("decays", "falls"): value for name, value in metrics.items()}
    ask.refuses(({**metrics, "loss": True}, "9ab01", "2026-11-09", "CPython"), (renamed, "9ab01", "2026-11-09", "CPython"),
                valid=(metrics, "9ab01", "2026-11-09", "CPython"))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(measured(rng), "9ab01", "2026-11-09", "CPython")
