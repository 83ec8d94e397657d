package store

// Exec runs a statement as the methods of Tx do.
func Exec(t *Tx, query string) error {
	_, err := t.exec(query)
	return err
}

// ExecUnguarded and CountUnguarded run a statement that forgot its filter.
func ExecUnguarded(t *Tx, query string) error {
	_, err := t.db.exec(query, nil)
	return err
}

func CountUnguarded(t *Tx, query string) (n int, err error) {
	rows, err := t.db.query(query, nil)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	rows.Next()
	return n, rows.Scan(&n)
}
