// Package reference keeps the tables that others publish and that are too large to
// be part of the program: default values of embedded emissions, places of trade and
// transport, and the codes of excise goods. An operator imports them; whoever asks
// for a table that is not there is told so, and judges more coarsely.
package reference

import "sync/atomic"

// Kind names a table.
type Kind string

// The tables there may be.
const (
	CBAMDefaults Kind = "cbam-defaults"
	UNLOCODE     Kind = "unlocode"
	ExciseCN     Kind = "excise-cn"
)

// Library is every imported table as it stands. Its zero value has none. A table is
// never changed but replaced by a newer one as a whole, so that a reader needs no lock.
type Library struct {
	emissions atomic.Pointer[Emissions]
}
