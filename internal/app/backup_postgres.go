package app

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

// BackupOfPostgres says how the database of these settings is backed up by PostgreSQL's
// own tools, in commands that can be pasted. No password is in them.
//
// The commands connect as the owner of the tables: the service's role may not read the
// partitions. The owner is that of the settings or, without one, the role that the database
// names. Row-level security holds for the owner too, and pg_dump fails unless it declares to
// see all organisations.
func BackupOfPostgres(ctx context.Context, c config.Config, file string) string {
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
	return fmt.Sprintf(`The database is PostgreSQL, which is backed up by its own tools. Nothing was done.

All records at one instant, beside the running service, as the owner of the tables (passwords: PGPASSWORD, or ~/.pgpass):

  PGOPTIONS='-c tidewaiter.org=*' pg_dump --enable-row-security --format=custom --no-privileges --file=%[2]s %[1]s

Tell doctor, metrics and alerts that it was made:

  tidewaiter backup --record

Back into an empty database of the same owner, and proved there:

  pg_restore --exit-on-error --no-owner --dbname=%[1]s %[2]s
  tidewaiter migrate --role NAME
  tidewaiter audit verify

Up to the last transaction: archive the write-ahead log, and take a base copy of the whole server as a role with REPLICATION:

  pg_basebackup --checkpoint=fast --wal-method=stream --format=tar --gzip --pgdata=FOLDER --dbname=%[1]s

The master key is in none of these: keep a copy of it apart.
`, owner, file)
}

// unknownOwner stands for the owner of a database that does not answer.
const unknownOwner = "OWNER"

var userWord = regexp.MustCompile(`(?i)\buser\s*=\s*('(\\.|[^'])*'|\S*)`)

// asRole is the address of a database for another role.
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

// withoutPassword is the address of a database, as URL or as words, with no password.
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
