"""Read by nbconvert, since notebooks.py points JUPYTER_CONFIG_PATH at this folder."""

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - the loader provides it
# A kernel that lives for one build need not warn that its sockets are open. The section is the
# base class's: mkdocs-jupyter replaces ExecutePreprocessor's own.
c.NotebookClient.extra_arguments = ["--log-level=ERROR"]
