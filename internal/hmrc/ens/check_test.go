package ens_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

func sample(t testing.TB) []byte {
	t.Helper()
	document, err := os.ReadFile("testdata/declaration.xml")
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// Business rules are applied only to a document that keeps the schema, unless they are asked for alone.
func TestCheck(t *testing.T) {
	document := sample(t)
	for _, g := range []verdict.Generation{verdict.New, verdict.Old} {
		if found := ens.Check(document, g); len(found) > 0 {
			t.Errorf("%s: %v", g, found)
		}
	}
	both := bytes.Replace(document, []byte("<TraModAtBorHEA76>10<"), []byte("<TraModAtBorHEA76>100<"), 1)
	if found := ens.Check(both, verdict.New); len(found) != 2 || found[0].Number != 4085 {
		t.Errorf("both: %v", found)
	}
	if found := ens.CheckRules(both, verdict.New); len(found) != 2 || found[0].Number != 8689 || found[1].Number != 8115 {
		t.Errorf("rules: %v", found)
	}
	for _, other := range []string{"<a/>", "", "<ie:CC315A"} {
		if found := ens.CheckRules([]byte(other), verdict.New); len(found) != 1 {
			t.Errorf("%q: %v", other, found)
		}
	}
	if found := ens.CheckRules([]byte("<CC315A/>"), verdict.New); len(found) != 2 || found[0].Number != 8688 {
		t.Errorf("the namespace is a matter of the schema: %v", found)
	}
}
