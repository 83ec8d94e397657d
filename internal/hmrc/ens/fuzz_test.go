package ens_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// FuzzMessage reads and checks anything without a panic. A message that is read is the same after JSON and XML, and the errors
// of a check have numbers and places.
func FuzzMessage(f *testing.F) {
	f.Add(sample(f))
	f.Add([]byte(`<ie:CC313A xmlns:ie="http://ics.dgtaxud.ec/CC313A"><HEAHEA a="1">x<b/></HEAHEA><ITI/><ITI/></ie:CC313A>`))
	f.Add([]byte(enveloped("outcomeResponse", answer("CC328A", "<HEAHEA><RefNumHEA4>L1</RefNumHEA4></HEAHEA>"))))
	f.Add([]byte("<entryDeclarationResponses><response><correlationId>1</correlationId></response></entryDeclarationResponses>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, g := range []verdict.Generation{verdict.New, verdict.Old} {
			for _, e := range append(ens.Check(data, g), ens.CheckRules(data, g)...) {
				if e.Number < 4000 || e.Location == "" || e.Text == "" {
					t.Fatalf("%+v", e)
				}
				_ = ens.Field(e.Location)
			}
		}
		_, _ = ens.ReadOutcome(data)
		_, _ = ens.ReadList(data)
		_, _ = ens.ReadReceipt(data)
		_, _ = ens.ReadRefusal(data)
		m, err := ens.Read(data, schema.Names...)
		if err != nil {
			return
		}
		again, err := ens.Parse(m.Name, m.Header, m.JSON(), "message")
		if err != nil || string(again.XML()) != string(m.XML()) {
			t.Fatalf("%v: %s", err, m.JSON())
		}
		if read, err := ens.Read(m.XML(), m.Name); err != nil || string(read.XML()) != string(m.XML()) {
			t.Fatalf("%v: %s", err, m.XML())
		}
	})
}

// FuzzParse reads any JSON without a panic; what it takes is a message that can be read.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"hEAHEA":{"refNumHEA4":"a","traModAtBorHEA76":1},"gOOITEGDS":[{"pACGS2":[{}]}],"foo":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ens.Parse(schema.Declaration, ens.Header{Sender: "GB1/1"}, data, "message")
		if err != nil {
			return
		}
		if read, err := ens.Read(m.XML(), schema.Declaration); err != nil || string(read.JSON()) != string(m.JSON()) {
			t.Fatalf("%v: %s", err, m.XML())
		}
	})
}
