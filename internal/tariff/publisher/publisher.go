// Package publisher downloads the tariff's live tables from their publisher.
package publisher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Publisher is the source of the live tables.
type Publisher struct {
	Address  string            // of the tables: https, or http on this machine
	Folder   string            // for downloads; empty for the system's folder
	Progress func(text string) // reports progress
}

// Table is a downloaded table, positioned at its beginning.
type Table struct {
	Name string
	io.ReadCloser
}

// live are the tables that are downloaded.
var live = []string{"commodities-report", "measures-on-declarable-commodities"}

var (
	errAddress = errors.New("the publisher's address must begin with https://")
	errMixed   = errors.New("publisher: there is a new edition since one table was fetched and the next was not: try again")
)

// Fetch downloads all tables of one edition. The caller closes them, which removes the files.
func (p Publisher) Fetch(ctx context.Context) (tables []Table, err error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("publisher: %w", err)
	}
	defer func() {
		if err != nil {
			for _, t := range tables {
				_ = t.Close()
			}
		}
	}()
	edition := ""
	for _, name := range live {
		t, final, err := p.fetch(ctx, name, "/"+name+"/data?format=csv")
		if err != nil {
			return tables, fmt.Errorf("publisher: %s: %w", name, err)
		}
		from, _, _ := strings.Cut(final, "/"+name+"/")
		tables = append(tables, t)
		if edition != "" && from != edition {
			return tables, errMixed
		}
		edition = from
	}
	return tables, nil
}

// FetchFile downloads a file of the publisher's folder. The caller closes it, which removes it.
func (p Publisher) FetchFile(ctx context.Context, name string) (Table, error) {
	if err := p.check(); err != nil {
		return Table{}, fmt.Errorf("publisher: %w", err)
	}
	t, _, err := p.fetch(ctx, name, "/"+name)
	if err != nil {
		return Table{}, fmt.Errorf("publisher: %s: %w", name, err)
	}
	return t, nil
}

// IsMissing reports whether the publisher answers that there is no such file.
func IsMissing(err error) bool {
	var answer refused
	return errors.As(err, &answer) && answer.status == http.StatusNotFound
}

// fetch returns a table and the address from which it came at last.
func (p Publisher) fetch(ctx context.Context, name, path string) (t Table, final string, err error) {
	file, err := os.CreateTemp(p.Folder, "tariff-*.csv")
	if err != nil {
		return t, "", err
	}
	t = Table{name, tempFile{file}}
	f := &fetching{client: newClient(), address: strings.TrimRight(p.Address, "/") + path, into: file}
	p.Progress("fetching " + f.address)
	if err = f.run(ctx); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = t.Close()
		return t, "", err
	}
	p.Progress(fmt.Sprintf("fetched %s, %d bytes", name, f.have))
	return t, f.final, nil
}

// tempFile is a file that is removed when it is closed.
type tempFile struct{ *os.File }

func (s tempFile) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

// check allows plain HTTP only to this machine.
func (p Publisher) check() error {
	u, err := url.Parse(p.Address)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return errAddress
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// newClient follows redirects from the latest edition to its name, and none from HTTPS to
// plain HTTP.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = headerWait
	return &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) >= maxRedirect {
			return errors.New("too many redirects")
		}
		if r.URL.Scheme != "https" && !(r.URL.Scheme == "http" && isLoopback(r.URL.Hostname())) {
			return errAddress
		}
		return nil
	}}
}
