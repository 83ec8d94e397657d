package filing_test

import (
	"encoding/json"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// crateAdds has the reference of an authority, and one of the caller's own.
type crateAdds struct {
	Number string `json:"number,omitempty"`
	UCR    string `json:"ucr,omitempty"`
	filing.Sourced
}

// A record that only a simulator has accepted is unknown to the authority, also by the caller's own reference; until the authority itself accepts a record with that
// reference. Only the list that names records counts, and only records of the organisation.
func TestKnownByOwnReference(t *testing.T) {
	each(t, func(e *env) {
		definition := filing.Definition[parcel]{Kind: "known.crate", Singular: "crate", Adds: crateAdds{}, Lifecycle: lifecycle.Regulated, ReferenceMember: "number", KnownBy: "ucr"}
		e.kind = definition.Type()
		definition.Kind, definition.KnownBy, definition.NamesRecords = "known.lorry", "", "notes"
		lorry := definition.Type()
		e.service.Types = map[string]*filing.Type{e.kind.Kind: e.kind, lorry.Kind: lorry}

		const ucr, fromOthers = "6GB205672212000-(TWS)/01", "6GB205672212000-TWS02"
		accept := func(ucr string, source filing.ReferenceSource, number string) {
			f := e.draft(`{"name":"x","weight":1}`)
			_, err := e.act(member, f.ID, lifecycle.Submit, filing.TransitionData{
				Added: filing.Added{"ucr": ucr}, Reference: &filing.Reference{Field: "number", Value: number, Source: source},
			})
			e.must(err)
		}
		uses := func(org tenant.ID, kind *filing.Type, body string) (uses []filing.SimulatedUse) {
			e.must(e.store.View(ctx, org, func(tx *store.Tx) (err error) {
				uses, err = e.service.SimulatedUses(tx, kind, json.RawMessage(body))
				return err
			}))
			return uses
		}
		const body = `{"name":"` + ucr + `","weight":1,"notes":["` + fromOthers + `"," 6gb205672212000-(tws)/01"]}`

		drafted := e.draft(`{"name":"x","weight":1}`)
		_, err := e.act(member, drafted.ID, lifecycle.Submit, filing.TransitionData{Added: filing.Added{"ucr": ucr}, Reference: &filing.Reference{}})
		e.must(err)
		if got := uses(ours, lorry, body); got != nil {
			e.Errorf("before a simulator accepts the crate: %+v", got)
		}
		accept(ucr, filing.OfSimulator, "CRATE-000001")
		got := uses(ours, lorry, body)
		if len(got) != 1 || got[0] != (filing.SimulatedUse{Field: "notes[1]", Reference: ucr, Noun: "crate", Own: true}) {
			e.Errorf("after a simulator accepted the crate: %+v", got)
		}
		if got := uses(ours, e.kind, body); got != nil {
			e.Errorf("a kind that names no records: %+v", got)
		}
		if got := uses(theirs, lorry, body); got != nil {
			e.Errorf("another organisation: %+v", got)
		}
		accept(ucr, filing.OfAuthority, "CRATE-000002")
		if got := uses(ours, lorry, body); got != nil {
			e.Errorf("after the authority accepted a crate: %+v", got)
		}
	})
}
