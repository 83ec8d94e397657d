package engine

// Conn is a connection inside a transaction. It is used by one goroutine.
type Conn interface {
	// Exec runs a statement and returns the number of changed rows.
	Exec(query string, args []any) (changed int64, err error)
	Query(query string, args []any) (Rows, error)
	// QueryAll runs queries and calls scan for every row of each, with the query's number from 0. PostgreSQL gets them in
	// one message.
	QueryAll(queries []Statement, scan func(query int, row Row) error) error
	// Exists reports whether a query has a row. It reads no further than the first.
	Exists(query string, args []any) (bool, error)
	// ExecDeferred runs a statement without waiting for its result. If it fails, a later
	// statement or the commit returns the error.
	ExecDeferred(query string, args []any) error
}

// Row is the current row of a query, to be copied out.
type Row interface {
	Scan(dest ...any) error
}

// Rows are the rows that a query returns, one after the other.
type Rows interface {
	Row
	Next() bool
	Err() error
	Close() error
}

// EachRow returns a function that calls scan for every row of a query's result and then
// closes it.
func EachRow(found Rows, err error) func(func(Row) error) error {
	return func(scan func(Row) error) error {
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			if err := scan(found); err != nil {
				return err
			}
		}
		return found.Err()
	}
}

// QueryFunc runs a query and scans each of its rows.
type QueryFunc func(query string, args []any, scan func(Row) error) error

// Statement is an SQL statement with its arguments.
type Statement struct {
	Query string
	Args  []any
}
