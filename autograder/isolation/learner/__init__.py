"""The learner's side of the border; imports nothing of the grader."""
