"""Measurements of attention_core, run by `make bench`; they are not tests."""
