package app

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/config"
)

// BackupOfPostgres says how the database of these settings is backed up by PostgreSQL's
// own tools, in commands that can be pasted. No password is in them.
//
// The owner of the tables is held by row-level security as well, so that he has to
// declare to see all: without that, pg_dump fails.
func BackupOfPostgres(c config.Config, file string) string {
	owner := "'" + strings.ReplaceAll(withoutPassword(cmp.Or(c.Database.OwnerURL, c.DatabaseURL)), "'", `'\''`) + "'"
	file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	return fmt.Sprintf(`The database is PostgreSQL, which is backed up by its own tools. Nothing was done.

All records at one instant, beside the running service, as the owner of the tables (passwords: PGPASSWORD, or ~/.pgpass):

  PGOPTIONS='-c tidewaiter.org=*' pg_dump --enable-row-security --format=custom --no-privileges --file=%[2]s %[1]s

Back into an empty database of the same owner, and proved there:

  pg_restore --exit-on-error --no-owner --dbname=%[1]s %[2]s
  tidewaiter migrate --role NAME
  tidewaiter audit verify

Up to the last transaction: archive the write-ahead log, and take a base copy of the whole server as a role with REPLICATION:

  pg_basebackup --checkpoint=fast --wal-method=stream --format=tar --gzip --pgdata=FOLDER --dbname=%[1]s

The master key is in none of these: keep a copy of it apart.
`, owner, file)
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
