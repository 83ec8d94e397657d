// Package client sends requests to HMRC's APIs: with an OAuth token, within HMRC's rate
// limit, and with a definite statement of what became of each request. What differs
// between the APIs is in [API].
//
// # When a request fails
//
// A declaration that is sent twice may be a debt that is owed twice, and one that is
// believed sent but is not may leave goods at the port. So the client never just says that
// a request failed. It ends in one of four ways:
//
//   - accepted: HMRC answered with a success, see [Answer].
//   - [Refused]: HMRC answered that it did not accept the request. The same request gets
//     the same answer, except after a 429, where [Refused.RetryAfter] says when to retry.
//   - [Unreachable]: HMRC certainly did not receive the request, because no byte of its
//     body left this machine, or HMRC answered that it is closed. A retry is always safe.
//   - [Unknown]: HMRC may have accepted the request.
//
// # Where certainty ends
//
// It ends when the head of the request has been written. Until then (resolving the name,
// connecting, TLS, fetching a token, waiting for the rate limit) every failure is
// Unreachable. After that, a broken connection, a deadline or an unreadable answer looks
// the same whether or not HMRC stored the request. A body that was half written counts as
// Unknown too.
//
// An answer brings certainty back only where its meaning is documented. 400, 401, 403, 404,
// 406, 413, 415 and 429 come from checks before the request reaches HMRC's back end, and
// 501 from a wrong address: refused. A 503 with a code in [API.Closed] is given before HMRC
// looks at the request: unreachable. Any other 5xx may come from a gateway that timed out
// while the back end did not, and is Unknown, and so is a redirect, which is never followed.
//
// The client sends a request once, with one exception: a 401 was certainly not accepted,
// and is retried once with a new token.
package client
