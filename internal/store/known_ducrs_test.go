package store_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Declarations that an earlier version stored get their DUCR as a name, by who accepted them. One that nobody accepted, or without DUCR, gets none.
func TestEarlierDUCRsBecomeNames(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		for n, added := range []string{
			`{"ducr":"6GB1-real","mrn":"26GB1","referenceSource":null}`, `{"ducr":"6GB1-EARLIER","mrn":"26GB2"}`, `{"ducr":"6GB1-SIMULATED","mrn":"26GB3","referenceSource":"simulator"}`,
			`{"ducr":"6GB1-SENT","mrn":null,"referenceSource":null}`, `{"ducr":null,"mrn":"26GB4"}`, `{"mrn":"26GB5"}`,
		} {
			update(t, s, ours, func(tx *store.Tx) error {
				f := filing.Filing{ID: uuid(10 + n), Kind: "declaration", Status: "CLEARED", Version: 1, BodyVersion: 1, Body: []byte(`{}`), Added: json.RawMessage(added), CreatedAt: at, UpdatedAt: at}
				return tx.Write(filing.Change{Filing: f, Event: event(f.ID)})
			})
		}
		_ = s.Close()
		execute(t, b.AsOwner(), "DELETE FROM goose_db_version WHERE version_id = 216")

		s = b.AsOwner().Open(t) // which migrates
		real, simulated := "declaration.ducr", "declaration.ducr.simulated"
		var all []filing.Key
		for _, ducr := range []string{"6GB1-REAL", "6GB1-EARLIER", "6GB1-SIMULATED", "6GB1-SENT", ""} {
			all = append(all, filing.Key{Name: real, Value: ducr}, filing.Key{Name: simulated, Value: ducr})
		}
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.ExistingNames(all)
			if want := (map[filing.Key]bool{{Name: real, Value: "6GB1-REAL"}: true, {Name: real, Value: "6GB1-EARLIER"}: true, {Name: simulated, Value: "6GB1-SIMULATED"}: true}); !maps.Equal(got, want) {
				t.Errorf("got %v", got)
			}
			return err
		})
	})
}
