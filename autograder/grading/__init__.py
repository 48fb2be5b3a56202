"""Otter's cases run against the border; results of submissions."""
