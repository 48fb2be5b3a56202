"""Hidden cases of pad_sequences."""

from otter.test_files import test_case


def drawn_sequences(rng, lengths):
    return [rng.integers(1, 9, size=n).tolist() for n in lengths]


@test_case(name="values_on_several_lengths")
def values_on_several_lengths(ask):
    lists = [([5, 1, 3], 5, 0), ([2, 4], 7, 0), ([1, 1, 3, 2], 4, 11), ([3, 3, 3], 3, 0)]
    for rng, (lengths, width, pad) in zip(ask.generators(4), lists):
        ask.agrees(drawn_sequences(rng, lengths), width, pad)
    ask.agrees([[0, 4, 0], [7, 0], [2, 3, 1, 0, 5]], 6, 0)
    ask.agrees([[3, 3], [1, 3, 2, 3]], 5, 3)
    ask.agrees([[2, 8], [], [5]], 4)
    ask.agrees([[6]], 1)


@test_case(name="types_and_shapes")
def types_and_shapes(ask):
    (rng,) = ask.generators(1)
    ask.has_types_and_shapes(drawn_sequences(rng, [2, 5, 1, 3]), 6, 0)
    ask.has_types_and_shapes([[4, 7]], 3, 1)
    ask.has_types_and_shapes([], 3, 0)


@test_case(name="refuses_a_longer_sequence")
def refuses_a_longer_sequence(ask):
    ask.refuses(([[5, 2, 7, 1]], 3, 0), ([[4, 1, 2], [6, 3, 8]], 2, 0), valid=([[5, 2, 7], [4]], 3, 0))
    ask.refuses(([[4], [6, 3, 8, 2]], 3, 0), ([[4], [6, 3, 8, 2, 1, 5], [7, 1]], 3, 0),
                valid=([[4], [6, 3, 8], [7, 1]], 3, 0))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(drawn_sequences(rng, [2, 4, 1]), 5, 0)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    one, other = ask.generators(2)
    ask.keeps_no_state((drawn_sequences(one, [2, 3]), 4, 0), (drawn_sequences(other, [3, 1]), 4, 0))
