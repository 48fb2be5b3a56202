"""Release, isolation, grading and evidence for the assignments on sequence models before attention."""

__version__ = "0.1.0"
