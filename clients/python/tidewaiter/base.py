"""What all models and operations share: both versions of pydantic, errors, and repeated calls."""

import datetime as dt
import time
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Type, TypeVar
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
        response = self._send(method, path, **parts)
        parse = getattr(kind, "model_validate" if PYDANTIC_2 else "parse_obj")
        answer: A = parse(response.json())
        if isinstance(answer, Answer):
            answer._response = response
        return answer

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
        request = _request(**parts)
        repeatable = method == "GET" or "Idempotency-Key" in request["headers"]
        for left in range(self._retries, -1, -1):
            try:
                response = self._http.request(method, path, **request)
            except httpx.TransportError:
                if left == 0 or not repeatable:
                    raise
                time.sleep(_wait("", self._retries - left))
                continue
            if response.is_success:
                return response
            # 429 and 503 are sent before anything has happened, so every call may be repeated after them.
            if left == 0 or response.status_code not in (429, 503):
                raise _failure(response)
            time.sleep(_wait(response.headers.get("Retry-After", ""), self._retries - left))
        raise AssertionError("the last try returns or raises")


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
