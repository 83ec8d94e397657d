// Package publisher fetches the tariff's live tables from whoever publishes them.
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

// Publisher is where the live tables are fetched from.
type Publisher struct {
	Address string            // of the tables: https, or http on this machine
	Folder  string            // for what is fetched; empty for that of the system
	Tell    func(text string) // what is being done
}

// Table is a table that was fetched, as a file to be read from its beginning.
type Table struct {
	Name string
	io.ReadCloser
}

// live are the tables that are fetched.
var live = []string{"commodities-report", "measures-on-declarable-commodities"}

var (
	errAddress = errors.New("the publisher's address must begin with https://")
	errMixed   = errors.New("publisher: there is a new edition since one table was fetched and the next was not: try again")
)

// Fetch fetches all tables, of one edition. Whoever has read them closes them, which
// removes the files.
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
		t, from, err := p.fetch(ctx, name)
		if err != nil {
			return tables, fmt.Errorf("publisher: %s: %w", name, err)
		}
		tables = append(tables, t)
		if edition != "" && from != edition {
			return tables, errMixed
		}
		edition = from
	}
	return tables, nil
}

// fetch gives a table, and the address of the edition that it is from.
func (p Publisher) fetch(ctx context.Context, name string) (t Table, edition string, err error) {
	file, err := os.CreateTemp(p.Folder, "tariff-*.csv")
	if err != nil {
		return t, "", err
	}
	t = Table{name, spooled{file}}
	f := &fetching{client: newClient(), address: strings.TrimRight(p.Address, "/") + "/" + name + "/data?format=csv", into: file}
	p.Tell("fetching " + f.address)
	if err = f.run(ctx); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = t.Close()
		return t, "", err
	}
	p.Tell(fmt.Sprintf("fetched %s, %d bytes", name, f.have))
	edition, _, _ = strings.Cut(f.final, "/"+name+"/")
	return t, edition, nil
}

// spooled is a file that is gone when it is closed.
type spooled struct{ *os.File }

func (s spooled) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

// check lets only this machine be asked in the clear.
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

// newClient follows the publisher from the latest edition to its name, and nowhere
// that is less safe.
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
