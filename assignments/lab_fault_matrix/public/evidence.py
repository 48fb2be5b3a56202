"""Public cases of evidence."""

from otter.test_files import test_case


@test_case(name="one_record")
def one_record(ask):
    names = ["near_one_product_stays_bounded", "rho_below_one_gradient_decays", "rho_above_one_gradient_explodes",
             "rho_one_tanh_saturation_still_decays", "clipping_caps_norm_keeps_training_alive",
             "clipping_does_not_rescue_vanishing", "bptt_matches_finite_difference"]
    metrics = dict.fromkeys(names, True)
    metrics["rho_above_one_gradient_explodes"] = False
    metrics["bptt_matches_finite_difference"] = 3.5e-9
    ask.agrees(metrics, "1f0c2d7", "2026-10-05", "CPython 3.12, numpy 2.2, Linux")
