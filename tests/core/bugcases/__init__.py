"""Faults that people reported in public, each as a test with the right value.

A test is named after the number of its case. The inputs are small ones of our own; where PyTorch
disagrees with itself, the policy written in the docstrings of attention_core decides.
"""
