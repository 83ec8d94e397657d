"""The clients: their settings, and one method for each operation."""

from typing import Dict, Optional

import httpx

from .async_operations import AsyncOperations
from .operations import Operations


class Tidewaiter(Operations):
    """Calls the API of one installation with one key. It may be used by several threads."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        retries: int = 4,
        timeout: float = 60.0,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        """retries is how often a call that may be repeated is repeated after 429, 503 or a lost connection."""
        http = httpx.Client(base_url=base_url, headers=_headers(key), timeout=timeout, transport=transport)
        super().__init__(http, retries)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> "Tidewaiter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncTidewaiter(AsyncOperations):
    """Calls the API as Tidewaiter does, for asyncio. It may be used by several tasks of one event loop."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        retries: int = 4,
        timeout: float = 60.0,
        transport: Optional[httpx.AsyncBaseTransport] = None,
    ) -> None:
        """retries is how often a call that may be repeated is repeated after 429, 503 or a lost connection."""
        http = httpx.AsyncClient(base_url=base_url, headers=_headers(key), timeout=timeout, transport=transport)
        super().__init__(http, retries)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncTidewaiter":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _headers(key: str) -> Dict[str, str]:
    return {"Authorization": f"Bearer {key}"}
