package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/stock"
)

// psql is a running psql of an organisation. It sends one statement, and prints the rows as text.
type psql struct {
	in        io.WriteCloser
	out       *bufio.Reader
	cmd       *exec.Cmd
	statement string
}

// openPsql starts psql as the service's role, with a statement whose only parameter is the organisation. A prepared
// statement is planned once, any other each time that it is sent.
func openPsql(ctx context.Context, address, statement string, prepared bool, o *stock.Organisation) (*psql, error) {
	p := &psql{cmd: exec.CommandContext(ctx, "psql", "--no-psqlrc", "--quiet", "--no-align", address)}
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, psqlBuffer)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("psql: %w", err)
	}
	first, org := fmt.Sprintf("SELECT set_config('tidewaiter.org', '%s', false);\n", o.Org), "'"+string(o.Org)+"'"
	p.statement = strings.ReplaceAll(statement, "$1", org) + ";\n"
	if prepared {
		first = "PREPARE asked (uuid) AS " + statement + ";\n" + first
		p.statement = "EXECUTE asked (" + org + ");\n"
	}
	return p, p.run(first)
}

// psqlBuffer holds a line of psql's output.
const psqlBuffer = 64 << 10

// run sends statements, of which the last one returns rows, and reads the rows up to their count.
func (p *psql) run(statements string) error {
	if _, err := io.WriteString(p.in, statements); err != nil {
		return fmt.Errorf("psql: %w", err)
	}
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("psql: %w", err)
		}
		if line[0] == '(' { // (50 rows)
			return nil
		}
	}
}

func (p *psql) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// throughPsql is a contender that reads all rows of a query through psql, one for each client.
func (l *limit) throughPsql(name, query string, prepared bool) (*contender, error) {
	var opened []*psql
	for client := range clients {
		p, err := openPsql(l.ctx, l.address, query, prepared, l.organisation(client))
		if err != nil {
			return nil, err
		}
		opened = append(opened, p)
	}
	c := &contender{name: name, end: func() {
		for _, p := range opened {
			p.close()
		}
	}}
	c.drive = func(clients int, length time.Duration) (load.Figures, error) {
		if clients > len(opened) {
			return load.Figures{}, errors.New("psql: more clients than processes")
		}
		return load.Drive(func(client int) (func(int) error, func(), error) {
			p := opened[client]
			return func(int) error { return p.run(p.statement) }, func() {}, nil
		}, clients, length)
	}
	return c, nil
}

// organisation is that of a client.
func (l *limit) organisation(client int) *stock.Organisation {
	return l.organisations[client%len(l.organisations)]
}

// readStatement names the columns and rows that the service reads; its only parameter is the organisation.
func readStatement(columns, table, condition, order string, limit int) string {
	return strings.Join([]string{"SELECT", columns, "FROM", table, "WHERE org_id = $1 AND", condition, "ORDER BY", order, "LIMIT", fmt.Sprint(limit)}, " ")
}

// What the service reads for a page of the list, for an export, and for the deadlines of thirty days.
var (
	pageOfList = readStatement("id, status, COALESCE(brief, body), added, created_at, updated_at", "filings", "kind = 'declaration'", "created_at DESC, id DESC", 51)
	allOfList  = readStatement("id, created_at, status, updated_at, COALESCE(brief, body), added", "filings", "kind = 'declaration'", "created_at, id", fleetOf)
	whatIsDue  = readStatement("filing_id, name, hub, kind, title, due_at, whole_day, lapses, source, changed_at", "deadlines",
		"due_at >= now() - interval '31 days' AND due_at <= now() + interval '31 days' AND NOT (lapses AND due_at < now()) AND hub IN ('customs', 'tss')", "due_at, filing_id, name", 1001)
)
