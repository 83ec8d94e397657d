// Package inventory writes and reads the messages of HMRC's inventory linking for exports (API Customs Inventory Linking
// Exports): requests about the arrival, the departure and the consolidation of exports, and the answers to them. It uses neither
// filings nor a database.
//
// # Requests
//
// A movement request says that goods are expected (EAA), have arrived (EAL) or have departed (EDL). A consolidation request
// associates a consignment with a master UCR or takes it out (EAC), or shuts a master UCR (CST).
//
// # Answers
//
// HMRC answers a request with 202 and a conversation ID. What it thinks of the request follows as notifications: a control
// response with an action code and error codes, a movement response, and movement totals with the status of each entry. None of
// them has an identifier of its own.
package inventory
