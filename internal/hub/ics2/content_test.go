package ics2_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// britain is the lorry, with washbasins, as a filing for Great Britain with the rest of the message.
func britain() *ics2.Filing {
	f := oranges()
	f.Regime, f.Message, f.EstimatedArrival = ics2.GB, filing.Content(rest), hence(aDay)
	f.GoodsDescription, f.CommodityCodes = "Ceramic washbasins", []string{"69101000"}
	return f
}

// britainAlone is the same with everything in the message.
func britainAlone() *ics2.Filing {
	whole := ics2.Draft(britain(), must(britain().Given()), added)
	whole.Set("CUSOFFFENT730/ExpDatOfArrFIRENT733", now.Add(aDay).Format("200601021504"))
	return &ics2.Filing{Regime: ics2.GB, Message: filing.Content(whole.JSON())}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

var messageCases = []testCase{
	check("complete for Great Britain", britain, unchanged),
	check("complete in the message alone", britainAlone, unchanged),
	check("two commodity codes for one item", britain, func(f body) { f.CommodityCodes = []string{"691010", "732410"} }, "ICS2-053 blocker commodityCodes"),
	check("no office of first entry", britain, func(f body) {
		f.Message = filing.Content(strings.Replace(rest, `"refNumCUSOFFFENT731":"GB000060"`, "", 1))
	}, "ENS-4065 blocker message.cUSOFFFENT730"),
	check("no marks", britain, func(f body) {
		f.Message = filing.Content(strings.Replace(rest, `,"marNumOfPacGSL21":"HM 1-60"`, "", 1))
	}, "ENS-8152 blocker message.gOOITEGDS[0].pACGS2[0]"),
	check("a vague description in the message", britainAlone, func(f body) {
		f.Message = filing.Content(strings.Replace(string(f.Message), "Ceramic washbasins", "Spare parts", 1))
	}, "ICS2-023 warning message.gOOITEGDS[0].gooDesGDS23"),
	check("a message without the regime is not for HMRC", deepSea, func(f body) { f.Regime = ics2.Union }),
}

// The input of a filing can be wrong beyond its schema, and each fault has its place.
func TestCheckFiling(t *testing.T) {
	parse := func(body string) string {
		_, err := ics2.Filings.Type().Parse(json.RawMessage(body), now)
		wrong, ok := apierr.As(err)
		if !ok {
			return fmt.Sprint(err)
		}
		var all []string
		for _, d := range wrong.Details {
			all = append(all, d.Field+": "+d.Message)
		}
		return strings.Join(all, "; ")
	}
	for body, want := range map[string]string{
		`{"message":{}}`:               "message: is for filings with the regime GB",
		`{"regime":"EU","message":{}}`: "message: is for filings with the regime GB",
		`{"regime":"GB","message":{"hEAHEA":{"foo":"1"},"iTI":{}}}`:                             "message.hEAHEA.foo: is not an element of the message; message.iTI: must be an array",
		`{"regime":"GB","message":{"mesSenMES3":"GB1"}}`:                                        "message.mesSenMES3: is made by the service",
		`{"regime":"GB","modeOfTransport":"10","message":{"hEAHEA":{"traModAtBorHEA76":"10"}}}`: "modeOfTransport: is also in message.hEAHEA.traModAtBorHEA76; leave one of them out",
		`{"regime":"GB","message":{}}`:                                                          "<nil>",
	} {
		if got := parse(body); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

// An imported declaration is sent as it was, but for what names the other system. What is
// not well-formed, another message or unknown content is refused with its place.
func TestImport(t *testing.T) {
	other := ics2.Draft(britain(), must(britain().Given()), added)
	other.Set("HEAHEA/RefNumHEA4", "THEIRS")
	other.Header.Sender = "GB999999999000/1234567890"
	f, details := ics2.Import(other.XML())
	if len(details) > 0 {
		t.Fatal(details)
	}
	body := must(json.Marshal(f))
	for _, made := range []string{"THEIRS", "GB999999999000", "pERLODSUMDEC", "refNumHEA4"} {
		if strings.Contains(string(body), made) {
			t.Errorf("the draft has %s of the other system: %s", made, body)
		}
	}
	kind := ics2.Filings.Type()
	org := access.Organisation{Profile: access.Profile{EORI: "GB333333333000"}}
	document := must(kind.Messages.Write(filing.Sending{Organisation: org, Record: &filing.Filing{ID: "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", Body: body}, Now: now}))
	if found := ens.Check(document, verdict.New); len(found) > 0 {
		t.Errorf("%v in %s", found, document)
	}
	for _, made := range []string{"<MesSenMES3>GB333333333000/0000000001<", "<TINPLD1>GB333333333000<", "<RefNumHEA4>TW"} {
		if !strings.Contains(string(document), made) {
			t.Errorf("%s is missing in %s", made, document)
		}
	}
	if strings.Contains(string(document), "TRACARENT601") {
		t.Errorf("the organisation is the carrier, and HMRC refuses to be told so: %s", document)
	}
	for document, want := range map[string]string{
		"<a>":                     "body is not well-formed",
		"<a/>":                    "a is not the root of CC315A",
		string(other.XML()[:300]): "body is not well-formed",
		strings.ReplaceAll(string(other.XML()), "http://ics.dgtaxud.ec/CC315A", "http://ics.dgtaxud.ec/CC315B"): "ie:CC315A is not the root of CC315A",
		strings.Replace(string(other.XML()), "<HEAHEA>", "<HEAHEA><New>1</New>", 1):                             "CC315A/HEAHEA/New is not an element",
	} {
		_, details := ics2.Import([]byte(document))
		if len(details) == 0 || !strings.Contains(details[0].Field+" "+details[0].Message, want) {
			t.Errorf("%.40s: %v, want %s", document, details, want)
		}
	}
}

// The LRN of a record is its own, always the same, and one that HMRC takes.
func TestLRN(t *testing.T) {
	one, again, other := ics2.LRNOf("a"), ics2.LRNOf("a"), ics2.LRNOf("b")
	if one != again || one == other || len(one) != 22 || strings.Trim(one, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		t.Errorf("%s, %s, %s", one, again, other)
	}
}

// The deadline of a filing follows from its message too.
func TestDeadlineOfMessage(t *testing.T) {
	body := must(json.Marshal(britainAlone()))
	due := must(ics2.Filings.Type().Deadlines(&filing.Filing{Body: body, Status: "DRAFT"}))
	if len(due) != 1 || !due[0].DueAt.Equal(now.Add(aDay-2*time.Hour)) {
		t.Errorf("%+v", due)
	}
}

// A filing for Great Britain without what only the message says has blockers, whatever its flat fields.
func TestFlatFieldsDoNotSuffice(t *testing.T) {
	f := oranges()
	f.Regime = ics2.GB
	var codes []string
	for _, finding := range ics2.Rules.Review(f, rules.Facts{Now: now}).Findings {
		if finding.Severity == rules.Blocker {
			codes = append(codes, finding.Code)
		}
	}
	if !slices.Contains(codes, "ENS-4065") {
		t.Errorf("%v", codes)
	}
}

// A filing that customs has intervened in has the trait by which the home page finds it; no other has it.
func TestInterventionsAreATrait(t *testing.T) {
	of := ics2.Filings.Type().Trait.Of
	for added, want := range map[string]int{`{"interventions":[{"id":"5f6d7e1a"}]}`: 1, `{"interventions":[]}`: 0, `{"interventions":null}`: 0, `{"mrn":"26GB"}`: 0} {
		if got := of(filing.Metadata{Added: []byte(added)}); len(got) != want || want == 1 && got[0] != ics2.Intervened {
			t.Errorf("%s: %v", added, got)
		}
	}
}
