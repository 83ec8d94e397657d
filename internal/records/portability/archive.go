package portability

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ContentType is the media type of an archive.
const ContentType = "application/zip"

const (
	rowPage      = 500 // rows per transaction
	recordPage   = 20  // records per transaction; each can have 4 MB
	originalPage = 4   // originals per transaction; each can have 20 MB
)

// Write writes the archive of an export as a ZIP, page by page, so that memory does not grow with
// the data. It calls begin before the first byte; until then an error can still be reported. The
// archive contains the data as it is while it is written.
func (s *Service) Write(ctx context.Context, call tenant.Call, id string, begin func(name string) io.Writer) error {
	err := s.Store.UpdateExport(ctx, call.Org, func(tx Tx) error {
		j, err := findJob(tx, id)
		if err != nil {
			return err
		}
		if j.Status != Done {
			return apierr.New(apierr.InvalidState, "The export was cancelled. Request a new one.")
		}
		return tx.Record(s.event(call, Fetched, j))
	})
	if err != nil {
		return err
	}
	a := &archive{service: s, ctx: ctx, org: call.Org, zip: zip.NewWriter(begin("tidewaiter-export-" + id + ".zip")), files: map[string]int64{}}
	if err := a.write(); err != nil {
		return fmt.Errorf("portability: %w", err)
	}
	return a.zip.Close()
}

// WriteNow writes an archive without a job, for the operator.
func (s *Service) WriteNow(ctx context.Context, call tenant.Call, out io.Writer) error {
	j := Job{ID: s.NewID()}
	err := s.Store.ViewExport(ctx, call.Org, func(tx Tx) (err error) { j.Total, err = tx.CountExported(); return err })
	if err != nil {
		return err
	}
	if err := s.Store.UpdateExport(ctx, call.Org, func(tx Tx) error { return tx.Record(s.event(call, Fetched, j)) }); err != nil {
		return err
	}
	a := &archive{service: s, ctx: ctx, org: call.Org, zip: zip.NewWriter(out), files: map[string]int64{}}
	if err := a.write(); err != nil {
		return fmt.Errorf("portability: %w", err)
	}
	return a.zip.Close()
}

// archive is an archive that is being written.
type archive struct {
	service *Service
	ctx     context.Context
	org     tenant.ID
	zip     *zip.Writer
	files   map[string]int64 // lines of each .jsonl file
}

func (a *archive) write() error {
	for _, part := range []func() error{a.organisation, a.users, a.records, a.events, a.tables, a.originals, a.received, a.manifest} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (a *archive) view(fn func(Tx) error) error { return a.service.Store.ViewExport(a.ctx, a.org, fn) }

// jsonlFile is a .jsonl file of the archive.
type jsonlFile struct {
	archive *archive
	name    string
	out     io.Writer
}

func (a *archive) create(name string) (*jsonlFile, error) {
	name += ".jsonl"
	out, err := a.zip.Create(name)
	a.files[name] = 0
	return &jsonlFile{a, name, out}, err
}

func (l *jsonlFile) add(line []byte) error {
	l.archive.files[l.name]++
	_, err := l.out.Write(append(line, '\n'))
	return err
}

func (l *jsonlFile) encode(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return l.add(line)
}

func (a *archive) organisation() error {
	l, err := a.create("organisation")
	if err != nil {
		return err
	}
	return a.view(func(tx Tx) error {
		o, err := tx.Organisation()
		if err != nil {
			return err
		}
		return l.encode(struct {
			ID        tenant.ID `json:"id"`
			Name      string    `json:"name"`
			CreatedAt string    `json:"createdAt"`
			UpdatedAt string    `json:"updatedAt"`
			access.Profile
			Policy access.Policy `json:"policy"`
			Hubs   access.Hubs   `json:"hubs"`
		}{o.ID, o.Name, audit.Instant(o.CreatedAt), audit.Instant(o.UpdatedAt), o.Profile, o.Policy, o.Hubs})
	})
}

func (a *archive) users() error {
	l, err := a.create("users")
	if err != nil {
		return err
	}
	members, err := a.service.Store.Members(a.ctx, a.org)
	if err != nil {
		return err
	}
	for _, m := range members {
		if err := l.encode(userOf(m)); err != nil {
			return err
		}
	}
	return nil
}

func (a *archive) records() error {
	for _, kind := range a.service.Kinds {
		l, err := a.create(kind)
		if err != nil {
			return err
		}
		after := filing.Position{}
		for n := recordPage; n == recordPage; {
			var part []filing.Filing
			if err := a.view(func(tx Tx) (err error) { part, err = tx.WholeFilings(kind, after, recordPage); return err }); err != nil {
				return err
			}
			for i := range part {
				if err := l.add(part[i].AppendJSON(nil)); err != nil {
					return err
				}
				after = filing.Position{CreatedAt: part[i].CreatedAt, ID: part[i].ID}
			}
			n = len(part)
		}
	}
	return nil
}

func (a *archive) events() error {
	l, err := a.create("audit_events")
	if err != nil {
		return err
	}
	after := int64(0)
	for n := rowPage; n == rowPage; {
		var part []audit.Event
		if err := a.view(func(tx Tx) (err error) { part, err = tx.EventsAfter(after, rowPage); return err }); err != nil {
			return err
		}
		for i := range part {
			if err := l.add(part[i].AppendJSON(nil)); err != nil {
				return err
			}
			after = part[i].Sequence
		}
		n = len(part)
	}
	return nil
}

func (a *archive) tables() error {
	for _, t := range Tables() {
		l, err := a.create(t.File)
		if err != nil {
			return err
		}
		if err := a.eachRow(t, func(r Row) error { return l.add(t.line(r)) }); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

func (a *archive) eachRow(t Table, fn func(Row) error) error {
	var after []string
	for n := rowPage; n == rowPage; {
		var part []Row
		if err := a.view(func(tx Tx) (err error) { part, err = tx.TableRows(t, after, rowPage); return err }); err != nil {
			return err
		}
		for _, r := range part {
			if err := fn(r); err != nil {
				return err
			}
			after = r.Key
		}
		n = len(part)
	}
	return nil
}

// line encodes a row as a JSON object with the members in the order of the columns.
func (t Table) line(r Row) []byte {
	line := []byte("{")
	for i, c := range t.Columns {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(append(append(line, '"'), c.Member...), `":`...)
		line = append(line, encodeValue(c.Type, r.Values[i])...)
	}
	return append(line, '}')
}

func encodeValue(t Type, v any) []byte {
	if text, ok := v.(string); ok && t == JSON && json.Valid([]byte(text)) {
		return []byte(text)
	}
	if at, ok := v.(time.Time); ok {
		v = audit.Instant(at)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return out
}

func (a *archive) originals() error {
	for _, s := range Sources() {
		after := ""
		for n := originalPage; n == originalPage; {
			var part []Original
			if err := a.view(func(tx Tx) (err error) { part, err = tx.Originals(s, after, originalPage); return err }); err != nil {
				return err
			}
			for _, o := range part {
				if err := a.file(s.Folder+o.ID+o.Extension+s.Extension, o.Data); err != nil {
					return err
				}
				after = o.ID
			}
			n = len(part)
		}
	}
	return nil
}

// received writes the raw messages from CDS.
func (a *archive) received() error {
	messages := Table{Name: "messages", Key: []string{"id"}, Columns: []Column{{"inbox_id", "", Text}}}
	return a.eachRow(messages, func(r Row) error {
		id, _ := r.Values[0].(string)
		m, err := a.service.Store.Inbound(a.ctx, id)
		if apierr.Is(err, apierr.NotFound) {
			return nil // deleted by retention
		}
		if err != nil {
			return err
		}
		return a.file("originals/received-from-customs/"+id+".xml", m.Body)
	})
}

func (a *archive) file(name string, data []byte) error {
	if data == nil {
		return nil
	}
	out, err := a.zip.Create(name)
	if err == nil {
		_, err = out.Write(data)
	}
	return err
}

// manifest writes the last file; an archive without it is incomplete.
func (a *archive) manifest() error {
	out, err := a.zip.Create("manifest.json")
	if err != nil {
		return err
	}
	var now time.Time
	if err := a.view(func(tx Tx) error { now = tx.Now(); return nil }); err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{
		"format": "tidewaiter-export-1", "organisationId": a.org, "madeAt": audit.Instant(now), "program": a.service.Version, "lines": a.files,
	}, "", "  ")
	return errors.Join(err, writeAll(out, text))
}

func writeAll(w io.Writer, text []byte) error {
	_, err := w.Write(text)
	return err
}

// user is a member in the archive.
type user struct {
	ID    string      `json:"id"`
	Name  string      `json:"name"`
	Email string      `json:"email"`
	Role  tenant.Role `json:"role"`
}

func userOf(m access.Member) user { return user{m.ID, m.Name, m.Email, m.Role} }
