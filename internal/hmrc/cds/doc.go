// Package cds is the way to customs and back: it sends declarations to the Customs
// Declaration Service (CDS) and distinguishes genuine notifications from forged ones. It
// uses neither filings nor a database.
//
// # When a submission fails
//
// Package client lists the ways in which sending ends. For CDS they mean:
//
//   - [Accepted]: CDS has the declaration and has given the conversation its id. That is
//     all a 202 means; whether the declaration is any good comes later, as a notification
//     under that id. A 202 without the id, and any other 2xx, is Unknown.
//   - Unknown: keep the LRN. CDS rejects a second declaration with the same LRN within 48
//     hours (CDS12003), so the same document may be sent again without the danger of
//     declaring twice; if the first one was accepted, the second gets a rejection under a
//     conversation of its own, which must not be mistaken for the fate of the first.
//
// An error may carry a conversation id as well, so that id alone proves nothing; but a
// notification that arrives under the id of an Unknown proves that CDS accepted the
// declaration.
//
// # The way back
//
// CDS posts notifications to an open address, so every call has to prove
// where it comes from before a byte of it is stored; see [Inbound].
package cds
