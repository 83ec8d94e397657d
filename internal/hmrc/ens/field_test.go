package ens_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// Locations become members of the message's JSON.
func TestField(t *testing.T) {
	for location, want := range map[string]string{
		"/ie:CC315A[1]/GOOITEGDS[2]/PACGS2[1]/KinOfPacGS23[1]": "gOOITEGDS[1].pACGS2[0].kinOfPacGS23",
		"/x:CC313A[1]/HEAHEA[1]/TotGroMasHEA307[1]":            "hEAHEA.totGroMasHEA307",
		"/CC315A[1]/ITI[3]":           "iTI[2]",
		"/ie:CC315A[1]":               "",
		"/ie:CC315A[1]/MesSenMES3[1]": "",
		"/ie:CC315A[1]/Foo[1]":        "",
		"/ie:CC315A[1]/ITI[0]":        "",
		"/ie:CC315A[1]/ITI":           "",
		"/":                           "",
		"":                            "",
	} {
		if got := ens.Field(location); got != want {
			t.Errorf("%s: %q, want %q", location, got, want)
		}
	}
}

// Every rule that is broken by a full message names a member that its JSON has.
func TestFieldsExist(t *testing.T) {
	document := full(t, schema.Declaration)
	m, err := ens.Read(document, schema.Declaration)
	if err != nil {
		t.Fatal(err)
	}
	var content any
	if err := json.Unmarshal(m.JSON(), &content); err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, e := range ens.Check(document, verdict.New) {
		field := ens.Field(e.Location)
		if field == "" {
			continue
		}
		named++
		at := content
		for member := range strings.SplitSeq(field, ".") {
			name, index, isList := strings.Cut(strings.TrimSuffix(member, "]"), "[")
			members, _ := at.(map[string]any)
			if at = members[name]; isList {
				list, _ := at.([]any)
				if at = nil; index == "0" || index == "1" {
					at = list[int(index[0]-'0')]
				}
			}
		}
		if at == nil {
			t.Errorf("%s: there is no %s", e.Location, field)
		}
	}
	if named < 50 {
		t.Errorf("only %d errors name a member", named)
	}
}
