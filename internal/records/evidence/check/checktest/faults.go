package checktest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Fault is a pack that is signed and does not hold together.
type Fault struct {
	Pack func(testing.TB) []byte
	Want string // what a finding says of it
}

// Faults are such packs, by what is wrong with them.
func Faults() map[string]Fault {
	all := map[string]Fault{}
	for name, c := range map[string]struct {
		touch func(*Maker)
		want  string
	}{
		"a file put in":             {func(m *Maker) { m.unlisted["sent/0002-more.xml"] = "x" }, "sent/0002-more.xml is not in the manifest"},
		"a file twice":              {func(m *Maker) { m.twice = "body.json" }, "body.json is in the pack twice"},
		"an event left out":         {func(m *Maker) { m.shown = []int{1, 4, 6} }, "Event 4 begins with SUBMITTED, but the one before it led to DRAFT"},
		"the last event left out":   {func(m *Maker) { m.shown = []int{1, 3, 4} }, "The last event, 4, is not the one of the checkpoint"},
		"another's event":           {func(m *Maker) { m.shown = []int{1, 2, 3, 4, 6} }, "Event 2 (e-2) is of another record"},
		"an event twice":            {func(m *Maker) { m.shown = []int{1, 1, 3, 4, 6} }, "Event 1 (e-1) is out of its order"},
		"events that are not told":  {func(m *Maker) { m.Files["timeline.json"] = `{"timeline":[]}` }, "The timeline leaves out event 1"},
		"events that are not there": {func(m *Maker) { m.Files["events.json"] = `{"events":[]}` }, "The timeline tells of event 1 otherwise"},
		"another key named":         {func(m *Maker) { m.names = strings.Repeat("0", 64) }, "The signature of the checkpoint does not hold"},
		"other contents":            {func(m *Maker) { m.Files["body.json"] = `{"name":"x"}` }, "The contents of the record (body.json) are not"},
		"another record shown":      {func(m *Maker) { m.Files["record.json"] = strings.Replace(m.Files["record.json"], "Łódź", "x", 1) }, "The record (record.json) does not have the contents"},
		"another status": {func(m *Maker) {
			m.Files["record.json"] = strings.Replace(m.Files["record.json"], "CLEARED", "DRAFT", 1)
		}, "not in the status"},
		"another message":           {func(m *Maker) { m.Files["sent/0001-submit.xml"] = "<Other/>" }, "1 messages that events tell of are not in the pack"},
		"a message nobody tells of": {func(m *Maker) { m.Files["received/0001-x.xml"] = "<Other/>" }, "The timeline does not tell of received/0001-x.xml"},
		"a message left out":        {func(m *Maker) { delete(m.Files, "sent/0001-submit.xml") }, "The timeline names sent/0001-submit.xml"},
		"no record":                 {func(m *Maker) { m.Files["record.json"] = "x" }, "The record cannot be read"},
		"no timeline":               {func(m *Maker) { m.Files["timeline.json"] = "x" }, "The timeline cannot be read"},
		"no events":                 {func(m *Maker) { m.Files["events.json"] = "x" }, "The events cannot be read"},
		"no checkpoint":             {func(m *Maker) { m.Files["checkpoint.json"] = "x" }, "The checkpoint cannot be read"},
	} {
		all[name] = Fault{func(t testing.TB) []byte {
			m := NewMaker()
			c.touch(m)
			return m.Write(t)
		}, c.want}
	}
	for name, touch := range map[string]func(e map[string]any){
		"a proof changed":     func(e map[string]any) { p := e["proof"].([]any); p[1] = strings.Repeat("0", 64) },
		"a proof cut":         func(e map[string]any) { e["proof"] = e["proof"].([]any)[1:] },
		"a proof in capitals": func(e map[string]any) { p := e["proof"].([]any); p[0] = strings.ToUpper(p[0].(string)) },
		"a field changed":     func(e map[string]any) { e["actorUserId"] = "somebody else" },
		"a hash changed":      func(e map[string]any) { e["hash"] = strings.Repeat("0", 64) },
		"a place changed":     func(e map[string]any) { e["sequence"] = 2 },
		"an address changed":  func(e map[string]any) { personalOf(e, "value", "192.0.2.8") },
		"a salt changed":      func(e map[string]any) { personalOf(e, "salt", strings.Repeat("0", 32)) },
		"a salt alone":        func(e map[string]any) { personalOf(e, "value", nil) },
		"another name":        func(e map[string]any) { personalOf(e, "name", "data.other") },
		"data told otherwise": func(e map[string]any) { e["data"] = "{}" },
	} {
		all[name] = Fault{func(t testing.TB) []byte { return touched(t, touch) }, "Event "}
	}
	return all
}

// personalOf changes a member of the personal value beside an event.
func personalOf(e map[string]any, member string, value any) {
	e["personal"].([]any)[0].(map[string]any)[member] = value
}

// touched has one event that is not as the rest of the pack wants it.
func touched(t testing.TB, touch func(e map[string]any)) []byte {
	t.Helper()
	m := NewMaker()
	m.Write(t)
	var all struct{ Events []map[string]any }
	if err := json.Unmarshal([]byte(m.Files["events.json"]), &all); err != nil {
		t.Fatal(err)
	}
	touch(all.Events[1])
	text, _ := json.Marshal(map[string]any{"events": all.Events})
	m.Files["events.json"] = string(text)
	return m.Write(t)
}
