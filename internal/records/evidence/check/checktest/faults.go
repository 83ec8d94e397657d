package checktest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Inconsistent is a pack that is signed but inconsistent.
type Inconsistent struct {
	Pack func(testing.TB) []byte
	Want string // part of the finding about it
}

// InconsistentPacks returns inconsistent packs by name.
func InconsistentPacks() map[string]Inconsistent {
	all := map[string]Inconsistent{}
	for name, c := range map[string]struct {
		touch func(*Maker)
		want  string
	}{
		"a file put in":               {func(m *Maker) { m.unlisted["sent/0002-more.xml"] = "x" }, "sent/0002-more.xml is not in the manifest"},
		"a file twice":                {func(m *Maker) { m.twice = "body.json" }, "body.json is in the pack twice"},
		"an event left out":           {func(m *Maker) { m.shown = []int{1, 4, 6} }, "Event 4 starts from the status SUBMITTED, but the previous event ended in DRAFT"},
		"the last event left out":     {func(m *Maker) { m.shown = []int{1, 3, 4} }, "The last event, 4, is not the event in the checkpoint"},
		"another's event":             {func(m *Maker) { m.shown = []int{1, 2, 3, 4, 6} }, "Event 2 (e-2) belongs to another record"},
		"an event twice":              {func(m *Maker) { m.shown = []int{1, 1, 3, 4, 6} }, "Event 1 (e-1) is out of order"},
		"events not in the timeline":  {func(m *Maker) { m.Files["timeline.json"] = `{"timeline":[]}` }, "The timeline does not contain event 1"},
		"events only in the timeline": {func(m *Maker) { m.Files["events.json"] = `{"events":[]}` }, "The timeline shows event 1 differently"},
		"another key named":           {func(m *Maker) { m.names = strings.Repeat("0", 64) }, "The signature of the checkpoint is not valid"},
		"other contents":              {func(m *Maker) { m.Files["body.json"] = `{"name":"x"}` }, "The contents of the record (body.json) do not match"},
		"another record shown":        {func(m *Maker) { m.Files["record.json"] = strings.Replace(m.Files["record.json"], "Łódź", "x", 1) }, "The record (record.json) does not contain the data"},
		"another status": {func(m *Maker) {
			m.Files["record.json"] = strings.Replace(m.Files["record.json"], "CLEARED", "DRAFT", 1)
		}, "its status differs"},
		"another message":            {func(m *Maker) { m.Files["sent/0001-submit.xml"] = "<Other/>" }, "1 messages of events are missing from the pack"},
		"a message without an event": {func(m *Maker) { m.Files["received/0001-x.xml"] = "<Other/>" }, "The timeline does not contain received/0001-x.xml"},
		"a message left out":         {func(m *Maker) { delete(m.Files, "sent/0001-submit.xml") }, "The timeline names sent/0001-submit.xml"},
		"no record":                  {func(m *Maker) { m.Files["record.json"] = "x" }, "The record cannot be read"},
		"no timeline":                {func(m *Maker) { m.Files["timeline.json"] = "x" }, "The timeline cannot be read"},
		"no events":                  {func(m *Maker) { m.Files["events.json"] = "x" }, "The events cannot be read"},
		"no checkpoint":              {func(m *Maker) { m.Files["checkpoint.json"] = "x" }, "The checkpoint cannot be read"},
	} {
		all[name] = Inconsistent{func(t testing.TB) []byte {
			m := NewMaker()
			c.touch(m)
			return m.Write(t)
		}, c.want}
	}
	for name, touch := range map[string]func(e map[string]any){
		"a proof changed":     func(e map[string]any) { p := e["proof"].([]any); p[1] = strings.Repeat("0", 64) },
		"a proof cut":         func(e map[string]any) { e["proof"] = e["proof"].([]any)[1:] },
		"a proof in capitals": func(e map[string]any) { p := e["proof"].([]any); p[0] = strings.ToUpper(p[0].(string)) },
		"a field changed":     func(e map[string]any) { e["actorUserId"] = "another user" },
		"a hash changed":      func(e map[string]any) { e["hash"] = strings.Repeat("0", 64) },
		"a place changed":     func(e map[string]any) { e["sequence"] = 2 },
		"an address changed":  func(e map[string]any) { personalOf(e, "value", "192.0.2.8") },
		"a salt changed":      func(e map[string]any) { personalOf(e, "salt", strings.Repeat("0", 32)) },
		"a salt alone":        func(e map[string]any) { personalOf(e, "value", nil) },
		"another name":        func(e map[string]any) { personalOf(e, "name", "data.other") },
		"data told otherwise": func(e map[string]any) { e["data"] = "{}" },
	} {
		all[name] = Inconsistent{func(t testing.TB) []byte { return touched(t, touch) }, "Event "}
	}
	return all
}

// personalOf changes a member of the personal value of an event.
func personalOf(e map[string]any, member string, value any) {
	e["personal"].([]any)[0].(map[string]any)[member] = value
}

// touched returns a pack with one inconsistent event.
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
