package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
)

// rows are the rows of a query as the driver returns them. They convert values as database/sql does, for the types that
// this store reads.
type rows struct {
	found  driver.Rows
	values []driver.Value // of the current row
	err    error
}

// Next reads the next row.
func (r *rows) Next() bool {
	if r.err == nil {
		r.err = r.found.Next(r.values)
	}
	return r.err == nil
}

// Err returns why there is no next row; nil after the last one.
func (r *rows) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

// Close ends the query.
func (r *rows) Close() error { return r.found.Close() }

// Scan copies the columns of the current row.
func (r *rows) Scan(dest ...any) error {
	if len(dest) != len(r.values) {
		return fmt.Errorf("store: %d columns for %d destinations", len(r.values), len(dest))
	}
	for i, d := range dest {
		if err := assign(d, r.values[i]); err != nil {
			return fmt.Errorf("store: column %d: %w", i+1, err)
		}
	}
	return nil
}

// assign copies a value of the driver: int64, float64, string, []byte or nil.
func assign(dest any, value driver.Value) error {
	switch d := dest.(type) {
	case *string:
		if text, ok := value.(string); ok {
			*d = text
			return nil
		}
	case *int64:
		if n, ok := value.(int64); ok {
			*d = n
			return nil
		}
	case *[]byte:
		switch v := value.(type) {
		case string:
			*d = []byte(v)
			return nil
		case []byte:
			*d = v // a copy that the driver has made
			return nil
		case nil:
			*d = nil
			return nil
		default:
			*d = []byte(textOf(v))
			return nil
		}
	case *any:
		*d = value
		return nil
	case sql.Scanner:
		return d.Scan(value)
	}
	return assignKind(reflect.ValueOf(dest), value)
}

// assignKind copies a value to a pointer by the kind of what it points to.
func assignKind(pointer reflect.Value, value driver.Value) error {
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() {
		return errors.New("the destination is not a pointer")
	}
	dest := pointer.Elem()
	if dest.Kind() == reflect.Pointer {
		if value == nil {
			dest.SetZero()
			return nil
		}
		dest.Set(reflect.New(dest.Type().Elem()))
		return assign(dest.Interface(), value)
	}
	if dest.Kind() == reflect.Slice && dest.Type().Elem().Kind() == reflect.Uint8 {
		var bytes []byte
		if err := assign(&bytes, value); err != nil {
			return err
		}
		dest.SetBytes(bytes)
		return nil
	}
	if value == nil {
		return fmt.Errorf("NULL cannot be a %s", dest.Type())
	}
	switch {
	case dest.Kind() == reflect.String && (isText(value) || dest.Type() == reflect.TypeFor[string]()):
		dest.SetString(textOf(value))
		return nil
	case dest.Type() == reflect.TypeFor[bool]():
		b, err := driver.Bool.ConvertValue(value)
		if err == nil {
			dest.SetBool(b.(bool))
		}
		return err
	case dest.CanInt():
		n, err := strconv.ParseInt(textOf(value), 10, dest.Type().Bits())
		if err == nil {
			dest.SetInt(n)
		}
		return err
	case dest.CanUint():
		n, err := strconv.ParseUint(textOf(value), 10, dest.Type().Bits())
		if err == nil {
			dest.SetUint(n)
		}
		return err
	case dest.CanFloat():
		n, err := strconv.ParseFloat(textOf(value), dest.Type().Bits())
		if err == nil {
			dest.SetFloat(n)
		}
		return err
	}
	return fmt.Errorf("a %T cannot be a %s", value, dest.Type())
}

func isText(value driver.Value) bool {
	switch value.(type) {
	case string, []byte:
		return true
	}
	return false
}

// textOf returns a value that is not nil as text.
func textOf(value driver.Value) string {
	switch v := value.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}
