// Package simulator stands in for the Customs Declaration Service (CDS) of HMRC.
// It takes declarations and cancellation requests over HTTP with customs' own
// checks and error bodies, and answers them as customs does: with notifications,
// posted to a callback one after another until each has been taken.
//
// # What a declaration gets
//
// An arrived import is accepted (01), taxed twice (13, indicative and final) and
// cleared (09). A pre-lodged one is registered (02) first. Exports owe no tax. A
// declaration with faults that customs would find is rejected (03) with the CDS
// code and the pointer of each. A second one with the LRN of one that was not
// rejected is refused for 48 hours (CDS12003), in a conversation of its own.
//
// # Steering
//
// As in HMRC's own stub, the first letter of the LRN decides otherwise, or else
// that of the first document reference; an LRN that begins with TWS never does:
//
//	B  rejected, BCDS12056 with that code     L  cancelled
//	C  cleared                                N  released
//	D  accepted, documents required           P  silence
//	G  accepted                               Q  accepted, then queried
//	K  registered, then expired               R  registered
//	U  accepted, then a physical check        X  cleared, and exported
//
// TAX_LIABILITY stops at the first tax message, INSUFFICIENT at a demand for
// payment (14), REMINDER at its reminder (15). A digit in the second place is the
// delay between messages in seconds. A cancellation request for a steered
// declaration is granted only with an S in the third place.
//
// # Faithful, not complete
//
// Amendments, arrival notifications, file upload and the Information API are not
// here. LRNs are told apart by declarant, whoever the token belongs to. Item by
// item only standard declarations are inspected (DE 1/2 A and D), and a pre-lodged
// one arrives by itself.
package simulator
