package filing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// check checks what the input says about other records, and returns the record's links. The id and the body before are
// those of the record; both are empty for a new one. Only a reference that the record had before may be to an archived
// record.
func (t *Type) check(tx Tx, in *Input, id string, before json.RawMessage) (links Links, err error) {
	links.OwnReference = in.label.Reference
	var details []apierr.Detail
	for _, n := range in.needs {
		n.ID = strings.ToLower(n.ID)
		client, status, found, err := n.find(tx)
		switch {
		case err != nil:
			return links, err
		case !found:
			details = append(details, apierr.Detail{Field: n.Field, Message: fmt.Sprintf("no %s has this id", n.Kind)})
		case status == lifecycle.Archived && !t.needed(before, n):
			details = append(details, apierr.Detail{Field: n.Field, Message: fmt.Sprintf("the %s is archived; unarchive it first", n.Kind)})
		}
		switch {
		case n.Field == "shipmentId":
			links.ShipmentID = n.ID
		case n.Field == "clientId":
			links.ClientID = n.ID
		}
		links.ClientID = cmp.Or(links.ClientID, client)
	}
	if details != nil {
		return links, apierr.Invalid(details...)
	}
	if err := t.checkName(tx, in, id); err != nil {
		return links, err
	}
	return links, t.checkReference(tx, in, id)
}

// checkName returns an error if the first name of the input must be unique and another record has it.
func (t *Type) checkName(tx Tx, in *Input, id string) error {
	if t.nameTaken.Field == "" || len(in.names) == 0 {
		return nil
	}
	taken, err := tx.NameTaken(in.names[0], id)
	if err == nil && taken {
		e := apierr.New(apierr.ReferenceTaken, "The %s %s.", t.nameTaken.Field, t.nameTaken.Message)
		e.Details = []apierr.Detail{t.nameTaken}
		return e
	}
	return err
}

// needed reports whether a stored body refers to the record of a need.
func (t *Type) needed(body json.RawMessage, now Need) bool {
	if body == nil {
		return false
	}
	before, err := t.needs(body)
	return err == nil && slices.ContainsFunc(before, func(n Need) bool { return n.Kind == now.Kind && strings.EqualFold(n.ID, now.ID) })
}

// find returns the status of a record and the client that it shares, and reports whether it exists.
func (n *Need) find(tx Tx) (client string, status lifecycle.State, found bool, err error) {
	if !n.SameClient {
		status, found, err = tx.FilingStatus(n.Kind, n.ID)
		return "", status, found, err
	}
	return tx.FilingClient(n.Kind, n.ID)
}
