"""A student's evidence: what is claimed, what the functions give, and whether the two agree."""
