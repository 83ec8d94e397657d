// Package mtd is the way to HMRC's Making Tax Digital for VAT: it asks for the
// periods for which HMRC expects a return, sends returns, and looks at those that
// were sent (HMRC's VAT (MTD) API 1.0). It knows neither filings nor a database, and
// does nothing as long as no base address is set.
//
// # When sending fails
//
// A return is a legal declaration, so the client never just says that it failed. As
// in package cds there are four ways in which sending ends, and no fifth: [Accepted],
// [Refused], [Unreachable] when HMRC certainly has not got it, and [Unknown] when it
// may have. Certainty ends when the head of the request has been written, and comes
// back with an answer whose meaning is known: 400, 401, 403, 404, 405, 406, 413, 415,
// 422, 429 and 501 say that the return was not taken, and so does a 503 of scheduled
// maintenance or of an API that is switched off. Every other 5xx may come from a
// gateway that lost patience with a back end that did not.
//
// The client sends nothing twice on its own, except after a 401, once, with a new
// token. What is Unknown is settled by [Client.Resume]: it looks for the return first,
// and sends it only when HMRC says that there is none for the period. HMRC takes one
// return for a period and refuses the second as a duplicate, so that even a return
// which is on its way while Resume looks cannot be taken twice.
//
// # Who is calling
//
// HMRC acts for the person who gave consent, so every call carries that person's
// token (OAuth 2.0, authorisation code), and by law what is known of the device that
// the person sits at, the fraud prevention headers; see [Origin].
package mtd
