"""Sources to notebooks and zips, and the proofs of a release."""
