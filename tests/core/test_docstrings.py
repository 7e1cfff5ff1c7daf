import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import attention_core

MODULES = [
    importlib.import_module(f"attention_core.{module.name}")
    for module in pkgutil.iter_modules(attention_core.__path__)
]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_example_in_a_docstring_gives_what_it_shows(module):
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0


@pytest.mark.parametrize("name", attention_core.__all__)
def test_every_public_name_says_what_it_is(name):
    assert inspect.getdoc(getattr(attention_core, name))


@pytest.mark.parametrize("name", [n for n in attention_core.__all__ if n != "AttentionTrace"])
def test_every_public_function_shows_an_example(name):
    examples = doctest.DocTestFinder().find(getattr(attention_core, name), name)
    assert any(example.examples for example in examples)
