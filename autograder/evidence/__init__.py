"""What the tape tells: diagnosis of wrong answers."""
