// Package gvms speaks HMRC's Goods Vehicle Movements API for hauliers, version 1.0, and reads its notifications.
//
// HMRC's file of this API is not public. Names and shapes of goods movement records come second-hand from a client that a
// third party generated from HMRC's file (2026); states, notifications, reference data and the asynchronous answers are
// first-hand, from HMRC's port API (2026-04-13), its push-pull notifications API (2026-05-11) and its guide for hauliers.
// Expect corrections when HMRC's own file is at hand: the names of the wire are in this package and nowhere else.
//
// A creation is answered 202 without a body. The id of the record comes with a notification, which names no request. So a
// caller has one creation at a time under way for an account, or compares the content of the record that it then reads.
package gvms
