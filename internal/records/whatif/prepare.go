package whatif

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// maxFaults is how many faults of a request are named.
const maxFaults = 100

// Prepared is a request that was checked, with its lines packed.
type Prepared struct {
	Settings Settings
	pieces   []Piece
}

// withoutLines is a request whose lines are not decoded, as all of them together take much memory.
type withoutLines struct {
	Source struct {
		Declarations *Declarations `json:"declarations"`
		Products     bool          `json:"products"`
		UploadID     string        `json:"uploadId"`
		Header
	} `json:"source"`
	Change  Change   `json:"change"`
	GroupBy []string `json:"groupBy"`
}

// Prepare checks a body, and names every fault besides those that are known. A body that does not fit the schema of Request has
// such faults.
func (s *Service) Prepare(ctx context.Context, org tenant.ID, body []byte, now time.Time, known []apierr.Detail) (Prepared, error) {
	var r withoutLines
	var wrong *json.UnmarshalTypeError // decoding goes on after it
	if err := json.Unmarshal(body, &r); err != nil && !errors.As(err, &wrong) {
		return Prepared{}, apierr.Invalid(known...)
	}
	lines, err := linesIn(body)
	if err != nil {
		return Prepared{}, apierr.Invalid(known...)
	}
	p := preparation{Service: s, org: org, faults: known}
	p.check(&r, lines != nil)
	if id := r.Source.UploadID; id != "" && len(p.faults) == 0 {
		if lines, err = s.uploaded(ctx, org, strings.ToLower(id)); apierr.Is(err, apierr.NotFound) {
			p.fault("source.uploadId", "is no upload of yours")
		} else if err != nil {
			return Prepared{}, err
		}
	}
	if err := p.settle(ctx, &r, now); err != nil {
		return Prepared{}, err
	}
	if len(p.faults) == 0 && lines != nil {
		if err := p.pack(ctx, lines); err != nil {
			return Prepared{}, err
		}
	}
	if len(p.faults) > 0 {
		return Prepared{}, apierr.Invalid(p.faults[:min(len(p.faults), maxFaults)]...)
	}
	return Prepared{p.settings, p.pieces}, nil
}

// linesIn returns the list of lines in a body as it stands there; nil if there is none.
func linesIn(body []byte) ([]byte, error) {
	for _, name := range []string{"source", "lines"} {
		var err error
		if body, err = memberIn(body, name); body == nil || err != nil {
			return nil, err
		}
	}
	return body, nil
}

// memberIn returns the value of a member of an object, without copying it.
func memberIn(object []byte, name string) ([]byte, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(object))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		found := token.String() == name
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		if found {
			end := d.InputOffset()
			return object[end-int64(len(value)) : end], nil
		}
	}
	return nil, nil
}

// preparation collects what is wrong with a request, and its pieces.
type preparation struct {
	*Service
	org      tenant.ID
	settings Settings
	faults   []apierr.Detail
	pieces   []Piece
}

func (p *preparation) fault(field, format string, values ...any) {
	p.faults = append(p.faults, apierr.Detail{Field: field, Message: fmt.Sprintf(format, values...)})
}

// day reports a text that is not a day; it may be left out.
func (p *preparation) day(field, text string) {
	if text == "" {
		return
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		p.fault(field, "must be a day such as 2026-11-21")
	}
}

func (p *preparation) check(r *withoutLines, lines bool) {
	src := &r.Source
	sources := 0
	for _, given := range []bool{lines, src.Declarations != nil, src.Products, src.UploadID != ""} {
		if given {
			sources++
		}
	}
	if sources != 1 {
		p.fault("source", "must have exactly one of lines, declarations, products and uploadId")
	}
	if r.Change.IsNone() {
		p.fault("change", "must have at least one member")
	}
	p.day("source.date", src.Date)
	p.day("change.date", r.Change.Date)
	if d := src.Declarations; d != nil {
		p.day("source.declarations.from", d.From)
		p.day("source.declarations.to", d.To)
		if d.From > d.To {
			p.fault("source.declarations.to", "must not be before from")
		}
		for name, given := range map[string]bool{
			"date": src.Date != "", "destination": src.Destination != "", "incoterm": src.Incoterm != "", "northernIreland": src.NorthernIreland != nil,
		} {
			if given {
				p.fault("source."+name, "must be left out, as each declaration states it")
			}
		}
	}
	for i, by := range r.GroupBy {
		if slices.Contains(r.GroupBy[:i], by) {
			p.fault(fmt.Sprintf("groupBy[%d]", i), "is given twice")
		}
	}
	if f := r.Change.Facts; f != nil {
		for _, d := range f.Documents {
			if slices.Contains(f.DocumentsAbsent, d.Code) {
				p.fault("change.facts.documentsAbsent", "must not have %s, which is in documents", d.Code)
			}
		}
	}
	sorting.Stable(p.faults, func(a, b apierr.Detail) int { return strings.Compare(a.Field, b.Field) })
}

// settle fixes the day, the editions and the table of rates.
func (p *preparation) settle(ctx context.Context, r *withoutLines, now time.Time) error {
	h := &r.Source.Header
	base, faults, err := p.Calculator.Fix(ctx, h.Edition, h.RateTable, nil)
	if err != nil {
		return err
	}
	for _, f := range faults {
		p.fault("source."+f.Field, "%s", f.Message)
	}
	if r.Change.Edition != nil {
		_, faults, err := p.Calculator.Fix(ctx, r.Change.Edition, nil, nil)
		if err != nil {
			return err
		}
		for _, f := range faults {
			p.fault("change."+f.Field, "%s", f.Message)
		}
	}
	p.settings = Settings{
		Declarations: r.Source.Declarations, Products: r.Source.Products, Change: r.Change, GroupBy: r.GroupBy, Date: h.Date, Destination: h.Destination,
		Incoterm: h.Incoterm, NI: h.NorthernIreland, Rates: h.ExchangeRates,
	}
	if len(faults) == 0 {
		p.settings.Edition, p.settings.RateTable = base.Edition(), base.RateTable()
	}
	if h.Date == "" {
		p.settings.Date = measure.DayOf(now.In(calendar.London())).String()
	}
	if h.Destination == "" {
		p.settings.Destination = duty.GreatBritain
	}
	return nil
}

// pack checks the lines one after the other, and packs them.
func (p *preparation) pack(ctx context.Context, list []byte) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(list))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	w := pieceWriter{}
	products := map[string][]int{} // lines by the product that they name
	for i := 0; d.PeekKind() == '{' && len(p.faults) < maxFaults; i++ {
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		var l Line
		if err := json.Unmarshal(value, &l); err != nil {
			return err
		}
		p.line(i, &l)
		if id := strings.ToLower(l.ProductID); id != "" {
			products[id] = append(products[id], i)
		}
		if err := w.add(&Goods{Line: l}); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	p.pieces = w.pieces
	return p.known(ctx, products)
}

// line completes a line and checks it as a calculation does.
func (p *preparation) line(i int, l *Line) {
	if l.Ref == "" {
		l.Ref = strconv.Itoa(i)
	}
	p.day(fmt.Sprintf("source.lines[%d].date", i), l.Date)
	p.settings.complete(l)
	r := p.settings.request(l)
	r.Complete()
	l.RequestLine = r.Lines[0]
	for _, f := range r.Check() {
		if l.ProductID != "" && f.Field == "lines[0].origin" {
			continue // the product may supply it
		}
		p.fault(fmt.Sprintf("source.lines[%d]%s", i, strings.TrimPrefix(f.Field, "lines[0]")), "%s", f.Message)
	}
}

// known reports lines that name no product of the organisation.
func (p *preparation) known(ctx context.Context, lines map[string][]int) error {
	ids := make([]string, 0, len(lines))
	for id := range lines {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var unknown []int
	for part := range slices.Chunk(ids, pieceLines) {
		err := p.Store.ViewWhatIf(ctx, p.org, func(tx Tx) error {
			found, err := p.Catalogue.byID(tx, part)
			for _, id := range part {
				if _, ok := found[id]; !ok {
					unknown = append(unknown, lines[id]...)
				}
			}
			return err
		})
		if err != nil {
			return errors.Join(errors.New("whatif: products"), err)
		}
	}
	slices.Sort(unknown)
	for _, i := range unknown {
		p.fault(fmt.Sprintf("source.lines[%d].productId", i), "is no product of yours")
	}
	return nil
}
