package faults_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// records is the number of records that are moved: enough for several kills.
var records = sized(8_000, 20_000)

// withRecords is an installation with many records that is not served.
func withRecords(t *testing.T) host {
	t.Helper()
	p := newHost(t, storetest.Backend{})
	p.organisation(t)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.Data(), "tidewaiter.db")+"?_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1) "+
		"INSERT INTO filings (org_id, id, kind, status, version, body_version, body, added, created_at, updated_at) "+
		"SELECT o.org_id, printf('01900000-0000-7000-8000-%012x', n), 'client', 'ACTIVE', 1, 1, '{}', '{}', "+
		"'2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z' FROM numbers, organisations o", records)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// audited is the exit code and the answer of audit verify, without its log.
func audited(p host) string {
	code, out := p.Code("audit", "verify", "--json")
	return fmt.Sprint(code, " ", out[max(0, strings.Index(out, `{"ok"`)):])
}

// However often a move is killed, in the short run twice, it continues when it is run again, and finally every record exists once; an
// incomplete target is never served.
func TestMoveIsKilled(t *testing.T) {
	t.Parallel()
	source, b, random := withRecords(t), storetest.Postgres(t), randomSource(t)
	target := newHost(t, b)
	kills, steps := 0, 40
	for {
		cmd := source.Command("move", "--from", "sqlite:"+source.Data(), "--to", b.Owner)
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var kill <-chan time.Time
		if long() || kills < 2 {
			kill = time.After(time.Duration(100+random.IntN(steps)*25) * time.Millisecond)
		}
		var err error
		select {
		case err = <-ended:
		case <-kill:
			_ = cmd.Process.Kill()
			<-ended
			kills++
			steps += 10 // until one completes
			continue
		}
		if err != nil || !strings.Contains(output.String(), "do not serve the source any more") {
			t.Fatalf("after %d kills: %v\n%s", kills, err, &output)
		}
		break
	}
	t.Logf("killed %d times", kills)
	// The records were inserted by SQL, so audit verify reports every one of them, on both sides.
	if before, after := audited(source), audited(target); before != after {
		t.Errorf("audit verify of the source: %.2000s\nof the target: %.2000s", before, after)
	}
	var moved int
	err := storetest.Superuser(t, b).QueryRow("SELECT count(DISTINCT id) FROM filings").Scan(&moved)
	if err != nil || moved != records {
		t.Errorf("%d of %d records, %v", moved, records, err)
	}
}
