"""What all models and operations share: both versions of pydantic, errors, and repeated calls."""

import asyncio
import datetime as dt
import time
from typing import Any, AsyncIterator, Dict, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar
from urllib.parse import quote

import httpx
import pydantic
from pydantic import BaseModel, PrivateAttr

PYDANTIC_2 = pydantic.VERSION.startswith("2.")

# The longest time in seconds that a call waits before it is repeated, whatever Retry-After asks for.
LONGEST_WAIT = 60.0


class Input(BaseModel):
    """A request, or a part of one. Members that are not set are not sent; None is sent as null."""

    if PYDANTIC_2:
        model_config = {"extra": "forbid", "populate_by_name": True, "protected_namespaces": ()}
    else:

        class Config:
            extra = "forbid"
            allow_population_by_field_name = True


class Answer(BaseModel):
    """An answer, or a part of one. Members that later versions of the service add are kept."""

    if PYDANTIC_2:
        model_config = {"extra": "allow", "populate_by_name": True, "protected_namespaces": ()}
    else:

        class Config:
            extra = "allow"
            allow_population_by_field_name = True

    _response: Optional[httpx.Response] = PrivateAttr(default=None)

    @property
    def http_response(self) -> httpx.Response:
        """The response with its headers, such as ETag. Only the whole answer has it, its parts do not."""
        if self._response is None:
            raise AttributeError("a part of an answer has no response of its own")
        return self._response


class ApiError(Exception):
    """The service refused a call. error is the stable code, details name every field that is wrong."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.status = response.status_code
        try:
            body = response.json()
        except ValueError:
            body = {}
        problem: Dict[str, Any] = body if isinstance(body, dict) else {}
        self.error: str = problem.get("error", "")
        self.message: str = problem.get("message", response.reason_phrase)
        self.details: List[Dict[str, Any]] = problem.get("details") or []
        self.request_id: str = problem.get("requestId", response.headers.get("X-Request-Id", ""))
        super().__init__(f"{self.status} {self.error}: {self.message}")


class NotModified(ApiError):
    """The record still has the version that If-None-Match names."""


A = TypeVar("A", bound=BaseModel)


class Caller:
    """Sends the calls of the operations."""

    def __init__(self, http: httpx.Client, retries: int) -> None:
        self._http = http
        self._retries = retries

    def _json(self, kind: Type[A], method: str, path: str, **parts: Any) -> A:
        return _parsed(kind, self._send(method, path, **parts))

    def _any(self, method: str, path: str, **parts: Any) -> Any:
        return self._send(method, path, **parts).json()

    def _bytes(self, method: str, path: str, **parts: Any) -> bytes:
        return self._send(method, path, **parts).content

    def _lines(self, method: str, path: str, **parts: Any) -> Iterator[str]:
        with self._http.stream(method, path, **_request(**parts)) as response:
            if not response.is_success:
                response.read()
                raise _failure(response)
            for line in response.iter_lines():
                yield line.rstrip("\r\n")

    def _send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        tries = _Tries(method, self._retries, _request(**parts))
        while True:
            try:
                response = self._http.request(method, path, **tries.request)
            except httpx.TransportError:
                if not tries.again_after_loss():
                    raise
            else:
                if not tries.again(response):
                    return response
            time.sleep(tries.wait)


class AsyncCaller:
    """Sends the calls of the operations, for asyncio."""

    def __init__(self, http: httpx.AsyncClient, retries: int) -> None:
        self._http = http
        self._retries = retries

    async def _json(self, kind: Type[A], method: str, path: str, **parts: Any) -> A:
        return _parsed(kind, await self._send(method, path, **parts))

    async def _any(self, method: str, path: str, **parts: Any) -> Any:
        return (await self._send(method, path, **parts)).json()

    async def _bytes(self, method: str, path: str, **parts: Any) -> bytes:
        return (await self._send(method, path, **parts)).content

    async def _lines(self, method: str, path: str, **parts: Any) -> AsyncIterator[str]:
        async with self._http.stream(method, path, **_request(**parts)) as response:
            if not response.is_success:
                await response.aread()
                raise _failure(response)
            async for line in response.aiter_lines():
                yield line.rstrip("\r\n")

    async def _send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        tries = _Tries(method, self._retries, _request(**parts))
        while True:
            try:
                response = await self._http.request(method, path, **tries.request)
            except httpx.TransportError:
                if not tries.again_after_loss():
                    raise
            else:
                if not tries.again(response):
                    return response
            await asyncio.sleep(tries.wait)


class _Tries:
    """The tries of one call: whether and when it is repeated."""

    def __init__(self, method: str, retries: int, request: Dict[str, Any]) -> None:
        self.request = request
        self.wait = 0.0
        self._retries = retries
        self._done = 0
        self._repeatable = method == "GET" or "Idempotency-Key" in request["headers"]

    def again(self, response: httpx.Response) -> bool:
        """False after a success. Raises ApiError if the call failed and is not repeated."""
        if response.is_success:
            return False
        # 429 and 503 are sent before anything has happened, so every call may be repeated after them.
        if response.status_code not in (429, 503) or not self._left(response.headers.get("Retry-After", "")):
            raise _failure(response)
        return True

    def again_after_loss(self) -> bool:
        """Whether the call is repeated after its connection was lost."""
        return self._repeatable and self._left("")

    def _left(self, retry_after: str) -> bool:
        self.wait = _wait(retry_after, self._done)
        self._done += 1
        return self._done <= self._retries


def _parsed(kind: Type[A], response: httpx.Response) -> A:
    parse = getattr(kind, "model_validate" if PYDANTIC_2 else "parse_obj")
    answer: A = parse(response.json())
    if isinstance(answer, Answer):
        answer._response = response
    return answer


def segment(text: str) -> str:
    """A text as one segment of a path."""
    return quote(text, safe="")


def _failure(response: httpx.Response) -> ApiError:
    return NotModified(response) if response.status_code == 304 else ApiError(response)


def _wait(retry_after: str, attempt: int) -> float:
    """Seconds until the next try: what the service asks for, otherwise 0.5, 1, 2 … seconds."""
    seconds: float = float(retry_after) if retry_after.isdecimal() else 0.5 * 2**attempt
    return min(seconds, LONGEST_WAIT)


def _request(
    *,
    query: Optional[Mapping[str, Any]] = None,
    headers: Optional[Mapping[str, Optional[str]]] = None,
    body: Any = None,
    media: str = "application/json",
    file: Optional[Tuple[str, bytes]] = None,
    fields: Optional[Mapping[str, Optional[str]]] = None,
) -> Dict[str, Any]:
    """The arguments of httpx for a call; what is None is left out."""
    sent = {name: value for name, value in (headers or {}).items() if value is not None}
    request: Dict[str, Any] = {"headers": sent, "params": _query(query or {})}
    if body is not None:
        request["content"] = body if isinstance(body, bytes) else _encoded(body)
        sent["Content-Type"] = media
    if file is not None:
        request["files"] = {file[0]: (file[0], file[1])}
        request["data"] = {name: value for name, value in (fields or {}).items() if value is not None}
    return request


def _encoded(body: BaseModel) -> bytes:
    dump = getattr(body, "model_dump_json" if PYDANTIC_2 else "json")
    text: str = dump(exclude_unset=True, by_alias=True)
    return text.encode()


def _query(parameters: Mapping[str, Any]) -> Dict[str, str]:
    """Lists are separated by commas, and the entries of a map are parameters of their own."""
    sent: Dict[str, str] = {}
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            sent.update({f"{name}[{key}]": str(text) for key, text in value.items()})
        elif value is not None:
            sent[name] = _text(value)
    return sent


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime):
        return value.isoformat() if value.tzinfo else value.astimezone().isoformat()
    if isinstance(value, (list, tuple)):
        return ",".join(_text(v) for v in value)
    return str(value)
