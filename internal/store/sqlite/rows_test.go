package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

type (
	state  string
	number int32
	flag   bool
	packed []byte
)

// Values of a row become the same Go values as with database/sql, or an error too.
func TestValuesOfRows(t *testing.T) {
	o := storetest.SQLite(t).Options().Engine()
	n := inFolder(t, o)
	file := filepath.Join(o.Folder, sqlite.File)
	db, err := sql.Open("sqlite", sqlite.FileAddress(file))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	destinations := []func() any{
		func() any { return new(string) }, func() any { return new(state) }, func() any { return new(int) }, func() any { return new(int64) },
		func() any { return new(number) }, func() any { return new(uint16) }, func() any { return new(float64) }, func() any { return new(bool) },
		func() any { return new(flag) }, func() any { return new([]byte) }, func() any { return new(sql.RawBytes) }, func() any { return new(any) },
		func() any { return new(*string) }, func() any { return new(*int64) }, func() any { return new(sql.NullString) }, func() any { return new(sql.Null[int64]) },
	}
	for _, value := range []string{"'text'", "''", "'12'", "'true'", "0", "1", "12", "-7", "70000", "9007199254740993", "1.5", "x'00ff'", "x''", "NULL"} {
		for _, destination := range destinations {
			ours, theirs := destination(), destination()
			query := "SELECT " + value
			scanned := n.Engine.View(context.Background(), "", func(c engine.Conn) error {
				return engine.EachRow(c.Query(query, nil))(func(r engine.Row) error { return r.Scan(ours) })
			})
			rows, err := db.Query(query)
			if err != nil || !rows.Next() {
				t.Fatal(err)
			}
			want := rows.Scan(theirs)
			if (scanned == nil) != (want == nil) {
				t.Errorf("%s into %T: %v, with database/sql %v", value, ours, scanned, want)
			} else if want == nil && !alike(ours, theirs) {
				t.Errorf("%s into %T: %v, with database/sql %v", value, ours, reflect.ValueOf(ours).Elem(), reflect.ValueOf(theirs).Elem())
			}
			rows.Close()
		}
	}
}

// alike compares values without the difference between an empty and a nil list of bytes.
func alike(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y) || reflect.DeepEqual(a, b) || len(x) <= len(`null`) && len(y) <= len(`null`) && isBytes(a)
}

func isBytes(a any) bool {
	kind := reflect.TypeOf(a).Elem()
	return kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Uint8
}

// Types that are named after bytes take texts and bytes.
func TestNamedBytes(t *testing.T) {
	n := inNewFolder(t)
	var text, blob packed
	err := n.Engine.View(context.Background(), "", func(c engine.Conn) error {
		return engine.EachRow(c.Query("SELECT 'text', x'00ff'", nil))(func(r engine.Row) error { return r.Scan(&text, &blob) })
	})
	if err != nil || string(text) != "text" || string(blob) != "\x00\xff" {
		t.Errorf("%q %q %v", text, blob, err)
	}
}
