package filing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// check checks what the input says about other records, and returns the record's links. The id is that of the record, or
// empty for a new one.
func (t *Type) check(tx Tx, in *Input, id string) (links Links, err error) {
	links.OwnReference = in.label.Reference
	var details []apierr.Detail
	for _, n := range in.needs {
		n.ID = strings.ToLower(n.ID)
		client, found, err := n.find(tx)
		if err != nil {
			return links, err
		}
		if !found {
			details = append(details, apierr.Detail{Field: n.Field, Message: fmt.Sprintf("no %s has this id", n.Kind)})
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
	return links, t.checkReference(tx, in, id)
}

// find reports whether a record exists, and returns the client that it shares.
func (n *Need) find(tx Tx) (client string, found bool, err error) {
	if !n.SameClient {
		found, err = tx.HasFiling(n.Kind, n.ID)
		return "", found, err
	}
	f, err := tx.Filing(n.Kind, n.ID)
	if apierr.Is(err, apierr.NotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	var body struct{ ClientID string }
	err = json.Unmarshal(f.Body, &body)
	return strings.ToLower(body.ClientID), true, err
}
