"""Gets the model off the disk or the hub, and says in one line what is missing when it cannot."""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib.util import find_spec

from silp_cli.frontends.llmlingua2.encoding import put_cl100k_in_place
from silp_cli.frontends.llmlingua2.options import DEFAULT_MODEL, MODEL_VARIABLE
from silp_cli.frontends.llmlingua2.unusable import unusable
from silp_cli.frontends.vocabulary import find_vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from silp_cli.frontends.llmlingua2.options import Options

_EXTRA = "pip install 'silp-cli[llmlingua2]'"
_PROBE_SECONDS = 10.0
_WEIGHTS = (".safetensors", ".bin")

# What a model calls itself -> the name by which llmlingua knows how its tokenizer marks words. llmlingua looks
# for that name in the path of the model; a model's own configuration is the better witness.
FAMILIES = {"xlm-roberta": "xlm-roberta-large", "bert": "bert-base-multilingual-cased"}


def extra_installed() -> bool:
    """Whether llmlingua is there; it is looked for, not imported."""
    return find_spec("llmlingua") is not None


def require_extra() -> None:
    """Raise ``unsupported_frontend`` with the way to install it when the extra is not there."""
    if not extra_installed():
        raise unusable(f"the llmlingua2 frontend is an extra that is not installed: {_EXTRA}", "llmlingua2.extra")


def model_name(options: Options) -> str:
    """The model to load: the option, else the environment, else the draft's."""
    return options.model or os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL


def load(options: Options) -> tuple[Any, str]:
    """Build llmlingua's compressor.

    Args:
        options: model and device.

    Returns:
        The ``PromptCompressor`` and the model's family, by the name llmlingua has for it.

    Raises:
        SilpError: ``unsupported_frontend`` with one line on what is missing or wrong.
    """
    require_extra()
    name = model_name(options)
    with _quiet(), own_randomness():
        _check_device(options.device)
        source, local = _find(name)
        family = _family(source, local, name)
        options.note(f"loading {name} on {options.device}")
        put_cl100k_in_place(find_vocabulary("gpt-3.5"))
        compressor = _construct(source, local, options.device, name)
    # From here on llmlingua asks this attribute, never the disk.
    compressor.model_name = family
    compressor.model.eval()
    return compressor, family


def _construct(source: str, local: bool, device: str, name: str) -> Any:
    from llmlingua import PromptCompressor

    try:
        return PromptCompressor(
            model_name=source,
            device_map=device,
            # llmlingua trusts code from the hub unless told not to, and changes the dict it is given.
            model_config={"trust_remote_code": False, **({"local_files_only": True} if local else {})},
            use_llmlingua2=True,
            llmlingua2_config={"max_force_token": 0},
        )
    except Exception as error:  # transformers raises whatever the file at hand makes it raise
        raise unusable(f"model {name} cannot be loaded: {_first_line(error)}", "llmlingua2.model") from error


def _check_device(device: str) -> None:
    import torch

    try:
        kind = torch.device(device).type
    except RuntimeError:
        raise unusable(f"no device '{device}'", "llmlingua2.device", "use cpu, cuda, cuda:1 or mps") from None
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(kind, False):
        raise unusable(f"device '{device}' is not available here", "llmlingua2.device", "use --device cpu")


def _find(name: str) -> tuple[str, bool]:
    """Where to load a model from, and whether that is a directory."""
    path = os.path.expanduser(name)
    if os.path.isdir(path):
        return path, True
    if os.path.exists(path) or path.startswith((".", "/", "~")) or path.count("/") > 1:
        raise unusable(
            f"no model in '{name}': not a directory", "llmlingua2.model",
            "give a directory that holds config.json, or a hub name such as " + DEFAULT_MODEL,
        )
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        snapshot = snapshot_download(name, local_files_only=True)
    except HFValidationError as error:
        raise unusable(f"'{name}' is no model name: {_first_line(error)}", "llmlingua2.model") from None
    except LocalEntryNotFoundError:
        snapshot = ""
    if snapshot and _complete(snapshot):
        return snapshot, True
    _probe_hub(name)
    return name, False


def _complete(directory: str) -> bool:
    files = os.listdir(directory)
    return "config.json" in files and any(file.endswith(_WEIGHTS) for file in files)


def _probe_hub(name: str) -> None:
    """Ask the hub for the model once, briefly: the loaders would retry for minutes."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    try:
        HfApi().model_info(name, timeout=_PROBE_SECONDS)
    except GatedRepoError:
        raise unusable(f"the hub wants you to log in for model {name}", "llmlingua2.model") from None
    except RepositoryNotFoundError:
        raise unusable(f"neither the hub nor this directory has a model {name}", "llmlingua2.model") from None
    except Exception as error:  # no network shows as many kinds of exception as there are layers below
        raise unusable(
            f"model {name} is not on this machine and the hub cannot be reached ({type(error).__name__}): "
            f"put it into HF_HOME, or set {MODEL_VARIABLE} or --model to a directory that holds it",
            "llmlingua2.offline",
        ) from None


def _family(source: str, local: bool, name: str) -> str:
    """Check that a model can do the job, before llmlingua would fail on it without a word."""
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(source, trust_remote_code=False, local_files_only=local)
    except Exception as error:  # as in _construct
        raise unusable(f"model {name} cannot be loaded: {_first_line(error)}", "llmlingua2.model") from error
    family = FAMILIES.get(config.model_type)
    if family is None:
        raise unusable(
            f"model {name} is of the kind '{config.model_type}'; llmlingua2 works with " + " and ".join(FAMILIES),
            "llmlingua2.model",
        )
    if not any("ForTokenClassification" in each for each in config.architectures or ()) or config.num_labels < 2:
        raise unusable(
            f"model {name} does not classify tokens; llmlingua2 needs a token classification model with two labels",
            "llmlingua2.model",
        )
    return family


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return (text.splitlines()[0] if text else type(error).__name__)[:200]


@contextmanager
def own_randomness() -> Iterator[None]:
    """Keep away from the caller that llmlingua seeds every generator with 42, and that batches draw from them."""
    import random

    import numpy
    import torch

    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else None
    hash_seed = os.environ.get("PYTHONHASHSEED")
    cudnn = torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark
    try:
        yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.set_rng_state(states[2])
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)
        torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = cudnn
        os.environ.pop("PYTHONHASHSEED", None)
        if hash_seed is not None:
            os.environ["PYTHONHASHSEED"] = hash_seed


@contextmanager
def _quiet() -> Iterator[None]:
    """No warnings, and progress bars on a terminal only, while the model loads."""
    import sys
    import warnings

    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    if not sys.stderr.isatty():
        logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
