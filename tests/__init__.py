"""Tests; a package, so that the checks of the pages have one import name everywhere."""
