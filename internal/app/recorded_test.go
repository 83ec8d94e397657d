package app_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/platform/packed/packedtest"
)

// The recorded calls and events are those of the program: the same operations, statuses and members.
// TIDEWAITER_EXAMPLES=write writes the recording to the files.
func TestExamplesAreRecorded(t *testing.T) {
	r := record(t)
	for path, item := range r.document["paths"].(object) {
		for method, op := range item.(object) {
			if id := at(op, "operationId").(string); r.calls[id] == nil && id != unrecordedOperation {
				t.Errorf("%s (%s %s) was not called", id, method, path)
			}
		}
	}
	for _, e := range catalogueOf(r.app) {
		if e.Of != nil && r.events[e.Type] == nil {
			t.Errorf("%s did not happen", e.Type)
		}
	}
	r.settle()
	if os.Getenv("TIDEWAITER_EXAMPLES") == "write" {
		r.write("calls.json", object{"calls": r.calls, "errors": r.errors}, 2)
		r.write("examples.json", r.events, 1)
	}
	r.compare()
}

// unrecordedOperation needs an accepted simplified declaration, which the demo does not have.
const unrecordedOperation = "create-supplementary-declaration"

// settle shortens the examples, and makes them the same each time.
func (r *recorder) settle() {
	settled := func(example any) any {
		v, err := constant(shorten(example))
		if err != nil {
			r.t.Fatal(err)
		}
		return v
	}
	for _, c := range r.calls {
		if c.Request != nil {
			c.Request = settled(c.Request)
		}
		for status, body := range c.Answers {
			c.Answers[status] = brief(settled(excerpt(body)))
		}
	}
	for _, bodies := range r.errors {
		for code, body := range bodies {
			bodies[code] = brief(settled(body))
		}
	}
	for name, record := range r.events {
		r.events[name] = settled(record)
	}
}

// compare fails the test if a stored example of a call has other members than the recording, or an event has none.
func (r *recorder) compare() {
	stored := demo.Calls()
	for id, c := range r.calls {
		if want, got := members(stored.Calls[id].Request), members(c.Request); want != got {
			r.t.Errorf("the request of %s has %s, the example %s", id, got, want)
		}
		for status, body := range c.Answers {
			if want, got := members(stored.Calls[id].Answers[status]), members(body); want != got {
				r.t.Errorf("the %s of %s has %s, the example %s", status, id, got, want)
			}
		}
	}
	events := demo.Examples()
	for name := range r.events {
		if events[name] == nil {
			r.t.Errorf("there is no example of %s", name)
		}
	}
}

// members returns the names of an example's members, and those within them.
func members(v any) string {
	switch v := v.(type) {
	case object:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, name+members(v[name]))
		}
		return "{" + strings.Join(all, " ") + "}"
	case []any:
		if len(v) > 0 {
			return "[" + members(v[0]) + "]"
		}
	}
	return ""
}

// write writes a file that the demo embeds.
// write writes a recording with a line for each entry: the files are in the program, and indentation would be a fifth of them.
func (r *recorder) write(name string, recorded any, levels int) {
	text, err := json.Marshal(recorded)
	if err == nil {
		text = append(inLines(text, levels), '\n')
		err = os.WriteFile("../demo/"+name, text, 0o644)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	packedtest.Write(r.t, "../demo/"+name, text)
}

// inLines puts each member of an object, and of those in it, on a line of its own. Others stay as they are.
func inLines(text json.RawMessage, levels int) []byte {
	var members map[string]json.RawMessage
	if levels == 0 || json.Unmarshal(text, &members) != nil {
		return text
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		lines = append(lines, strconv.Quote(name)+":"+string(inLines(members[name], levels-1)))
	}
	return []byte("{\n" + strings.Join(lines, ",\n") + "\n}")
}
