"""What the tests share: the built release, and grading of notebooks made from it."""
