package listen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// maxExpected is the size in bytes of one line of expected events.
const maxExpected = 1 << 20

// Expected are the events that a listener waits for, in this order. Others may happen between them.
type Expected struct {
	lines  []string
	events []map[string]any
}

// ReadExpected reads expected events, each a JSON object on a line of its own. An event is expected if it has all members of the
// object, with the same values; empty lines and those that begin with # are comments.
func ReadExpected(r io.Reader) (*Expected, error) {
	x := &Expected{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxExpected)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil || event == nil {
			return nil, fmt.Errorf("line %d of the expected events is not a JSON object", n)
		}
		x.lines, x.events = append(x.lines, line), append(x.events, event)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("cannot read the expected events: %w", err)
	}
	if len(x.events) == 0 {
		return nil, fmt.Errorf("no event is expected")
	}
	return x, nil
}

// next reports whether a body is the next event that is expected.
func (x *Expected) next(body string) bool {
	var event any
	return len(x.events) > 0 && json.Unmarshal([]byte(body), &event) == nil && contains(event, x.events[0])
}

// take removes the next event, and reports whether it was the last one.
func (x *Expected) take() bool {
	x.lines, x.events = x.lines[1:], x.events[1:]
	return len(x.events) == 0
}

// missing returns an error that names the events that have not happened.
func (x *Expected) missing() error {
	return fmt.Errorf("%d of the expected events did not happen in order; the next one is %s", len(x.events), x.lines[0])
}

// contains reports whether a value has all members of another one, at every depth. Lists must have the same length.
func contains(value, wanted any) bool {
	switch w := wanted.(type) {
	case map[string]any:
		v, ok := value.(map[string]any)
		if !ok {
			return false
		}
		for name, one := range w {
			if got, found := v[name]; !found || !contains(got, one) {
				return false
			}
		}
		return true
	case []any:
		v, ok := value.([]any)
		if !ok || len(v) != len(w) {
			return false
		}
		for i := range w {
			if !contains(v[i], w[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(value, wanted)
}
