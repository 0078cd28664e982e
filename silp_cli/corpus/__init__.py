"""Corpora: a filter over many files, in blocks, on one machine or many. Dask runs it; files come through fsspec."""
