"""The command line: every command declared once, in typer; no logic.

How to declare a command (one module a group of commands; add the module to ``MODULES`` in ``app.py``)::

    @command("rank", calls="silp_cli.bench.rank_command:run", group="Measure", examples=EXAMPLES)
    def rank(files: Files = (), html: Annotated[str | None, typer.Option(metavar="FILE", help="…")] = None) -> None:
        '''Say whether a small model may stand in for a large one.'''

* ``calls`` is imported when the command runs, and called with every parameter by keyword:
  ``run(*, files, html) -> int`` gives the exit status. What is shared stands in ``options.py``; ``streams=True`` adds
  output, errors and limits behind the command's own parameters, and ``**stream: Unpack[StreamOptions]`` in ``run``
  takes them and the files in one go.
* The first paragraph of the docstring is the summary; ``notes=`` and ``examples=`` end the help, line by line.
* Types: ``str``, ``bool``, ``list[str]``, ``Literal["text", "json"]``; anything else through ``parser=`` with a
  function of ``values.py`` that raises ``ValueError`` with a message. Flags need a name: ``typer.Option("--bare")``.
* ``"lock verify"`` as a name puts the command into the group ``lock``, which ``group_of_commands`` declares first.
* What the parameters must not say together is checked by ``run``, which raises ``CommandError`` (one line, status 2).
* Then ``make table``: ``table.py`` is generated from the declarations, for the parser of ordinary command lines in
  ``plain.py``, which does without typer. A test fails when the table is stale.
"""
