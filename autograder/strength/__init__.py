"""The cases are tested: misconceptions, alternatives, mutants."""
