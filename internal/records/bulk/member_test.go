package bulk_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// Objects and lists are split into the same parts that encoding/json returns.
func TestSplit(t *testing.T) {
	for _, object := range []string{
		`{}`, ` { } `[1:], `{"a":1}`, `{"a":"b","c":null,"d":true,"e":-1.5e3}`, `{"a":{"b":{"c":"}"}},"d":[1,[2,"]"],{"x":"\"}"}],"e":"z"}`,
		"{ \"a\" :\n\t1 ,\r\n \"b\" : [ ] , \"c\" : { } }", `{"a\"b":"x\\","c":"\\\"","d":"","":"empty"}`, `{"ü":"Ł,\u00fc","x":"{[,:]}"}`,
	} {
		want := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(object), &want); err != nil {
			t.Fatal(err)
		}
		got := map[string]json.RawMessage{}
		for name, value := range bulk.Members(object) {
			got[bulk.Plain(`"`+name+`"`)] = json.RawMessage(value)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
	}
	for _, list := range []string{`[]`, `[ ]`, `[1]`, `[1,2 , "a,b",[3,[4]],{"a":[5]},null]`, "[\n{\"a\":1}\n,\n{\"b\":2}\n]"} {
		var want, got []json.RawMessage
		if err := json.Unmarshal([]byte(list), &want); err != nil {
			t.Fatal(err)
		}
		for value := range bulk.Elements(list) {
			got = append(got, json.RawMessage(value))
		}
		if fmt.Sprintf("%s", got) != fmt.Sprintf("%s", want) {
			t.Errorf("%s: %s, want %s", list, got, want)
		}
	}
}

// A cell shows a text without quotes and escapes, a number as it is written, and null as "".
func TestPlain(t *testing.T) {
	for value, want := range map[string]string{
		`"a"`: "a", `""`: "", `"a\"b\\c\u003d\n"`: "a\"b\\c=\n", `null`: "", `true`: "true", `0.10`: "0.10", `"\ud83d\ude00"`: "😀", `"Łódź"`: "Łódź",
	} {
		if got := bulk.Plain(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

// Every text that is written as JSON is decoded to the same text.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "a", `"`, `\`, "\x00\x1f\t\r\n", "Łódź 😀", "=1+1", "\u2028"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		raw := bulk.AppendText(nil, text)
		var got string
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%q as %s: %v", text, raw, err)
		}
		if want := string([]rune(text)); got != want {
			t.Errorf("%q is decoded as %q", text, got)
		}
		if got := bulk.Plain(string(raw)); got != text && got != string([]rune(text)) {
			t.Errorf("%q is shown as %q", text, got)
		}
	})
}

// The parts of valid JSON are valid JSON.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{`{"a":[1,{"b":"\\\""}]}`, `[1,"]",[]]`, `{}`, `[`, `{"a"`, `"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		if text[0] == '{' {
			for _, value := range bulk.Members(text) {
				if !json.Valid([]byte(value)) {
					t.Errorf("%s has member %s", text, value)
				}
			}
		}
		if text[0] == '[' {
			for value := range bulk.Elements(text) {
				if !json.Valid([]byte(value)) {
					t.Errorf("%s has element %s", text, value)
				}
			}
		}
	})
}
