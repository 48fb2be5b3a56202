"""Hidden cases of bptt_check."""

from otter.test_files import test_case


@test_case(name="small_but_not_zero")
def small_but_not_zero(ask):
    for rng in ask.generators(4):
        error = ask.answer_in_form(int(rng.integers(10**6)))
        ask.requires(0 < error < 1e-6, "error_of_another_size", error=f"{error:.2g}")


@test_case(name="decided_by_the_seed")
def decided_by_the_seed(ask):
    seeds = [int(rng.integers(10**6)) for rng in ask.generators(3)]
    errors = [ask.answer_in_form(seed) for seed in seeds]
    again = [ask.answer_in_form(seed) for seed in reversed(seeds)][::-1]
    ask.requires(all(0 < error < 1e-6 for error in errors + again), "not_a_measured_error")
    ask.requires(all(abs(first - second) <= 1e-6 * first for first, second in zip(errors, again)), "another_error_again")
    ask.requires(len({f"{error:.6g}" for error in errors}) == len(seeds), "the_same_error_for_other_seeds")
