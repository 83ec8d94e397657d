// Package movementapi calls HMRC's Excise Movement Control System API: it sends messages, lists movements, fetches their messages, and subscribes excise
// numbers to push notifications. It neither reads nor checks the messages themselves.
//
// # Repeats
//
// HMRC answers a draft with the same LRN and consignor with the same movement until it has an ARC, and refuses it afterwards ([CodeDuplicate]). So a draft whose
// outcome is unknown can be sent again; after CodeDuplicate, [Client.Movements] finds the movement by its LRN. A later message that is repeated is
// refused by an IE704 that concerns the repeat alone.
//
// Source: hmrc/excise-movement-control-system-api (12 February 2026), read on 27 November 2026.
package movementapi
