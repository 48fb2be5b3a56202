"""`python -m autograder VERB`."""

from autograder.cli import main

main()
