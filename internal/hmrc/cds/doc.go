// Package cds is the way to customs and back: it sends declarations to the
// Customs Declaration Service (CDS) and tells a genuine notification from a
// forged one. It knows neither filings nor a database.
//
// # When a submission fails
//
// A declaration that is sent twice may be a debt that is owed twice, and one
// that is believed sent but is not may leave goods standing at the quay. So the
// client never answers "it failed". It says which of four things is the case,
// and there is no fifth:
//
//   - [Accepted]: customs has the declaration and has given the conversation its
//     id. That is all a 202 means; whether the declaration is any good comes
//     later, as a notification under that id.
//   - [Refused]: customs answered, and the answer says that it did not take the
//     declaration. Sending the same bytes again gets the same answer, except
//     after a 429, where [Refused.RetryAfter] says when.
//   - [Unreachable]: customs certainly has not got it, because not one byte of
//     the document left this machine, or because customs said that it is closed.
//     Sending it again is safe at any time.
//   - [Unknown]: customs may have it. Nobody on this side can find out by
//     looking harder.
//
// # Where certainty ends
//
// It ends when the head of the request has been written. Up to then (the name is
// looked up, the connection is made, TLS is agreed, a token is fetched, a turn
// is waited for) any failure is Unreachable: a server that has not got the
// document cannot have taken it. From then on the document is on the wire, and a
// connection that breaks, a deadline that passes or an answer that cannot be
// read all look the same whether customs stored the declaration or not. A
// document that was only half written is counted as Unknown too; the line is
// drawn where it can be drawn without guessing.
//
// An answer that can be read brings certainty back only where its meaning is
// known. 400, 401, 403, 404, 406, 413, 415 and 429 are given by checks that
// stand before the hand-over to the back end, and 501 by a wrong address: not
// taken. 503 with the code SERVER_ERROR is the shutter of an API version, the
// first check of all: not taken. Every other 5xx, a bare 503 included, may come
// from a gateway that lost patience with a back end that did not, and is
// Unknown. So are a 202 without a conversation id, any other 2xx, and a
// redirect, which is never followed. An error may carry a conversation id as
// well, so that id alone proves nothing; but a notification that arrives under
// the id of an Unknown proves that the declaration was taken.
//
// # What to do with an Unknown
//
// Keep the LRN. Customs refuses a second declaration with the same LRN within
// 48 hours (CDS12003), so the same document may be sent again without the danger
// of declaring twice; if the first one was taken, the second draws a rejection
// under a conversation of its own, which must not be mistaken for the fate of
// the first. The client itself never sends a document again, with one exception:
// a 401 certainly was not taken, and is tried once more with a new token.
//
// # The way back
//
// Customs posts notifications to an open address, so every call has to prove
// where it comes from before a byte of it is stored; see [Inbound].
package cds
