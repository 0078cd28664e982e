"""One question to an OpenAI-compatible endpoint, through the ``openai`` SDK, asked until there is an answer.

The SDK's own retries know statuses only. Here the same patience covers what else goes wrong on the way: an answer that
is cut off, of another content type, without choices, or that does not come to an end in time.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from silp_cli.bench.extras import require
from silp_cli.bench.models import MODELS
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from silp_cli.bench.prompts import Message

_SPEC = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)=(?P<url>https?://[^#\s]+)(?:#(?P<id>\S+))?")
_LAST = frozenset((401, 403, 404))  # no other question will fare better
_AGAIN = frozenset((408, 409, 425, 429))
_LONGEST_WAIT = 60.0


class Model(NamedTuple):
    """Where a model answers.

    Attributes:
        name: what the results call it.
        url: the base URL, such as ``http://127.0.0.1:8080/v1``; "" for a model that is to be served here.
        id: the model's name at the endpoint; "" takes the first that the endpoint lists.
    """

    name: str
    url: str
    id: str = ""

    @property
    def key_variable(self) -> str:
        """The environment variable that holds this model's own key."""
        return re.sub(r"[^A-Z0-9]", "_", self.name.upper()) + "_API_KEY"


class Answer(NamedTuple):
    """What came back.

    Attributes:
        said: the text, or the refusal.
        refused: whether the endpoint marked it as a refusal.
        model_id: the model's name in the answer.
        finish_reason: why the model stopped.
        usage: ``prompt_tokens`` and ``completion_tokens``, as the endpoint counts; None where it does not say.
        latency_s: seconds of the request that was answered.
        logprob: ``sum`` and ``tokens``, where they were asked for and given.
    """

    said: str
    refused: bool
    model_id: str
    finish_reason: str | None
    usage: dict[str, int] | None
    latency_s: float
    logprob: dict[str, float] | None


class Unanswered(Exception):  # noqa: N818 - reads better where it is caught
    """There is no answer; the message is the reason.

    Args:
        reason: one line.
        last: whether no other question to this model will fare better.
    """

    def __init__(self, reason: str, *, last: bool = False) -> None:
        super().__init__(reason)
        self.last = last


class _Faulty(Exception):  # noqa: N818
    """Something that may go better next time; ``wait`` is what the endpoint asked for."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def parse_model(text: str) -> Model:
    """Read ``NAME=URL[#model-id]``; a name alone is that of a fetched model, and has no URL until it is served.

    Raises:
        CommandError: for anything else, and for a URL that holds a password.
    """
    if text in MODELS:
        return Model(text, "")
    found = _SPEC.fullmatch(text)
    if found is None:
        raise CommandError(
            f"silp eval: --model {_without_secrets(text)}: NAME=URL[#model-id] expected, "
            "such as small=http://127.0.0.1:8080/v1, or a name of 'silp model list'"
        )
    parts = urlsplit(found["url"])
    if parts.username or parts.password or parts.query:
        raise CommandError(
            f"silp eval: --model {found['name']}: no key in the URL; set {Model(found['name'], '').key_variable}"
        )
    return Model(found["name"], found["url"].rstrip("/"), found["id"] or "")


def _without_secrets(text: str) -> str:
    return re.sub(r"//[^/@\s]*@|\?\S*", "…", text)


class Endpoint:
    """A model that is asked.

    Args:
        model: where it answers.
        timeout: seconds for one request, from the first byte sent to the last received.
        retries: how often a question is asked again.
        environment: where the keys are.
        note: told, once, when the endpoint takes no schema.
    """

    def __init__(
        self,
        model: Model,
        *,
        timeout: float = 120.0,
        retries: int = 5,
        environment: Mapping[str, str] = os.environ,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.model = model
        self._openai = require("openai", "eval")
        self._timeout = timeout
        self._retries = retries
        self._note = note
        self._takes_schema = True
        self._id = model.id
        self._key = environment.get(model.key_variable) or environment.get("OPENAI_API_KEY") or "none"
        self._client: Any = None

    async def __aenter__(self) -> Endpoint:
        self._client = self._openai.AsyncOpenAI(
            base_url=self.model.url, api_key=self._key, max_retries=0, timeout=self._timeout
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def ask(self, messages: list[Message], *, schema: dict[str, Any] | None = None, **settings: Any) -> Answer:
        """Ask until there is an answer or patience ends.

        Args:
            messages: the prompt.
            schema: what the answer must conform to, where the endpoint can hold a model to it.
            settings: ``temperature``, ``seed``, ``max_tokens``, ``logprobs``.

        Raises:
            Unanswered: when the last try failed too, or another would be no use.
        """
        for attempt in range(self._retries + 1):
            try:
                async with asyncio.timeout(self._timeout):
                    return await self._once(messages, schema, settings)
            except TimeoutError:
                fault = _Faulty(f"no answer within {self._timeout:g} s")
            except _Faulty as error:
                fault = error
            if attempt < self._retries:
                await asyncio.sleep(_pause(attempt) if fault.wait is None else fault.wait)
        tries = f"{self._retries + 1} tries" if self._retries else "1 try"
        raise Unanswered(f"{fault} ({tries})")

    async def _once(self, messages: list[Message], schema: dict[str, Any] | None, settings: dict[str, Any]) -> Answer:
        started = time.monotonic()
        openai = self._openai
        wanted = dict(settings)
        if schema is not None and self._takes_schema:
            wanted["response_format"] = {
                "type": "json_schema", "json_schema": {"name": "ir", "schema": schema, "strict": True},
            }
        try:
            if not self._id:
                self._id = await self._first_listed()
            raw = await self._client.chat.completions.with_raw_response.create(
                model=self._id, messages=messages, **wanted
            )
            reply = raw.parse()
        except openai.APIStatusError as error:
            status = error.status_code
            if status in (400, 422) and "response_format" in wanted:
                self._takes_schema = False
                self._note(f"{self.model.name}: the endpoint takes no JSON Schema ({status}), asking without")
                return await self._once(messages, schema, settings)
            if status in _AGAIN or status >= 500:
                raise _Faulty(self._hidden(f"status {status}"), _retry_after(error.response.headers)) from None
            raise Unanswered(self._refusal(status, error), last=status in _LAST) from None
        except openai.APITimeoutError:
            raise _Faulty(f"no answer within {self._timeout:g} s") from None
        except openai.APIConnectionError as error:
            raise _Faulty(self._hidden(f"the connection failed: {error.__cause__ or error}")) from None
        except (openai.APIError, ValueError) as error:  # JSON that is cut off, bytes that are no text
            raise _Faulty(self._hidden(f"the answer cannot be read: {error}")) from None
        if not isinstance(getattr(reply, "choices", None), list):
            kind = raw.headers.get("content-type", "none")
            raise _Faulty(self._hidden(f"the answer is no chat completion (content type {kind})"))
        return _answer(reply, time.monotonic() - started)

    async def _first_listed(self) -> str:
        """The first model that the endpoint lists; where it lists none, the name in the results."""
        try:
            listed = (await self._client.models.list()).data
        except self._openai.NotFoundError:
            return self.model.name
        return str(listed[0].id) if listed else self.model.name

    def _refusal(self, status: int, error: Any) -> str:
        if status in (401, 403):
            return f"status {status}: the key is missing or wrong; set {self.model.key_variable} or OPENAI_API_KEY"
        if status == 404:
            return f"status 404: nothing answers at {self.model.url}; a base URL usually ends in /v1"
        return self._hidden(f"status {status}: {error.message}")

    def _hidden(self, text: str) -> str:
        """One short line, without the key: an endpoint may repeat what it was sent."""
        if self._key != "none":
            text = text.replace(self._key, "…")
        text = " ".join(text.split())
        return text if len(text) <= 200 else text[:200] + "…"


def _answer(reply: Any, latency: float) -> Answer:
    if not reply.choices:
        raise _Faulty("the answer holds no choice")
    choice = reply.choices[0]
    message = getattr(choice, "message", None)
    if message is None:
        raise _Faulty("the answer holds no message")
    refused = bool(getattr(message, "refusal", None))
    said = message.refusal if refused else message.content
    if not isinstance(said, str):
        said = ""
    usage = reply.usage
    return Answer(
        said=said,
        refused=refused,
        model_id=str(reply.model or ""),
        finish_reason=choice.finish_reason,
        usage=usage and {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens},
        latency_s=round(latency, 3),
        logprob=_logprob(choice),
    )


def _logprob(choice: Any) -> dict[str, float] | None:
    tokens = getattr(getattr(choice, "logprobs", None), "content", None)
    if not tokens:
        return None
    return {"sum": round(sum(each.logprob for each in tokens), 6), "tokens": len(tokens)}


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that an endpoint asked for, as a number or as a date; never more than a minute."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        wait = float(value)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            wait = parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return None
    return min(max(wait, 0.0), _LONGEST_WAIT)


def _pause(attempt: int) -> float:
    """Twice as long each time, and never the same for two that wait."""
    return min(0.5 * 2.0**attempt, _LONGEST_WAIT) * random.uniform(0.75, 1.25)
