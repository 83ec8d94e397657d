package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/filemode"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/usertoken"
	"github.com/tidewaiter/tidewaiter/internal/platform/certfile"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// userToken checks the file with the tokens of the user whose consent the service uses to call CDS.
func (e *examination) userToken(ctx context.Context) []check.Result {
	const name = "consent, customs"
	const remedy = "let the user give consent at HMRC again, and write the new tokens with Granted to the file"
	path := e.config.Customs.UserToken
	if path == "" {
		return nil
	}
	if private := check.Private(name, path); private.Outcome != check.OK {
		return []check.Result{private}
	}
	token, err := usertoken.New(path).Load(ctx)
	switch {
	case err != nil:
		return []check.Result{check.Failed(name, remedy, "%v", err)}
	case token.Refresh == "":
		return []check.Result{check.Failed(name, remedy, "there is no refresh token in %s", path)}
	case token.Granted.IsZero():
		return []check.Result{check.Warning(name, `add "Granted": "…" with the day of the consent to `+path, "the consent ends 18 months after it was given, and that day is not known")}
	}
	return []check.Result{check.Consent(name, token.Granted, e.env.Now(), remedy)}
}

// certificateWarn is how long before its end a certificate of the service causes a warning.
const certificateWarn = 14 * 24 * time.Hour

// certificate checks the service's own TLS certificate, if it has one.
func (e *examination) certificate() []check.Result {
	const name, remedy = "TLS certificate", "renew the certificate; the service reads new files without a restart"
	if e.config.TLSCert == "" {
		return nil
	}
	ends, err := certfile.Check(e.config.TLSCert, e.config.TLSKey, e.env.Now)
	switch {
	case err != nil:
		return []check.Result{check.Failed(name, "correct tls-cert and tls-key, or renew the certificate", "%v", err)}
	case ends.Sub(e.env.Now()) < certificateWarn:
		return []check.Result{check.Warning(name, remedy, "it expires %s", ends.UTC().Format(time.RFC3339))}
	}
	return []check.Result{check.Passed(name, "valid until %s", ends.UTC().Format(time.RFC3339))}
}

// passkeys looks for passkeys that were made for another host.
func (e *examination) passkeys(ctx context.Context) []check.Result {
	const name = "passkeys"
	n, host, err := PasskeysOfOtherHosts(ctx, e.store, e.config)
	switch {
	case err != nil:
		return []check.Result{check.Warning(name, "read the database's own log", "they cannot be read: %v", err)}
	case n > 0:
		return []check.Result{check.Warning(name, "change public-url back, or have their users add new ones", "made for another host than %q, that of public-url, so that they do not work: %d", host, n)}
	}
	return []check.Result{check.Passed(name, "all were made for the host of public-url")}
}

// PasskeysOfOtherHosts counts the passkeys that do not work because they were made for another host than that of
// public-url. It also returns this host; it is empty if browsers allow no passkeys there.
func PasskeysOfOtherHosts(ctx context.Context, s *store.Store, c config.Config) (n int, host string, err error) {
	public := cmp.Or(c.PublicURL, c.Scheme()+"://localhost") // as the start sets it
	relying, err := passkey.New(public)
	if err != nil {
		return 0, "", err
	}
	if relying != nil {
		host = relying.Host()
	}
	n, err = (&access.Accounts{Store: adapter.Of(s)}).PasskeysElsewhere(ctx, host)
	return n, host, err
}

// fileModes checks that only the service's user can read the data folder.
func (e *examination) fileModes() []check.Result {
	const name = "file modes"
	remedy := fmt.Sprintf("restart the service, which corrects them, or run chmod -R go= %s as their owner", e.config.Data)
	exposed, err := filemode.Exposed(e.config.Data)
	switch {
	case err != nil:
		return []check.Result{check.Warning(name, remedy, "not every file can be checked: %v", err)}
	case slices.IndexFunc(exposed, func(x filemode.Entry) bool { return !x.Foreign }) < 0 && len(exposed) > 0:
		remedy := "let their owner run chmod -R go= " + e.config.Data + ", unless the volume needs these modes"
		return []check.Result{check.Warning(name, remedy, "everyone can read %d files of another user, such as %s", len(exposed), exposed[0])}
	case len(exposed) > 0:
		return []check.Result{check.Failed(name, remedy, "other users may read %d of the files in the data folder, such as %s", len(exposed), exposed[0])}
	}
	return []check.Result{check.Passed(name, "only the owner can read the data folder; the umask here is %04o, the service uses 0077", filemode.Umask())}
}

// backupMaxAge is the age of the last backup that causes a warning.
const backupMaxAge = 48 * time.Hour

// backup checks the age of the last backup, if one is known.
func (e *examination) backup(ctx context.Context) []check.Result {
	const name = "backup"
	at, err := installation.BackupTime(ctx, e.store, e.config)
	switch {
	case err != nil:
		return []check.Result{check.Warning(name, "make a backup", "the time of the last one cannot be read: %v", err)}
	case at.IsZero():
		return nil
	case e.env.Now().Sub(at) > backupMaxAge:
		return []check.Result{check.Warning(name, "make a backup, and find out why none was made since", "the last was made %s", at.UTC().Format(time.RFC3339))}
	}
	return []check.Result{check.Passed(name, "the last was made %s", at.UTC().Format(time.RFC3339))}
}
