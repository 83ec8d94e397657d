package whatif

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// gatherer reads the records of a source, oldest first.
type gatherer struct {
	*run
	Records
	until time.Time // records that were created later are left out; zero for none
	after filing.Position
	out   pieceWriter
}

// gather reads the lines of records and stores them, so that all of them are computed as they were then. It goes on where an
// interrupted run stopped.
func (r *run) gather(ctx context.Context) error {
	if r.whatIf.Gathered {
		return nil
	}
	g := gatherer{run: r}
	var err error
	if d := r.whatIf.Settings.Declarations; d != nil {
		err = g.ofDeclarations(d)
	} else {
		g.Records = r.Catalogue.Records
	}
	if err == nil {
		err = g.resume()
	}
	for err == nil && !r.whatIf.Gathered {
		err = g.next(ctx)
	}
	return r.ended(ctx, err)
}

func (g *gatherer) ofDeclarations(d *Declarations) error {
	from, err := time.ParseInLocation(time.DateOnly, d.From, calendar.London())
	if err != nil {
		return stop{"The first day of its declarations is not a day."}
	}
	to, err := time.ParseInLocation(time.DateOnly, d.To, calendar.London())
	if err != nil {
		return stop{"The last day of its declarations is not a day."}
	}
	g.Records, g.until, g.after = g.Declarations, to.AddDate(0, 0, 1), filing.Position{CreatedAt: from.UTC(), ID: noJob}
	if statuses := d.statuses(); statuses != nil {
		g.Lines = func(f *filing.Filing) ([]Goods, error) {
			if !slices.Contains(statuses, string(f.Status)) {
				return nil, nil
			}
			return g.Declarations.Lines(f)
		}
	}
	return nil
}

// cursorForm is a place in the records: milliseconds, id, and the number of the next piece.
const cursorForm = "%d %s %d"

// resume goes on at the stored place.
func (g *gatherer) resume() error {
	if g.whatIf.Cursor == "" {
		return nil
	}
	var ms int64
	if _, err := fmt.Sscanf(g.whatIf.Cursor, cursorForm, &ms, &g.after.ID, &g.out.next); err != nil {
		return fmt.Errorf("whatif: place %q: %w", g.whatIf.Cursor, err)
	}
	g.after.CreatedAt = time.UnixMilli(ms).UTC()
	return nil
}

// next reads a page, and stores lines if there are enough of them.
func (g *gatherer) next(ctx context.Context) error {
	var page []filing.Filing
	err := g.Store.ViewWhatIf(ctx, g.job.Org, func(tx Tx) (err error) {
		page, err = tx.WholeFilings(g.Kind, g.after, g.Page)
		return err
	})
	if err != nil {
		return err
	}
	last := len(page) < g.Page
	for i := range page {
		f := &page[i]
		if !g.until.IsZero() && !f.CreatedAt.Before(g.until) {
			last = true
			break
		}
		lines, err := g.Lines(f)
		if err != nil {
			return err
		}
		for n := range lines {
			g.whatIf.Settings.complete(&lines[n].Line)
			if err := g.out.add(&lines[n]); err != nil {
				return err
			}
		}
		g.after = filing.Position{CreatedAt: f.CreatedAt, ID: f.ID}
	}
	if !last && len(g.out.pieces) == 0 {
		return nil
	}
	return g.store(ctx, last)
}

// store stores the lines that were read, and the place up to which.
func (g *gatherer) store(ctx context.Context, last bool) error {
	if err := g.out.end(); err != nil {
		return err
	}
	w := g.whatIf
	for i := range g.out.pieces {
		w.Total += int64(g.out.pieces[i].Lines)
	}
	if w.Total > MaxLines {
		return stop{fmt.Sprintf("There are more than %d lines. Choose a shorter time.", MaxLines)}
	}
	w.Gathered = last
	w.Cursor = fmt.Sprintf(cursorForm, g.after.CreatedAt.UnixMilli(), g.after.ID, g.out.next)
	err := g.Store.UpdateWhatIf(ctx, g.job.Org, func(tx Tx) error { return tx.GatherWhatIf(w, g.out.pieces) })
	if err != nil {
		return err
	}
	g.whatIf, g.out.pieces = w, nil
	return nil
}
