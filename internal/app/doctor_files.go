package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/ops/filemode"
	"github.com/tidewaiter/tidewaiter/internal/platform/certfile"
)

// userToken judges the file of the user whose consent customs is spoken to by.
func (e *examination) userToken() []doctor.Check {
	const name = "consent, customs"
	const renew = "let the user give consent at HMRC again, and write the new tokens with Granted into the file"
	path := e.config.Customs.UserToken
	if path == "" {
		return nil
	}
	if private := doctor.Private(name, path); private.Outcome != doctor.OK {
		return []doctor.Check{private}
	}
	token, err := (&tokenFile{path: path}).read()
	switch {
	case err != nil:
		return []doctor.Check{doctor.Ill(name, renew, "%v", err)}
	case token.Refresh == "":
		return []doctor.Check{doctor.Ill(name, renew, "there is no refresh token in %s", path)}
	case token.Granted.IsZero():
		return []doctor.Check{doctor.Worry(name, `add "Granted": "…" with the day of the consent to `+path, "it is not known when the consent ends, 18 months after it was given")}
	}
	return []doctor.Check{doctor.Consent(name, token.Granted, e.deps.Now(), renew)}
}

// certificateWorry is how long before its end a certificate is worth a word.
const certificateWorry = 14 * 24 * time.Hour

// certificate judges the TLS certificate that the service itself shows, if it shows one.
func (e *examination) certificate() []doctor.Check {
	const name, renew = "TLS certificate", "renew the certificate; the service takes over new files by itself"
	if e.config.TLSCert == "" {
		return nil
	}
	ends, err := certfile.Check(e.config.TLSCert, e.config.TLSKey, e.deps.Now)
	switch {
	case err != nil:
		return []doctor.Check{doctor.Ill(name, "correct tls-cert and tls-key, or renew the certificate", "%v", err)}
	case ends.Sub(e.deps.Now()) < certificateWorry:
		return []doctor.Check{doctor.Worry(name, renew, "it expires %s", ends.UTC().Format(time.RFC3339))}
	}
	return []doctor.Check{doctor.Well(name, "good until %s", ends.UTC().Format(time.RFC3339))}
}

// passkeys finds those that were made under another host name than the one of public-url.
func (e *examination) passkeys(ctx context.Context) []doctor.Check {
	const name = "passkeys"
	elsewhere, host, err := passkeysElsewhere(ctx, e.store, e.config)
	switch {
	case err != nil:
		return []doctor.Check{doctor.Worry(name, "see the database's own log", "cannot read them: %v", err)}
	case elsewhere > 0:
		return []doctor.Check{doctor.Worry(name, "change public-url back, or have their users add new ones", "made for another host than %q, that of public-url, so that they do not work: %d", host, elsewhere)}
	}
	return []doctor.Check{doctor.Well(name, "none was made for another host than that of public-url")}
}

// modes checks that only the service's user reads the data folder.
func (e *examination) modes() []doctor.Check {
	const name = "file modes"
	remedy := fmt.Sprintf("restart the service, which corrects them, or run chmod -R go= %s as their owner", e.config.Data)
	exposed, err := filemode.Exposed(e.config.Data)
	switch {
	case err != nil:
		return []doctor.Check{doctor.Worry(name, remedy, "cannot look at every file: %v", err)}
	case slices.IndexFunc(exposed, func(x filemode.Entry) bool { return !x.Foreign }) < 0 && len(exposed) > 0:
		remedy = "let their owner run chmod -R go= " + e.config.Data + ", unless the volume is set up so on purpose"
		return []doctor.Check{doctor.Worry(name, remedy, "%d files of another user are open to others, such as %s", len(exposed), exposed[0])}
	case len(exposed) > 0:
		return []doctor.Check{doctor.Ill(name, remedy, "other users may read %d of the files in the data folder, such as %s", len(exposed), exposed[0])}
	}
	return []doctor.Check{doctor.Well(name, "only the owner reads the data folder; the umask here is %04o, the service uses 0077", filemode.Umask())}
}

// backupMark is the file in the data folder by which a backup tells that it was made.
const backupMark = "backup.json"

// backupWorry is when a backup is old.
const backupWorry = 48 * time.Hour

// backup judges the age of the last backup, where one is known of.
func (e *examination) backup(ctx context.Context) []doctor.Check {
	const name = "backup"
	at, err := backedUp(ctx, e.store, e.config)
	switch {
	case err != nil:
		return []doctor.Check{doctor.Worry(name, "make a backup", "it cannot be told when the last was made: %v", err)}
	case at.IsZero():
		return nil
	case e.deps.Now().Sub(at) > backupWorry:
		return []doctor.Check{doctor.Worry(name, "make a backup, and see why none was made", "the last is of %s", at.UTC().Format(time.RFC3339))}
	}
	return []doctor.Check{doctor.Well(name, "the last is of %s", at.UTC().Format(time.RFC3339))}
}
