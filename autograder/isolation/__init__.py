"""The border between the grader and a submission."""
