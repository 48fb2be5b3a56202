"""Reference functions, one module per stage: the source of stubs, examples and expected values."""
