"""Gives llmlingua the tiktoken encoding that its constructor asks for, from a file where there is one."""

from __future__ import annotations

import os

from silp_cli.frontends.llmlingua2.unusable import unusable

# The name under which tiktoken looks for cl100k_base in its cache directory.
CACHE_NAME = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
_VARIABLES = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
_DOWNLOAD_SECONDS = 20.0


def put_cl100k_in_place(path: str | None) -> None:
    """Load cl100k_base into tiktoken's memory, where ``encoding_for_model`` finds it.

    Args:
        path: a ``cl100k_base.tiktoken`` file, or None: tiktoken's own cache, else its download.

    Raises:
        SilpError: ``unsupported_frontend`` when it is nowhere to be had.
    """
    if not _cached():
        if path is None:
            _download()
        else:
            _from_file(path)


def _cached() -> bool:
    from tiktoken import registry

    if "cl100k_base" in registry.ENCODINGS:
        return True
    for variable in _VARIABLES:
        directory = os.environ.get(variable)
        if directory is not None:
            return os.path.isfile(os.path.join(directory, CACHE_NAME))
    import tempfile

    return os.path.isfile(os.path.join(tempfile.gettempdir(), "data-gym-cache", CACHE_NAME))


def _from_file(path: str) -> None:
    import shutil
    import tempfile

    import tiktoken

    # tiktoken checks the file's SHA-256 itself and reads it once, so the directory need not outlive this call.
    with tempfile.TemporaryDirectory() as directory:
        shutil.copyfile(path, os.path.join(directory, CACHE_NAME))
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = directory
        try:
            tiktoken.get_encoding("cl100k_base")
        except Exception as error:  # a wrong file makes tiktoken go to the network, where anything may happen
            raise _missing(f"{path} is not cl100k_base") from error
        finally:
            if before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


def _download() -> None:
    """Let tiktoken fetch it, but not for ever: it sets no timeout of its own."""
    from threading import Thread

    import tiktoken

    failure: list[str] = []

    def fetch() -> None:
        try:
            tiktoken.get_encoding("cl100k_base")
        except Exception as error:  # told to the waiting thread
            failure.append(type(error).__name__)

    worker = Thread(target=fetch, daemon=True)
    worker.start()
    worker.join(_DOWNLOAD_SECONDS)
    if worker.is_alive() or failure:
        raise _missing("it is not on this machine and cannot be fetched")


def _missing(why: str) -> Exception:
    return unusable(
        f"llmlingua2 needs the encoding cl100k_base: {why}; get it with: silp vocab pull gpt-3.5, "
        f"or put it into TIKTOKEN_CACHE_DIR under the name {CACHE_NAME}",
        "llmlingua2.encoding",
    )
