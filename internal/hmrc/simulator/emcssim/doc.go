// Package emcssim simulates HMRC's Excise Movement Control System (EMCS): what it answers to a message, and which messages it sends to
// consignor and consignee. It has no server, no clock and no chance: the same calls at the same times give the same answers, so that a journal of
// the calls restores the state.
//
// # What a message gets
//
// The checks come in HMRC's order: whether the message can be read and belongs to the movement (400, 404), the schema and the numbered rules (422, with
// HMRC's numbers), and what depends on the state of the movement, which an IE704 refuses later. A draft is accepted by default: both parties get an IE801.
// A later message is stamped with the time of validation and sent to both parties; a change of destination is followed by an IE801 with the next sequence
// number, and by an IE803 for the first consignee. Registers are not simulated: every well-formed excise number is known.
//
// # Stories
//
// The LRN of a draft may choose one of the stories of HMRC's sandbox, which sends its messages at once; see [Stories]. X-Simulate asks for accept, silent,
// reject, or reject with the number of an error.
//
// Source: hmrc/emcs-api-testing-guide (28 February 2025), hmrc/excise-movement-control-system-api (12 February 2026), read on 27 November 2026.
// Identifiers of messages begin with SIM-, so that they cannot be mistaken for HMRC's.
package emcssim
