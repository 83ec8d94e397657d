package filing_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Added members are merged into the earlier ones and sorted; nil removes one. The same changes give the same bytes.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		object string
		over   filing.Added
		want   string
	}{
		{``, nil, ``},
		{``, filing.Added{}, ``},
		{`{"z":1,"a":2}`, nil, `{"z":1,"a":2}`},
		{``, filing.Added{"b": 1, "a": "ü"}, `{"a":"ü","b":1}`},
		{`{"z":1,"a":2}`, filing.Added{"m": true}, `{"a":2,"m":true,"z":1}`},
		{`{"a":2,"n":1.50}`, filing.Added{"a": 3}, `{"a":3,"n":1.50}`},
		{`{"a":2,"b":1}`, filing.Added{"a": nil}, `{"b":1}`},
		{`{"a":2}`, filing.Added{"a": nil, "x": nil}, `{}`},
		{``, filing.Added{"quoted": `a"<b>`, "money": quantity.MustMoney("1850.50"), "total": quantity.MustTotal("12.5")}, `{"money":1850.5,"quoted":"a\"\u003cb\u003e","total":12.5}`},
		{`{}`, filing.Added{"raw": json.RawMessage(`{"n":0.10}`)}, `{"raw":{"n":0.10}}`},
	} {
		got, err := filing.Merge(json.RawMessage(c.object), c.over)
		if err != nil || string(got) != c.want {
			t.Errorf("%v over %s: %s, %v", c.over, c.object, got, err)
		}
	}
	if _, err := filing.Merge(json.RawMessage(`[1]`), filing.Added{"a": 1}); err == nil {
		t.Error("a list was accepted as an object")
	}
	if _, err := filing.Merge(nil, filing.Added{"a": func() {}}); err == nil {
		t.Error("a function was accepted as a value")
	}
}

// A patch replaces members of the top level: members that are not in it keep their position and bytes, null removes one,
// and a nested object is replaced as a whole. A merge patch merges nested objects too.
func TestPatch(t *testing.T) {
	for _, c := range []struct{ object, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`{}`, `{"a":null}`, `{}`},
		{`{"a":{"b":1,"c":2}}`, `{"a":{"b":3}}`, `{"a":{"b":3}}`},
		{`{"z":1.50,"a":"\u00fc","m":0.10}`, `{"a":2}`, `{"z":1.50,"a":2,"m":0.10}`},
		{`{"n":123456789012345678901234567890}`, `{"x":1E2}`, `{"n":123456789012345678901234567890,"x":1E2}`},
		{`{"a":1,"b":2,"c":3}`, `{"c":null,"d":4,"a":null}`, `{"b":2,"d":4}`},
		{`{}`, `{}`, `{}`},
	} {
		got, err := filing.Patch(json.RawMessage(c.object), json.RawMessage(c.patch))
		if err != nil || string(got) != c.want {
			t.Errorf("%s over %s: %s, %v; want %s", c.patch, c.object, got, err, c.want)
		}
	}
	for _, c := range []struct{ object, patch, want string }{ // of RFC 7396, appendix A
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"a":1}`, `{"a":{"b":null,"c":2}}`, `{"a":{"c":2}}`},
		{`{"z":{"m":1.50,"a":{"x":1}},"n":0.10}`, `{"z":{"a":{"y":[null]}}}`, `{"z":{"m":1.50,"a":{"x":1,"y":[null]}},"n":0.10}`},
	} {
		got, err := filing.MergePatch(json.RawMessage(c.object), json.RawMessage(c.patch))
		if err != nil || string(got) != c.want {
			t.Errorf("%s merged into %s: %s, %v; want %s", c.patch, c.object, got, err, c.want)
		}
	}
	for _, broken := range []string{``, `{"a":`, `{"a" 1}`, `{"a":1,}`} {
		if got, err := filing.Patch(json.RawMessage(`{}`), json.RawMessage(broken)); err == nil {
			t.Errorf("%q gives %s", broken, got)
		}
	}
}

// Lists omit large members; the others keep their order and bytes.
func TestWithout(t *testing.T) {
	for _, c := range []struct {
		object string
		names  []string
		want   string
	}{
		{`{"z":1.50,"items":[{"a":1}],"a":"x"}`, []string{"items"}, `{"z":1.50,"a":"x"}`},
		{`{"items":[],"documents":{}}`, []string{"documents", "items"}, `{}`},
		{`{"z":1,"a":2}`, []string{"items"}, `{"z":1,"a":2}`},
		{`{"a":{"items":1}}`, []string{"items"}, `{"a":{"items":1}}`},
		{`{}`, []string{"items"}, `{}`},
	} {
		if got, err := filing.Without(json.RawMessage(c.object), c.names); err != nil || string(got) != c.want {
			t.Errorf("%s without %v: %s, %v", c.object, c.names, got, err)
		}
	}
}

// The event of a correction contains changed members only, before and after; large values as size and digest.
func TestChanges(t *testing.T) {
	large := `"` + strings.Repeat("x", 8<<10) + `"`
	for _, c := range []struct{ before, after, want string }{
		{`{"a":1,"b":2}`, `{"a":1,"b":3}`, `{"after":{"b":3},"before":{"b":2}}`},
		{`{"a":1}`, `{"a":1,"b":2}`, `{"after":{"b":2},"before":{}}`},
		{`{"a":1,"b":2}`, `{"a":1}`, `{"after":{},"before":{"b":2}}`},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, `{"after":{},"before":{}}`},
		{`{"a":1.0}`, `{"a":1.00}`, `{"after":{"a":1.00},"before":{"a":1.0}}`},
		{`{"a":1}`, `{"a":` + large + `}`, fmt.Sprintf(`{"after":{"a":"8194 bytes, SHA-256 %x"},"before":{"a":1}}`, sha256.Sum256([]byte(large)))},
	} {
		got, err := json.Marshal(filing.Changes(json.RawMessage(c.before), json.RawMessage(c.after)))
		if err != nil || string(got) != c.want {
			t.Errorf("%s to %.40s: %s, %v", c.before, c.after, got, err)
		}
	}
}
