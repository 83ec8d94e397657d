package official

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Publisher is where the live tables are fetched from.
type Publisher struct {
	Address string            // of the tables: https, or http on this machine
	Folder  string            // for what is under way; empty for that of the system
	Tell    func(text string) // what is being done; nil for nobody
}

// live are the tables that are fetched.
var live = []string{"commodities-report", "measures-on-declarable-commodities"}

var (
	errAddress = errors.New("official: the publisher's address must begin with https://")
	errMixed   = errors.New("official: the publisher has brought out a new edition between one table and the next: try again")
	errPartial = errors.New("official: the publisher's answer is not the whole tariff, and nothing is imported")
)

// Sync fetches the publisher's tables, and imports them where they are whole.
func (p Publisher) Sync(ctx context.Context, to Shelf, how Importing) (Report, error) {
	if err := p.check(); err != nil {
		return Report{}, err
	}
	_, before, err := inForce(ctx, to)
	if err != nil {
		return Report{}, err
	}
	var files []File
	edition := ""
	for _, table := range live {
		into, err := os.CreateTemp(p.Folder, "tariff-*.csv")
		if err != nil {
			return Report{}, fmt.Errorf("official: sync: %w", err)
		}
		defer os.Remove(into.Name())
		defer into.Close()
		f := &fetching{client: newClient(), address: strings.TrimRight(p.Address, "/") + "/" + table + "/data?format=csv", into: into}
		p.tell("fetching " + f.address)
		if err := f.run(ctx); err != nil {
			return Report{}, fmt.Errorf("official: %s: %w", table, err)
		}
		if where, _, _ := strings.Cut(f.final, table); edition != "" && where != edition {
			return Report{}, errMixed
		} else {
			edition = where
		}
		if _, err := into.Seek(0, 0); err != nil {
			return Report{}, fmt.Errorf("official: sync: %w", err)
		}
		p.tell(fmt.Sprintf("fetched %s, %d bytes", table, f.have))
		files = append(files, File{Name: table, Reader: into})
	}
	how.check = func(whole []part) error { return entire(whole, before) }
	return Import(ctx, to, files, how)
}

func (p Publisher) tell(text string) {
	if p.Tell != nil {
		p.Tell(text)
	}
}

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

// leastShare is how many percent of the rows of the version before a fetched table has
// at least: the tariff does not lose a tenth of itself from one day to the next.
const leastShare = 90

// entire refuses tables of which a part is missing, although each of their rows is good.
func entire(whole []part, before Edition) error {
	fetched := map[Kind]part{}
	for _, p := range whole {
		if was, ok := before.Table(p.Kind); ok && was.Source == p.Source && 100*p.Rows < leastShare*was.Rows {
			return fmt.Errorf("%w: %s has %d rows, and had %d", errPartial, p.Kind, p.Rows, was.Rows)
		}
		if p.Version == 0 {
			fetched[p.Kind] = p
		}
	}
	for _, k := range []Kind{Nomenclature, Duties, VAT} {
		if _, ok := fetched[k]; !ok {
			return fmt.Errorf("%w: it has no %s", errPartial, k)
		}
	}
	return everyChapter(fetched[Nomenclature])
}

func everyChapter(p part) error {
	there := map[string]bool{}
	for _, row := range p.rows {
		there[row[0]] = true
	}
	own := tariff.OwnTree()
	for i := range own.Len() {
		if code := own.At(i).Code; nomenclature.IsChapter(code) && !there[code] {
			return fmt.Errorf("%w: it has no chapter %s", errPartial, code[:2])
		}
	}
	return nil
}
