package batch

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const (
	idA = "01900000-0000-7000-8000-00000000000a"
	idB = "01900000-0000-7000-8000-00000000000b"
)

// testRule allows creating, submitting and deleting.
func testRule(method, path string) (Rule, bool) {
	switch path {
	case "/api/batches":
		return Rule{}, true
	case "/api/records":
		return Rule{Allowed: true, Creates: true}, false
	case "/api/submit":
		return Rule{Allowed: true, Record: "recordId"}, false
	}
	return Rule{Allowed: method == "DELETE" && strings.HasPrefix(path, "/api/records/")}, false
}

func create(reference, body string) Operation {
	return Operation{Method: "POST", Path: "/api/records", Body: json.RawMessage(body), Reference: reference}
}

func remove(id string) Operation { return Operation{Method: "DELETE", Path: "/api/records/" + id} }

func submit(id string) Operation {
	return Operation{Method: "POST", Path: "/api/submit", Body: json.RawMessage(`{"recordId":"` + id + `"}`)}
}

// Rows that change one record wait for each other and for the rows that name it, also if a reference stands for the
// record. Rows that only name the same record do not wait for each other.
func TestOrder(t *testing.T) {
	for name, c := range map[string]struct {
		operations []Operation
		want       string
	}{
		"one record":          {[]Operation{submit(idA), remove(strings.ToUpper(idA)), submit(idB)}, "[[] [0] []]"},
		"by reference":        {[]Operation{create("a", "{}"), submit("$ref:a"), remove("$ref:a"), remove("%24ref:a")}, "[[] [0] [1] [2]]"},
		"named by many":       {[]Operation{create("", `{"x":["`+idA+`"]}`), create("", `{"x":"`+idA+`"}`), remove(idA), create("", `{"x":"`+idA+`"}`)}, "[[] [] [0 1] [2]]"},
		"names are not texts": {[]Operation{remove(idA), create("", `{"`+idA+`":1}`)}, "[[] []]"},
	} {
		rows, faults := Plan(c.operations, testRule)
		var waits [][]int
		for _, r := range rows {
			waits = append(waits, r.WaitsFor)
		}
		if got := fmt.Sprint(waits); got != c.want || len(faults) > 0 {
			t.Errorf("%s: %s, want %s; %v", name, got, c.want, faults)
		}
	}
}

// The texts of a body are found whether or not it has escapes, names of members never.
func TestNamesIn(t *testing.T) {
	plain := `{"` + idA + `" : ["$ref:a", 1, {"$ref:b":"` + strings.ToUpper(idB) + `"}], "x":"", "y":"$ref:c"}`
	for _, body := range []string{plain, strings.Replace(plain, `"x":""`, `"x":"\u0022"`, 1)} {
		if names, err := namesIn([]byte(body)); err != nil || fmt.Sprint(names) != "[$ref:a "+idB+" $ref:c]" {
			t.Errorf("%s: %v %v", body, names, err)
		}
	}
	for _, body := range []string{`{"x":"` + idA, `{"x":"` + idA + `"`} {
		if names, err := namesIn([]byte(body)); err == nil {
			t.Errorf("%s is no JSON, but has %v", body, names)
		}
	}
}

// Every fault of a batch is reported, with the place where it is.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		operations []Operation
		want       string
	}{
		{nil, "operations"},
		{make([]Operation, MaxRows+1), "operations"},
		{[]Operation{create("a", "{}"), create("a", "{}")}, "operations[1].reference"},
		{[]Operation{submit(idA), {Method: "POST", Path: "/api/batches"}}, "operations[1].path"},
		{[]Operation{{Method: "POST", Path: "/api/keys"}}, "operations[0].path"},
		{[]Operation{{Method: "DELETE", Path: "/api/records/../keys"}}, "operations[0].path"},
		{[]Operation{{Method: "DELETE", Path: "https://example.com/api/records/" + idA}}, "operations[0].path"},
		{[]Operation{{Method: "POST", Path: "/api/records?dryRun=true"}}, "operations[0].path"},
		{[]Operation{create("", `{"x":"$ref:b"}`), create("b", "{}")}, "operations[0].body"},
		{[]Operation{remove("$ref:b")}, "operations[0].path"},
		{[]Operation{{Method: "DELETE", Path: "/api/records/" + idA, Reference: "d"}, remove("$ref:d")}, "operations[1].path"},
		{[]Operation{create("self", `{"x":"$ref:self"}`)}, "operations[0].body"},
	} {
		_, faults := Plan(c.operations, testRule)
		found := false
		for _, f := range faults {
			found = found || f.Field == c.want
		}
		if !found {
			t.Errorf("%.200v: %v, want %s", c.operations, faults, c.want)
		}
	}
}

// A reference is replaced in path and body, and nothing else of the body changes: numbers, escapes and the order of
// members stay.
func TestResolve(t *testing.T) {
	o := Operation{Path: "/api/records/$ref:row 1/submit", Body: json.RawMessage(`{"z":1850.10,"a":"$ref:row 1","t":"\u00e9 $ref:row 1","n":{"$ref:row 1":["$ref:row 1",1e2]}}`)}
	ids := &recordIDs{}
	ids.add("row 1", idA)
	got, missing := o.resolve(ids)
	want := `{"z":1850.10,"a":"` + idA + `","t":"é $ref:row 1","n":{"$ref:row 1":["` + idA + `",1e2]}}`
	if missing != nil || got.Path != "/api/records/"+idA+"/submit" || string(got.Body) != want {
		t.Errorf("%s %s %v", got.Path, got.Body, missing)
	}
	if _, missing := o.resolve(&recordIDs{}); fmt.Sprint(missing) != "[$ref:row 1 $ref:row 1 $ref:row 1]" {
		t.Errorf("without the record: %v", missing)
	}
}

// The record of an answer is the answer itself, or its member.
func TestRecordIn(t *testing.T) {
	for answer, want := range map[string]string{
		`{"id":"1","client":{"id":"2"}}`: "1", `{"filing":{"id":"2"},"note":"x"}`: "2", `{"success":true}`: "", `[]`: "", ``: "",
	} {
		if got := recordIn([]byte(answer)); got != want {
			t.Errorf("%s: %q", answer, got)
		}
	}
}
