"""Known misconceptions, one module per stage: wrong implementations whose hints are in the texts, by name."""
