package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// maxChildren is how many lines below a code are shown; no heading has as many.
const maxChildren = 200

// TariffLine is a line of the nomenclature.
type TariffLine struct {
	Code        string `json:"code" doc:"Two digits of a chapter, four of a heading, else ten" example:"6109"`
	Suffix      string `json:"suffix" doc:"Product line suffix: 80, or another for a line that only groups" example:"80"`
	Description string `json:"description" doc:"What the line adds to those above it" example:"T-shirts, singlets and other vests, knitted or crocheted"`
	Declarable  bool   `json:"declarable" doc:"Whether goods can be declared under it"`
}

// commodityBody is a code of the tariff with its place and its measures.
type commodityBody struct {
	TariffLine
	ValidFrom         string         `json:"validFrom" format:"date" doc:"First day in force" example:"2012-01-01"`
	ValidTo           *string        `json:"validTo" format:"date" doc:"Last day in force; null while no end is known"`
	Path              []TariffLine   `json:"path" doc:"From the chapter down to the line itself"`
	Children          []TariffLine   `json:"children" doc:"The lines directly below"`
	MoreChildren      bool           `json:"moreChildren" doc:"Whether there are more of them than are shown"`
	Terms             []string       `json:"terms" doc:"Everyday words that lead to it"`
	DutyExpression    *string        `json:"dutyExpression" doc:"Third-country duty; null where no measure is known for the day, and for a code that cannot be declared" example:"12.00%"`
	DutyAsOf          *string        `json:"dutyAsOf" format:"date" doc:"Day of the table that the duty is from; it may have changed since" example:"2021-01-01"`
	VATRates          []commodityVAT `json:"vatRates" doc:"Rates of VAT that the goods may bear, the highest first"`
	VATHint           *string        `json:"vatHint" doc:"What to look into before the rate is relied on" example:"may be zero-rated"`
	SupplementaryUnit *string        `json:"supplementaryUnit" doc:"Code of the supplementary unit (DE 6/2)" example:"NAR"`
	Tariff            tariffBody     `json:"tariff" doc:"The tariff that is in force here"`
}

// commodityVAT is a rate of VAT, and how it is known.
type commodityVAT struct {
	Rate  int     `json:"rate" doc:"Percent" example:"20"`
	AsOf  *string `json:"asOf" format:"date" doc:"Day of the table that it is from"`
	Basis string  `json:"basis" enum:"measure,own,standard" doc:"From an imported measure, from the service's own table, or the standard rate as nothing else is known"`
}

// tariffBody tells where the tariff in force is from.
type tariffBody struct {
	Version    int64   `json:"version" doc:"0 for the service's own table"`
	Source     string  `json:"source" doc:"Who published it" example:"Tidewaiter"`
	AsOf       string  `json:"asOf" format:"date" doc:"Day of its nomenclature" example:"2022-01-01"`
	ImportedAt *string `json:"importedAt" format:"date-time" doc:"When it was imported; null for the own table"`
}

type commodityInput struct {
	caller
	Code string `path:"code" maxLength:"64" doc:"A code of 2, 4, 6, 8 or 10 digits" example:"6109100010"`
	On   string `query:"on" maxLength:"10" doc:"Day (YYYY-MM-DD) for which the measures are wanted; today when left out" example:"2026-11-21"`
	None string `header:"If-None-Match" maxLength:"1000" doc:"ETag of an earlier answer; 304 when it still holds"`
}

// Resolve judges what the schemas of the parameters cannot.
func (in *commodityInput) Resolve(ctx huma.Context) []error {
	faults := in.caller.Resolve(ctx)
	if !slices.Contains([]int{2, 4, 6, 8, 10}, len(in.Code)) || strings.Trim(in.Code, "0123456789") != "" {
		faults = append(faults, wrong("code", "must be 2, 4, 6, 8 or 10 digits"))
	}
	if _, err := time.Parse(time.DateOnly, in.On); err != nil && in.On != "" {
		faults = append(faults, wrong("on", "must be a day such as 2026-11-21"))
	}
	return faults
}

func (s *Server) mountTariff() {
	handle(s, operation{
		id: "get-commodity", summary: "Look a code of the tariff up", tag: "Declarations", scope: foundational, method: http.MethodGet, path: "/api/tariff/commodities/{code}",
		status: http.StatusOK, about: "The code with its place in the nomenclature, its duty, VAT and unit",
		answer: under("commodity", s.schemaOf(reflect.TypeFor[commodityBody]())), errors: []int{404}, unchanged: true,
	}, s.getCommodity)
}

func (s *Server) getCommodity(_ context.Context, in *commodityInput) (reply, error) {
	day := in.On
	if day == "" {
		day = s.Now().In(calendar.London()).Format(time.DateOnly)
	}
	t := s.Tariff()
	at, found := t.Tree.Find(in.Code)
	if !found {
		return reply{}, apierr.New(apierr.NotFound, "The tariff in force (%s, %s) has no code %s.", t.Source, t.AsOf, in.Code)
	}
	out, err := wrapped("commodity", commodity(t, at, day))
	if err != nil {
		return out, err
	}
	sum := sha256.Sum256(out.Body)
	out.ETag, out.Cache = `"`+hex.EncodeToString(sum[:16])+`"`, "private, no-cache"
	if names(in.None, out.ETag) {
		out.Status, out.Body = http.StatusNotModified, nil
	}
	return out, nil
}

func commodity(t *tariff.Snapshot, at int, day string) commodityBody {
	n := t.Tree.At(at)
	b := commodityBody{
		TariffLine: tariffLine(n), ValidFrom: n.From, ValidTo: orNull(n.To), Children: []TariffLine{}, Terms: n.Terms, VATRates: []commodityVAT{},
		Tariff: tariffBody{Version: t.Version, Source: t.Source, AsOf: t.AsOf},
	}
	if b.Terms == nil {
		b.Terms = []string{}
	}
	if !t.ImportedAt.IsZero() {
		b.Tariff.ImportedAt = orNull(audit.Instant(t.ImportedAt))
	}
	for _, i := range t.Tree.Path(at) {
		b.Path = append(b.Path, tariffLine(t.Tree.At(i)))
	}
	children, more := t.Tree.Children(at, maxChildren)
	for _, i := range children {
		b.Children = append(b.Children, tariffLine(t.Tree.At(i)))
	}
	b.MoreChildren = more
	if n.Declarable {
		b.addMeasures(t, n.Code, day)
	}
	return b
}

func (b *commodityBody) addMeasures(t *tariff.Snapshot, code, day string) {
	if l, ok := t.Tariff.FindOn(code, day); ok {
		b.DutyExpression, b.DutyAsOf = orNull(l.Duty.String()), orNull(l.AsOf)
	}
	for _, v := range t.Tariff.VATRates(code, day) {
		b.VATRates = append(b.VATRates, commodityVAT{v.Rate, orNull(v.AsOf), string(v.Basis)})
	}
	b.VATHint = orNull(t.VATHints[code])
	b.SupplementaryUnit = orNull(t.Tariff.Unit(code))
}

func tariffLine(n *nomenclature.Node) TariffLine {
	l := TariffLine{Code: n.Code, Suffix: n.Suffix, Description: n.Description, Declarable: n.Declarable}
	switch {
	case nomenclature.IsChapter(n.Code):
		l.Code = n.Code[:2]
	case n.Depth() == 1 && !n.Declarable:
		l.Code = n.Code[:4]
	}
	return l
}
