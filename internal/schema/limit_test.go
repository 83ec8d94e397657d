package schema_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A body can nest 32 levels deep, in any schema.
func TestDepth(t *testing.T) {
	lists := func(n int) string { return parcelOf(`"anything":` + strings.Repeat("[", n) + strings.Repeat("]", n)) }
	checkAll(t, []bodyCase{
		{"32 levels", lists(32), nil},
		{"33 levels", lists(33), []string{"body: must not nest deeper than 32 levels"}},
		{"500,000 lists", strings.Repeat("[", 500_000), []string{"body: must be an object, not a list", "body: must not nest deeper than 32 levels"}},
		{"100,000 objects", strings.Repeat(`{"next":`, 100_000), []string{"next: is not a known field", "body: must not nest deeper than 32 levels"}},
		{"100,000 owners", `{"owner":` + strings.Repeat(`{"name":"x","next":`, 100_000), []string{"body: must not nest deeper than 32 levels"}},
	})
}

// At most 100 errors are reported.
func TestErrorsAreCapped(t *testing.T) {
	reader, schema := schemaOf[parcel]()
	for name, body := range map[string]string{
		"items":      parcelOf(`"items":[` + strings.Repeat("{},", 900) + "{}]"),
		"members":    `{` + strings.Repeat(`"x":1,`, 200_000) + `"x":1}`,
		"duplicates": parcelOf(`"form":{` + strings.Repeat(`"x":1,`, 200_000) + `"x":1}`),
		"not JSON":   parcelOf(`"items":[` + strings.Repeat("1,", 99) + `1,!`),
	} {
		if n := len(reader.Check(schema, []byte(body))); n != 100 {
			t.Errorf("%s: %d errors, want 100", name, n)
		}
	}
}

// Member names in errors are shortened, so that the response to a body is not larger than the body.
func TestNamesAreShortened(t *testing.T) {
	long := strings.Repeat("ü", 65)
	checkAll(t, []bodyCase{
		member("long", `"`+long+`":1`, long[:2*64]+"…: is not a known field"),
		member("empty", `"":1`, `"": is not a known field`),
		member("long enough", `"`+long[:2*64]+`":1`, long[:2*64]+": is not a known field"),
	})
	reader, schema := schemaOf[parcel]()
	body := parcelOf(`"form":{"` + strings.Repeat("x", 500_000) + `":{` + strings.Repeat(`"y":1,`, 50_000) + `"y":1}}`)
	if text := formatDetails(reader.Check(schema, []byte(body))); len(text) > 20_000 {
		t.Errorf("a report of %d bytes", len(text))
	}
}

// worstBodies returns bodies of about 1 MB. Each took from 15 seconds to a minute while names were compared one by one
// and paths were built for every value.
func worstBodies() map[string][]byte {
	var names strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&names, `"%06d":1,`, i)
	}
	long := strings.Repeat("x", 500_000)
	return map[string][]byte{
		"many members":                 []byte(parcelOf(`"form":{` + names.String() + `"z":1}`)),
		"many members in a wrong type": []byte(parcelOf(`"kind":{` + names.String() + `"z":1}`)),
		"a long name over many items":  []byte(parcelOf(`"` + long + `":[` + strings.Repeat("1,", 200_000) + `1]`)),
		"a long name over many names":  []byte(parcelOf(`"form":{"` + long + `":{` + names.String() + `"z":1}}`)),
	}
}

// A check allocates memory in proportion to the body, whatever is in it.
func TestWorstBodies(t *testing.T) {
	const most = 20 // bytes allocated for one byte of the body
	reader, schema := schemaOf[parcel]()
	for name, body := range worstBodies() {
		before := allocated()
		reader.Check(schema, body)
		if used := allocated() - before; used > most*uint64(len(body)) {
			t.Errorf("%s: %d bytes allocated for %d bytes", name, used, len(body))
		}
	}
}

// allocated returns the number of bytes allocated so far, in use or not.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// BenchmarkWorstBodies measures whether the time of a check is proportional to the body.
func BenchmarkWorstBodies(b *testing.B) {
	reader, schema := schemaOf[parcel]()
	for name, body := range worstBodies() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				reader.Check(schema, body)
			}
		})
	}
}
