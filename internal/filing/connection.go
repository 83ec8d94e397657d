package filing

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Connection connects the records of a kind with their authority. Its methods run in the transaction of the change.
type Connection interface {
	// Takes reports whether a new record is sent to the authority at once. It then begins in the state Sent of its lifecycle,
	// without a reference.
	Takes(tx Tx, t *Type, body json.RawMessage) (bool, error)
	// Created stores what the authority gets about a new record that it takes.
	Created(tx Tx, call tenant.Call, t *Type, f *Filing) error
	// Allows returns an error if an action, which is not the service's own, must not be made on a record without the authority.
	Allows(tx Tx, t *Type, f *Filing, by lifecycle.Action) error
	// Changed stores what the authority gets about an action that was made on a record.
	Changed(tx Tx, call tenant.Call, t *Type, f *Filing, by lifecycle.Action) error
}

// takes reports whether a new record is sent to its authority at once.
func (s *Service) takes(tx Tx, t *Type, body json.RawMessage) (bool, error) {
	c := s.Connections[t.Kind]
	if c == nil {
		return false, nil
	}
	return c.Takes(tx, t, body)
}

// connectionFor returns the connection that an action on a record concerns; nil for none. Neither what only the service does
// nor what the authority has accepted concerns it.
func (s *Service) connectionFor(t *Type, edge lifecycle.Edge, step *TransitionData) Connection {
	if edge.Guard == lifecycle.System || step.Accepted {
		return nil
	}
	return s.Connections[t.Kind]
}
