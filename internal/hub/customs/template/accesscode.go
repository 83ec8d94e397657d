package template

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Access codes of guarantees are kept encrypted with the client or the declaration, never in a template.

// accessCodes returns a detail for each access code in a template.
func accessCodes(body filing.FreeForm) (details []apierr.Detail) {
	for n, guarantee := range guaranteesOf(body) {
		if guarantee[terms.AccessCodes.Name] != nil {
			details = append(details, apierr.Detail{
				Field:   fmt.Sprintf("body.%s[%d].%s", terms.AccessCodes.List, n, terms.AccessCodes.Name),
				Message: "must not be in a template. Enter it in the guarantees of the client, or in the declaration.",
			})
		}
	}
	return details
}

// DropAccessCodes removes the access codes of guarantees from a body.
func DropAccessCodes(body filing.FreeForm) {
	guarantees := guaranteesOf(body)
	if guarantees == nil {
		return
	}
	for _, guarantee := range guarantees {
		delete(guarantee, terms.AccessCodes.Name)
	}
	body[terms.AccessCodes.List], _ = json.Marshal(guarantees) // it was JSON
}

// guaranteesOf returns the guarantees of a body; nil if it has none, or no list of objects.
func guaranteesOf(body filing.FreeForm) (all []map[string]json.RawMessage) {
	if json.Unmarshal(body[terms.AccessCodes.List], &all) != nil {
		return nil
	}
	return all
}
