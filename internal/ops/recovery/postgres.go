package recovery

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

// PostgresCommands returns the commands that back up and restore the PostgreSQL database of the settings. They can be
// pasted, and contain no password.
//
// The commands connect as the owner of the tables, because the service's role may not read the partitions. The owner
// is that of the settings or, without one, the role that the database names. Row-level security applies to the owner
// too: pg_dump fails unless it asks to see all organisations.
func PostgresCommands(ctx context.Context, c config.Config, file string) string {
	address := c.Database.OwnerURL
	if address == "" {
		owner, err := postgres.TableOwner(ctx, c.DatabaseURL)
		if err != nil {
			owner = unknownOwner
		}
		address = asRole(c.DatabaseURL, owner)
	}
	owner := "'" + strings.ReplaceAll(withoutPassword(address), "'", `'\''`) + "'"
	file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	return fmt.Sprintf(`The database is PostgreSQL: back it up with PostgreSQL's own tools. Nothing was done.

Back up all records as of one instant, while the service runs, as the owner of the tables (passwords: PGPASSWORD or ~/.pgpass):

  PGOPTIONS='-c tidewaiter.org=*' pg_dump --enable-row-security --format=custom --no-privileges --file=%[2]s %[1]s

Record the backup for doctor, metrics and alerts:

  tidewaiter backup --record

Restore into an empty database of the same owner, and verify:

  pg_restore --exit-on-error --no-owner --dbname=%[1]s %[2]s
  tidewaiter migrate --role NAME
  tidewaiter audit verify

To restore up to the last transaction, archive the write-ahead log and copy the whole server as a role with REPLICATION:

  pg_basebackup --checkpoint=fast --wal-method=stream --format=tar --gzip --pgdata=FOLDER --dbname=%[1]s

None of these contains the master key: keep a copy of it elsewhere.
`, owner, file)
}

// unknownOwner is used if the database does not answer.
const unknownOwner = "OWNER"

var userWord = regexp.MustCompile(`(?i)\buser\s*=\s*('(\\.|[^'])*'|\S*)`)

// asRole returns the address of a database for another role.
func asRole(address, role string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return address
	case u.Scheme != "":
		q := u.Query()
		q.Del("user")
		u.User, u.RawQuery = url.User(role), q.Encode()
		return u.String()
	case userWord.MatchString(address):
		return userWord.ReplaceAllLiteralString(address, "user="+role)
	}
	return address + " user=" + role
}

var passwordWord = regexp.MustCompile(`(?i)\b(ssl)?password\s*=\s*('(\\.|[^'])*'|\S*)\s*`)

// withoutPassword returns the address of a database, a URL or keywords and values, without passwords.
func withoutPassword(address string) string {
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return strings.TrimSpace(passwordWord.ReplaceAllString(address, ""))
	}
	u, err := url.Parse(address)
	if err != nil {
		return "postgres://…"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	q.Del("password")
	q.Del("sslpassword")
	u.RawQuery = q.Encode()
	return u.String()
}
