package customs_test

import (
	"encoding/json"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/customstest"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func (e *env) insert(kind *filing.Type, body json.RawMessage) {
	in, err := kind.Parse(body, testTime)
	e.must(err)
	e.update(func(tx *store.Tx) error {
		_, err := e.service.Filings.Create(tx, tenant.Call{Principal: tenant.Principal{Org: e.org, Role: tenant.Owner, Type: tenant.ByUser}}, kind, in)
		return err
	})
}

// BenchmarkCreate reads, checks and stores a declaration.
func BenchmarkCreate(b *testing.B) {
	e := &env{TB: b, sender: &sender{}, org: orgID}
	e.open(storetest.SQLite(b))
	var shipments []string
	e.update(func(tx *store.Tx) error { shipments = e.records(tx); return nil })
	for name, body := range map[string]json.RawMessage{"plain": customstest.Plain(shipments[0]), "full-1": customstest.Full(shipments[0], 1), "full-999": customstest.Full(shipments[0], 999)} {
		b.Run(name, func(b *testing.B) { customstest.Measure(b, func() { e.insert(e.service.Type, body) }) })
	}
}

// BenchmarkDocument completes a declaration of 999 items and encodes it as XML.
func BenchmarkDocument(b *testing.B) {
	var d customs.Declaration
	if err := json.Unmarshal(customstest.Full("", 999), &d); err != nil {
		b.Fatal(err)
	}
	s := customs.Shipment{TransportMode: "SEA", PortOfEntry: "GBTIL", Arrived: true}
	c, o := customs.Client{Name: "Clipper Imports", EORI: "GB553202734852"}, access.Organisation{Profile: access.Profile{EORI: "GB603202734852"}}
	b.Run("fill", func(b *testing.B) { customstest.Measure(b, func() { customs.FilledDocument(d, s, c, o, testTime) }) })
	document := customs.FilledDocument(d, s, c, o, testTime)
	var buffer []byte
	b.Run("encode", func(b *testing.B) { customstest.Measure(b, func() { buffer, _ = document.Append(buffer[:0]) }) })
}
