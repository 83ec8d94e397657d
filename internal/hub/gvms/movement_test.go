package gvms_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func hence(d time.Duration) *time.Time {
	t := now.Add(d)
	return &t
}

func crossing(from, to, reg string) *gvms.Movement {
	return &gvms.Movement{RouteFrom: from, RouteTo: to, VehicleReg: reg, CrossingDate: hence(30 * time.Hour)}
}

// Correct examples, one for each direction.
func inbound() *gvms.Movement  { return crossing("FRCQF", "Dover", "AB24 CDE") }
func outbound() *gvms.Movement { return crossing("Eurotunnel Folkestone", "Coquelles", "B 123 XYZ") }
func toNI() *gvms.Movement     { return crossing("Cairnryan", "Port of Larne", "KXZ 4821") }

var goodExamples = map[string]func() *gvms.Movement{"inbound": inbound, "outbound": outbound, "GB to NI": toNI}

// A body survives decoding and encoding with the API's field names, and empty optional fields are omitted.
func TestMovementJSON(t *testing.T) {
	for _, text := range []string{
		`{"routeFrom":"A","routeTo":"B","vehicleReg":"C","crossingDate":"2026-12-01T06:30:00Z"}`,
		`{"routeFrom":"A","routeTo":"B","vehicleReg":"C"}`,
	} {
		var m gvms.Movement
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(m); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// The examples in the API document form a correct movement.
func TestDocumentedExample(t *testing.T) {
	example := map[string]any{}
	body := reflect.TypeFor[gvms.Movement]()
	for i := range body.NumField() {
		f := body.Field(i)
		if f.Anonymous || f.Type == reflect.TypeFor[filing.Content]() { // the labels of every kind, and what stands for the other fields
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		example[name] = f.Tag.Get("example")
		if f.Type.Kind() == reflect.Slice {
			example[name] = json.RawMessage(f.Tag.Get("example"))
		}
		if f.Tag.Get("doc") == "" || f.Type.Kind() == reflect.String && (f.Tag.Get("maxLength") == "" || f.Tag.Get("minLength") != "1") {
			t.Errorf("%s has no description or no maximum length", name)
		}
	}
	raw, _ := json.Marshal(example)
	var m gvms.Movement
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	if got := suite.Find(t, &m); len(got) > 0 {
		t.Errorf("%s: %v", raw, got)
	}
}

// A new record is open and has a unique GMR, by which it can be found.
func TestAssign(t *testing.T) {
	added, keys := gvms.Movements.Assign(ident.NewSource(strings.NewReader(strings.Repeat("tide", 40)), func() time.Time { return now }), now)
	id, _ := added["gmrId"].(string)
	if _, err := ident.ParseGMR(id); err != nil || id[:4] != "GMRA" || len(keys) != 1 || keys[0].Value != id || gvms.Movements.Lifecycle.Initial != "OPEN" {
		t.Errorf("%v %v", added, keys)
	}
}

// An open record with a crossing time has one deadline, which lapses. A cancelled record has none.
func TestDeadlines(t *testing.T) {
	for _, c := range []struct {
		status lifecycle.State
		at     *time.Time
		want   int
	}{{gvms.Open, hence(time.Hour), 1}, {gvms.Open, hence(-time.Hour), 1}, {gvms.Open, nil, 0}, {lifecycle.Cancelled, hence(time.Hour), 0}} {
		m := inbound()
		m.CrossingDate = c.at
		got := gvms.Movements.Deadlines(m, filing.Metadata{Status: c.status})
		if len(got) != c.want || c.want == 1 && (got[0].Name != "crossing" || !got[0].DueAt.Equal(*c.at) || !got[0].Lapses || got[0].WholeDay || got[0].Title == "" || got[0].Source == "") {
			t.Errorf("%s %v: %+v", c.status, c.at, got)
		}
	}
}

// An outbound record names exports by their DUCRs, as they are: their signs are those that HMRC's schema allows.
func TestExportByDUCR(t *testing.T) {
	m := outbound()
	m.CrossingDate, m.Declarations = nil, []string{" 6gb205672212000-(tws)/01"}
	r, details := m.Record(&api.Reference{})
	if len(details) > 0 || len(r.Customs) != 1 || r.Customs[0].ID != "6GB205672212000-(TWS)/01" || r.Direction != api.Outbound {
		t.Errorf("%+v %+v", r, details)
	}
}

// exported is the declaration of an export.
type exported struct{ filing.View }

const exportID = "01939c50-7b00-7c3e-8f00-00000000000d"

func (exported) Filing(kind, id string) (filing.Filing, error) {
	return filing.Filing{ID: id, Kind: kind, Added: []byte(`{"ducr":"6GB205672212000-TWS01234","mrn":"26GB3TTI2CQ1C7FGR5"}`)}, nil
}

// The id of a declaration becomes its DUCR on an outbound crossing, by its places or by the direction of the message, and its MRN on others.
func TestNumberOfOwnDeclaration(t *testing.T) {
	const ducr, mrn = "6GB205672212000-TWS01234", "26GB3TTI2CQ1C7FGR5"
	stated := func(direction string) *gvms.Movement {
		return &gvms.Movement{Message: []byte(`{"direction":"` + direction + `","vehicleRegNum":"AB24 CDE"}`)}
	}
	for _, c := range []struct {
		movement *gvms.Movement
		want     string
	}{
		{outbound(), ducr}, {inbound(), mrn}, {toNI(), mrn}, {stated("UK_OUTBOUND"), ducr}, {stated("UK_INBOUND"), mrn}, {&gvms.Movement{Message: []byte(`{}`)}, mrn},
	} {
		c.movement.Declarations = []string{exportID}
		got, err := gvms.Movements.Complete(exported{}, c.movement, filing.Completion{Body: []byte(`{}`)})
		if err != nil || string(got.Body) != `{"customsDeclarations":["`+c.want+`"]}` {
			t.Errorf("%+v: %s, %v", c.movement, got.Body, err)
		}
	}
}
