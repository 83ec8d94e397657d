package ens_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// A text is set at its place in the schema's order, whatever was set before, and a copy does not change with it.
func TestSet(t *testing.T) {
	m := ens.New(schema.Declaration, ens.Header{})
	for _, path := range []string{"ITI/CouOfRouCodITI1", "HEAHEA/DecDatTimHEA114", "GOOITEGDS/PACGS2/KinOfPacGS23", "HEAHEA/RefNumHEA4", "GOOITEGDS/IteNumGDS7"} {
		m.Set(path, "1")
	}
	copied := m.Clone()
	m.Set("ITI/CouOfRouCodITI1", "2")
	const want = `{"hEAHEA":{"refNumHEA4":"1","decDatTimHEA114":"1"},"gOOITEGDS":[{"iteNumGDS7":"1","pACGS2":[{"kinOfPacGS23":"1"}]}],"iTI":[{"couOfRouCodITI1":"2"}]}`
	if got := string(m.JSON()); got != want {
		t.Errorf("%s", got)
	}
	if got := string(copied.JSON()); got != strings.Replace(want, `"2"`, `"1"`, 1) {
		t.Errorf("the copy is %s", got)
	}
	if text, ok := m.Text("ITI/CouOfRouCodITI1"); text != "2" || !ok || m.Count("GOOITEGDS/PACGS2") != 1 || m.Count("SEAID529") != 0 {
		t.Errorf("%q %v", text, ok)
	}
}

// The first of many elements is changed, and more find their place among them.
func TestSetAmongMany(t *testing.T) {
	m, err := ens.Parse(schema.Declaration, ens.Header{}, []byte(`{"gOOITEGDS":[{"pRODOCDC2":[`+strings.Repeat("{},", 40)+`{}]}],"iTI":[{}]}`), "message")
	if err != nil {
		t.Fatal(err)
	}
	m.Set("GOOITEGDS/PRODOCDC2/DocTypDC21", "N730")
	m.Set("GOOITEGDS/GooDesGDS23", "Oranges")
	text := string(m.JSON())
	if !strings.HasPrefix(text, `{"gOOITEGDS":[{"gooDesGDS23":"Oranges","pRODOCDC2":[{"docTypDC21":"N730"},{},`) || m.Count("GOOITEGDS/PRODOCDC2") != 41 {
		t.Errorf("%s", text)
	}
}

// What the schema needs and a message lacks is named by its members; the old schema needs more.
func TestMissing(t *testing.T) {
	for content, want := range map[string][2]string{
		`{}`: {"hEAHEA gOOITEGDS pERLODSUMDEC cUSOFFFENT730", ""},
		`{"hEAHEA":{"refNumHEA4":"1"},"gOOITEGDS":[{"iteNumGDS7":"1"},{"pACGS2":[{}]}],"pERLODSUMDEC":{},"cUSOFFFENT730":{}}`: {
			"hEAHEA.traModAtBorHEA76 hEAHEA.decDatTimHEA114 gOOITEGDS[1].iteNumGDS7 gOOITEGDS[1].pACGS2[0].kinOfPacGS23 pERLODSUMDEC.tINPLD1 " +
				"cUSOFFFENT730.refNumCUSOFFFENT731 cUSOFFFENT730.expDatOfArrFIRENT733", "hEAHEA.totNumOfIteHEA305 hEAHEA.decPlaHEA394 "},
	} {
		m, err := ens.Parse(schema.Declaration, ens.Header{}, []byte(content), "message")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(m.Missing(verdict.New), " "); got != want[0] {
			t.Errorf("%s: %s", content, got)
		}
		old := strings.Replace(want[0], "hEAHEA.decDat", want[1]+"hEAHEA.decDat", 1)
		if got := strings.Join(m.Missing(verdict.Old), " "); got != old {
			t.Errorf("%s, old: %s", content, got)
		}
	}
	m, err := ens.Read(sample(t), schema.Declaration)
	if err != nil || len(m.Missing(verdict.Old)) > 0 {
		t.Errorf("the sample: %v %v", err, m.Missing(verdict.Old))
	}
}
