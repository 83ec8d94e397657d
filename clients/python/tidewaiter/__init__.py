"""Client of the Tidewaiter API, for pydantic 1.10 and 2."""

from . import models
from .base import ApiError, NotModified
from .client import AsyncTidewaiter, Tidewaiter
from .webhooks import verify_webhook

__all__ = ["ApiError", "AsyncTidewaiter", "NotModified", "Tidewaiter", "models", "verify_webhook"]
