"""What a page of the course may be written with, as Python-Markdown extensions and plain functions.

Nothing in this package knows MkDocs: the hooks beside it connect the two, so that another
builder that reads Python-Markdown extensions can take the package as it stands.
"""
