"""Measures the frontends on real models: evaluation, ranking, fitness, optimization (the draft's layers 4 and 5)."""
