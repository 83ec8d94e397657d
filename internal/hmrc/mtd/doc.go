// Package mtd is the client of HMRC's Making Tax Digital for VAT (VAT (MTD) API 1.0): it fetches the periods for which HMRC
// expects a return, sends returns, and reads returns that were sent. It uses neither filings nor a database, and does nothing
// without a base address.
//
// # When sending fails
//
// A return is a legal declaration, so the client never just says that it failed; package
// client lists the ways in which sending ends. An Unknown is settled by [Client.Resume]:
// it looks for the return first, and sends it only when HMRC answers that there is none for
// the period. HMRC accepts one return for a period and refuses the second as a duplicate,
// so that even a return which is on its way while Resume looks cannot be accepted twice.
//
// # Who is calling
//
// HMRC acts for the person who gave consent, so every call carries that person's
// token (OAuth 2.0, authorisation code) and, as required by law, data of the person's
// device, the fraud prevention headers; see [Origin].
package mtd
