package customs_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/customstest"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// The checks of declarations and shipments read any body that can be decoded, whatever the schema finds in it.
func TestChecksReadInvalidBodies(t *testing.T) {
	declaration, shipment := customs.Declarations(nil, nil, nil).Type(), customs.Shipments.Type()
	schemaFault := []apierr.Detail{{Field: "unknown", Message: "is not a known member"}}
	count := 0
	for _, text := range []json.RawMessage{customstest.Full("", 1), customstest.Plain("")} {
		var body map[string]any
		if err := json.Unmarshal(text, &body); err != nil {
			t.Fatal(err)
		}
		eachChange(body, func() {
			changed, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			count++
			declaration.FurtherFaults(changed, schemaFault)
			shipment.FurtherFaults(changed, schemaFault)
		})
	}
	if count < 500 {
		t.Errorf("%d changes", count)
	}
	faults := declaration.FurtherFaults(json.RawMessage(`{"declarationType":"SIDEWAYS","items":[{"procedureCode":"4a00"}]}`), schemaFault)
	if len(faults) != 5 || faults[0].Field != "items[0].commodityCode" || faults[4].Field != "items[0].procedureCode" {
		t.Errorf("%+v", faults)
	}
}

// eachChange makes every value of a body null, empty, strange and absent, one at a time.
func eachChange(value any, try func()) {
	change := func(old any, set func(any)) {
		for _, other := range []any{nil, "", "\x00é", -1, []any{}, []any{nil}, map[string]any{}} {
			set(other)
			try()
		}
		set(old)
		eachChange(old, try)
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			old := v[name]
			change(old, func(other any) { v[name] = other })
			delete(v, name)
			try()
			v[name] = old
		}
	case []any:
		for n := range v {
			change(v[n], func(other any) { v[n] = other })
		}
	}
}
