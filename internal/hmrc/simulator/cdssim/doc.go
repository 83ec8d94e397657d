// Package cdssim simulates HMRC's Customs Declaration Service (CDS). It accepts declarations and cancellation requests over
// HTTP with the checks and error bodies of CDS, and answers with notifications, posted to a callback one after another until
// each has been accepted.
//
// # What a declaration gets
//
// An arrived import is accepted (01), taxed twice (13, indicative and final) and
// cleared (09). A pre-lodged one is registered (02) first. Exports have no tax. A declaration with errors is rejected (03)
// with the CDS code and the pointer of each. A second declaration with the LRN of one that was not rejected is rejected for
// 48 hours (CDS12003), in its own conversation.
//
// # Steering
//
// The header X-Simulate, or else the first document reference or the trader's reference that begins with SIM-, selects
// another outcome by the letters of HMRC's own stub, such as BCDS12056 and SIM-BCDS12056-1. Any other reference, and the LRN,
// select nothing:
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
// declaration is granted only with an S in the third place, or with the header
// X-Simulate: grant on the request.
//
// # Movements of exports
//
// Inventory linking of exports knows the DUCR of every export that was not rejected, per organisation, and each master UCR with
// which one was associated. It refuses what HMRC refuses: an unknown UCR (16), goods that have not arrived at the location of the
// departure (13) or that customs has not cleared (14), a master UCR that is shut (07), not shut (19), empty (25) or departed (29),
// a location that is none (28), a time that is missing (18) or more than 25 hours ahead (20). The arrival of a pre-lodged export
// lets its declaration go on; a departure is followed by the message that the goods have left (16). The header X-Simulate of a movement
// asks for accept, reject, reject with an error code, or silent.
//
// # Faithful, not complete
//
// The Information API is not supported. Uploaded files are examined and not kept. An amendment is granted unless its header says deny or the amended
// declaration has a fault. A request that is not refused is first registered (02); a DMSRES repeats granted changes before the clearance (07),
// with their places and without the new values, unless the goods are still to arrive. A notification of presentation lets a declaration go
// on that was steered to R; other pre-lodged goods arrive by themselves. LRNs are unique per declarant, independent of the token. Items are checked in standard declarations only (DE 1/2 A
// and D).
package cdssim
