package schema_test

import (
	"fmt"
	"strings"
	"testing"
)

type bodyCase struct {
	name, body string
	want       []string
}

func checkAll(t *testing.T, cases []bodyCase) {
	t.Helper()
	reader, schema := schemaOf[parcel]()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { expect(t, reader.Check(schema, []byte(c.body)), c.want...) })
	}
}

func member(name, text string, want ...string) bodyCase {
	return bodyCase{name, parcelOf(text), want}
}

// A valid body has no errors, however it is formatted.
func TestValid(t *testing.T) {
	checkAll(t, []bodyCase{
		member("required members only", ``),
		{"spaces around everything", " \n{ \"id\" : \"0192F3C4-7A10-7C3E-8F00-1F2E3D4C5B6A\" ,\t\"name\" : \"Tea\" } \r\n", nil},
		member("every type", `"kind":"BAG","at":"2026-11-21T09:00:00.123+01:00","country":"XI","link":"https://example.com/a?b=c","code":"0001","least":"abc",`+
			`"fragile":false,"pence":12.50,"degrees":-40,"open":0.5,"count":-9223372036854775808,"small":2147483647,`+
			`"items":[{"code":"1","mass":0}],"tags":[],"owner":{"name":"","next":{"name":"x"}},"maybe":null,"form":{"a":[1,null,{"b":true}]},"mapping":{"a":"b"}`),
		member("anything", `"anything":[{"a":null}]`),
		member("anything, as text", `"anything":"a"`),
		member("text of escapes", `"kind":"\u0042OX"`),
		{"a member's name in escapes", parcelOf(`"\u006bind":"BOX"`), nil},
		member("characters count, not bytes", `"owner":{"name":"Łódź 🫖"}`),
	})
}

// All errors of a body are reported at once, in the order of the body; missing members come at the end
// of their object.
func TestAllErrorsAtOnce(t *testing.T) {
	checkAll(t, []bodyCase{{
		"many errors",
		`{"name":" ","kind":"CAN","colour":"red","at":"tomorrow","country":"gb","fragile":"no","pence":-1,"count":1.5,` +
			`"items":[{"code":"","mass":1.2345678},{"mass":"1","Code":"x"},7],"tags":["a","b","c"],"owner":{"next":{"name":1}},"name":"Tea"}`,
		[]string{
			"name: must not be empty",
			"kind: must be one of BOX, BAG",
			"colour: is not a known field",
			"at: must be a date and time such as 2026-11-21T09:00:00Z",
			"country: must be an ISO 3166-1 alpha-2 country code such as GB",
			"fragile: must be true or false, not text",
			"pence: must not be negative",
			"count: must be a whole number, written without a point or an exponent",
			"items[0].code: must not be empty",
			"items[0].mass: must have at most 6 decimal places",
			"items[1].mass: must be a number, not text",
			"items[1].Code: is not a known field",
			"items[1].code: is required",
			"items[2]: must be an object, not a number",
			"tags: must have at most 2, not 3",
			"owner.next.name: must be text, not a number",
			"owner.name: is required",
			"name: appears more than once",
			"id: is required",
		},
	}})
}

// A duplicate member is reported at any depth, also in free-form objects.
func TestDuplicates(t *testing.T) {
	checkAll(t, []bodyCase{
		member("at the top", `"name":"Tea"`, "name: appears more than once"),
		member("three times", `"name":"A","name":"B"`, "name: appears more than once", "name: appears more than once"),
		member("in an item", `"items":[{"code":"1","mass":1,"mass":2}]`, "items[0].mass: appears more than once"),
		member("in a free form", `"form":{"a":1,"b":{"c":1,"c":1},"a":2}`, "form.b.c: appears more than once", "form.a: appears more than once"),
		member("in anything", `"anything":[{"a":1,"a":1}]`, "anything[0].a: appears more than once"),
		member("in what should not be an object", `"name":{"a":1,"a":1}`,
			"name: appears more than once", "name: must be text, not an object", "name.a: appears more than once"),
		member("under an unknown name", `"x":{"a":1,"a":1}`, "x: is not a known field", "x.a: appears more than once"),
		member("once in escapes", `"kind":"BOX","\u006bind":"BOX"`, "kind: appears more than once"),
		member("the same in two objects", `"items":[{"code":"1","mass":1},{"code":"1","mass":1}]`),
	})
}

// A wrong type is reported with the required type, the actual type and the path.
func TestWrongTypes(t *testing.T) {
	wants := []struct{ member, kind string }{
		{"kind", "text"}, {"at", "a date and time such as 2026-11-21T09:00:00Z"}, {"fragile", "true or false"},
		{"pence", "a number"}, {"count", "a whole number"}, {"tags", "a list"}, {"owner", "an object"},
	}
	values := []struct{ text, is, kind string }{
		{`"a"`, "text", "text"}, {`1`, "a number", "a number"}, {`true`, "true", "true or false"}, {`{}`, "an object", "an object"}, {`[]`, "a list", "a list"},
	}
	for _, want := range wants {
		for _, value := range values {
			sound := value.kind == want.kind || value.text == "1" && want.member == "count"
			if sound || value.is == "text" && want.member == "at" {
				continue
			}
			checkAll(t, []bodyCase{member(want.member+" is "+value.is, fmt.Sprintf(`%q:%s`, want.member, value.text),
				fmt.Sprintf("%s: must be %s, not %s", want.member, want.kind, value.is))})
		}
	}
	checkAll(t, []bodyCase{
		{"a body of text", `"Tea"`, []string{"body: must be an object, not text"}},
		{"a body of a number", `1`, []string{"body: must be an object, not a number"}},
		{"a body that is true", `true`, []string{"body: must be an object, not true"}},
		{"a body that is a list", `[{"name":"Tea"}]`, []string{"body: must be an object, not a list"}},
		{"a body that is null", `null`, []string{"body: must not be null; leave it out instead"}},
		member("a mapping to a number", `"mapping":{"a":"b","c":1}`, "mapping.c: must be text, not a number"),
	})
}

// Null is rejected unless the schema allows it.
func TestNull(t *testing.T) {
	const leaveOut = "must not be null; leave it out instead"
	checkAll(t, []bodyCase{
		member("text", `"kind":null`, "kind: "+leaveOut),
		member("an object", `"owner":null`, "owner: "+leaveOut),
		member("an item", `"items":[null]`, "items[0]: "+leaveOut),
		member("deep", `"owner":{"name":null}`, "owner.name: "+leaveOut),
		member("a list that must not be empty", `"crates":null`, "crates: must have at least 1"),
		member("nullable", `"maybe":null`),
		member("in a free form", `"form":{"a":null}`),
		{"required members", `{"id":null,"name":null}`, []string{"id: " + leaveOut, "name: " + leaveOut}},
	})
}

// Lists are checked for their length.
func TestLists(t *testing.T) {
	checkAll(t, []bodyCase{
		member("empty where one is needed", `"items":[]`, "items: must have at least 1"),
		member("full", `"tags":["a","b"]`),
		member("too long", `"tags":["a","b","c"]`, "tags: must have at most 2, not 3"),
		member("999 items", `"items":[`+strings.Repeat(`{"code":"1","mass":1},`, 998)+`{"code":"1","mass":1}]`),
		member("1000 items", `"items":[`+strings.Repeat(`{"code":"1","mass":1},`, 999)+`{"code":"1","mass":1}]`, "items: must have at most 999, not 1000"),
	})
}

// A body that is not one JSON value is rejected with the position of the error.
func TestNotJSON(t *testing.T) {
	checkAll(t, []bodyCase{
		{"nothing", ``, []string{"body: is not valid JSON: it ends unexpectedly"}},
		{"spaces", " \n", []string{"body: is not valid JSON: it ends unexpectedly"}},
		{"half an object", `{"name":"Tea"`, []string{"body: is not valid JSON: it ends unexpectedly"}},
		{"half a text", `{"name":"Te`, []string{"body: is not valid JSON: it ends unexpectedly"}},
		{"two values", parcelOf("") + "{}", []string{"body: must be one JSON value without anything after it"}},
		{"a comma after it", parcelOf("") + ",", []string{"body: must be one JSON value without anything after it"}},
		{"a letter after it", parcelOf("") + "x", []string{"body: must be one JSON value without anything after it"}},
		{"a zero byte after it", parcelOf("") + "\x00", []string{"body: must be one JSON value without anything after it"}},
		{"a comma before the end", `{"name":"Tea",}`, []string{"body: is not valid JSON at byte 15"}},
		{"no colon", `{"name" "Tea"}`, []string{"body: is not valid JSON at byte 9"}},
		{"a name without quotes", `{name:"Tea"}`, []string{"body: is not valid JSON at byte 2"}},
		{"single quotes", `{'name':'Tea'}`, []string{"body: is not valid JSON at byte 2"}},
		{"a comment", `{/* */}`, []string{"body: is not valid JSON at byte 2"}},
		{"a bracket for a brace", `{"name":"Tea"]`, []string{"body: is not valid JSON at byte 14"}},
		{"a byte order mark", "\ufeff{}", []string{"body: is not valid JSON at byte 1"}},
		{"Latin-1", "{\"name\":\"Caf\xe9\"}", []string{"body: is not valid UTF-8"}},
		{"UTF-16", "\xff\xfe{\x00}\x00", []string{"body: is not valid UTF-8"}},
		{"a raw line break in a text", "{\"name\":\"T\na\"}", []string{"body: is not valid JSON at byte 11"}},
		{"errors before the syntax error", `{"name":"","x":1,!}`, []string{
			"name: must not be empty", "x: is not a known field", "body: is not valid JSON at byte 18"}},
		{"NaN", parcelOf(`"pence":NaN`), []string{"body: is not valid JSON at byte 67"}},
		{"a leading zero", parcelOf(`"pence":01`), []string{"body: is not valid JSON at byte 68"}},
		{"a plus", parcelOf(`"pence":+1`), []string{"body: is not valid JSON at byte 67"}},
		{"no digit after the point", parcelOf(`"pence":1.`), []string{"body: is not valid JSON at byte 69"}},
	})
}

// A patch may omit every member, and null removes a member that is not required, at the top level only; a merge patch does
// so in nested objects too, but not in lists. Otherwise they are checked like a whole body.
func TestPatch(t *testing.T) {
	reader, schema := schemaOf[parcel]()
	for _, c := range []bodyCase{
		{"nothing", `{}`, nil},
		{"one member", `{"kind":"BOX"}`, nil},
		{"null at the top", `{"kind":null,"owner":null,"items":null,"name":null}`, []string{"name: is required"}},
		{"null below", `{"owner":{"name":null}}`, []string{"owner.name: must not be null; leave it out instead"}},
		{"null in a list", `{"items":[null]}`, []string{"items[0]: must not be null; leave it out instead"}},
		{"null itself", `null`, []string{"body: must not be null; leave it out instead"}},
		{"missing below", `{"items":[{}]}`, []string{"items[0].code: is required", "items[0].mass: is required"}},
		{"unknown", `{"colour":null}`, []string{"colour: is not a known field"}},
		{"twice", `{"kind":"BOX","kind":null}`, []string{"kind: appears more than once"}},
		{"wrong", `{"kind":"CAN"}`, []string{"kind: must be one of BOX, BAG"}},
		{"a list", `[]`, []string{"body: must be an object, not a list"}},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, reader.CheckPatch(schema, []byte(c.body)), c.want...) })
	}
	for _, c := range []bodyCase{
		{"nothing", `{}`, nil},
		{"null at any level", `{"kind":null,"owner":{"name":null,"next":{"name":null}},"items":null,"form":{"a":null}}`, []string{"owner.name: is required", "owner.next.name: is required"}},
		{"null in a list", `{"items":[null]}`, []string{"items[0]: must not be null; leave it out instead"}},
		{"missing in a list", `{"items":[{"code":null}]}`, []string{"items[0].code: must not be null; leave it out instead", "items[0].mass: is required"}},
		{"unknown below", `{"owner":{"colour":null}}`, []string{"owner.colour: is not a known field"}},
		{"null itself", `null`, []string{"body: must not be null; leave it out instead"}},
	} {
		t.Run("merge "+c.name, func(t *testing.T) { expect(t, reader.CheckMergePatch(schema, []byte(c.body)), c.want...) })
	}
}
