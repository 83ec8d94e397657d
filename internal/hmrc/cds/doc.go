// Package cds sends declarations to HMRC's Customs Declaration Service (CDS) and authenticates its notifications. It uses
// neither filings nor a database.
//
// # When a submission fails
//
// Package client lists the ways in which sending ends. For CDS they mean:
//
//   - [Accepted]: CDS has the declaration and has given the conversation its id. That is
//     all a 202 means; whether the declaration is correct follows as a notification
//     under that id. A 202 without the id, and any other 2xx, is Unknown.
//   - Unknown: keep the LRN. CDS rejects a second declaration with the same LRN within 48
//     hours (CDS12003), so the same document may be sent again without the danger of
//     declaring twice; if the first one was accepted, the second gets a rejection under a
//     conversation of its own, which must not be mistaken for the result of the first.
//
// An error may carry a conversation id as well, so that id alone proves nothing; but a
// notification that arrives under the id of an Unknown proves that CDS accepted the
// declaration.
//
// # Notifications
//
// CDS posts notifications to an open address, so every call has to prove
// where it comes from before anything of it is stored; see [Inbound].
package cds
