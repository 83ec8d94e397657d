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

// maxChildren is the maximum number of lines shown below a code; no heading has as many.
const maxChildren = 200

// TariffLine is a line of the nomenclature.
type TariffLine struct {
	Code        string `json:"code" doc:"Two digits for a chapter, four for a heading, otherwise ten" example:"6109"`
	Suffix      string `json:"suffix" doc:"Product line suffix: 80, or another for a line that only groups others" example:"80"`
	Description string `json:"description" doc:"Description of the line, without those above it" example:"T-shirts, singlets and other vests, knitted or crocheted"`
	Declarable  bool   `json:"declarable" doc:"Whether goods can be declared under the code"`
}

// commodityBody is a tariff code with its position and its measures.
type commodityBody struct {
	TariffLine
	ValidFrom         string         `json:"validFrom" format:"date" doc:"First day in force" example:"2012-01-01"`
	ValidTo           *string        `json:"validTo" format:"date" doc:"Last day in force; null if no end is known"`
	Path              []TariffLine   `json:"path" doc:"The lines from the chapter to the line itself"`
	Children          []TariffLine   `json:"children" doc:"The lines directly below"`
	MoreChildren      bool           `json:"moreChildren" doc:"Whether there are more children than are shown"`
	Terms             []string       `json:"terms" doc:"Search terms for the code"`
	DutyExpression    *string        `json:"dutyExpression" doc:"Third-country duty; null if unknown for the day or the code is not declarable" example:"12.00%"`
	DutyAsOf          *string        `json:"dutyAsOf" format:"date" doc:"Date of the source of the duty, which may have changed since" example:"2021-01-01"`
	VATRates          []commodityVAT `json:"vatRates" doc:"VAT rates that can apply to the goods, highest first"`
	VATHint           *string        `json:"vatHint" doc:"What to check before relying on the rate" example:"may be zero-rated"`
	SupplementaryUnit *string        `json:"supplementaryUnit" doc:"Code of the supplementary unit (DE 6/2)" example:"NAR"`
	Tariff            tariffBody     `json:"tariff" doc:"The tariff in force on this installation"`
}

// commodityVAT is a VAT rate and its source.
type commodityVAT struct {
	Rate  int     `json:"rate" doc:"Percent" example:"20"`
	AsOf  *string `json:"asOf" format:"date" doc:"Date of the source"`
	Basis string  `json:"basis" enum:"measure,own,standard" doc:"Imported measure, built-in table, or the standard rate if nothing else is known"`
}

// tariffBody is the source of the tariff in force.
type tariffBody struct {
	Version    int64   `json:"version" doc:"Version of the imported tariff; 0 for the built-in table"`
	Source     string  `json:"source" doc:"Publisher" example:"Tidewaiter"`
	AsOf       string  `json:"asOf" format:"date" doc:"Date of the nomenclature" example:"2022-01-01"`
	ImportedAt *string `json:"importedAt" format:"date-time" doc:"When it was imported; null for the built-in table"`
}

type commodityInput struct {
	caller
	Code string `path:"code" maxLength:"64" doc:"A code of 2, 4, 6, 8 or 10 digits" example:"6109100010"`
	On   string `query:"on" maxLength:"10" doc:"Day (YYYY-MM-DD) of the measures; today if absent" example:"2026-11-21"`
	None string `header:"If-None-Match" maxLength:"1000" doc:"ETag of an earlier response; 304 if it is still current"`
}

// Resolve checks what the schemas of the parameters cannot.
func (in *commodityInput) Resolve(ctx huma.Context) []error {
	errs := in.caller.Resolve(ctx)
	if !slices.Contains([]int{2, 4, 6, 8, 10}, len(in.Code)) || strings.Trim(in.Code, "0123456789") != "" {
		errs = append(errs, paramError("code", "must be 2, 4, 6, 8 or 10 digits"))
	}
	if _, err := time.Parse(time.DateOnly, in.On); err != nil && in.On != "" {
		errs = append(errs, paramError("on", "must be a day such as 2026-11-21"))
	}
	return errs
}

func (s *Server) mountTariff() {
	handle(s, operation{
		id: "get-commodity", summary: "Look up a commodity code", tag: "Declarations", scope: foundational, method: http.MethodGet, path: "/api/tariff/commodities/{code}",
		status: http.StatusOK, description: "The code with its position, duty, VAT rates and supplementary unit",
		response: objectSchema("commodity", s.schemaOf(reflect.TypeFor[commodityBody]())), errors: []int{404}, conditional: true,
	}, s.getCommodity)
}

func (s *Server) getCommodity(_ context.Context, in *commodityInput) (response, error) {
	day := in.On
	if day == "" {
		day = s.nowOf(in.holder).In(calendar.London()).Format(time.DateOnly)
	}
	t := s.Tariff()
	at, found := t.Tree.Find(in.Code)
	if !found {
		return response{}, apierr.New(apierr.NotFound, "The tariff in force (%s, %s) does not contain the code %s.", t.Source, t.AsOf, in.Code)
	}
	out, err := objectResponse("commodity", commodity(t, at, day))
	if err != nil {
		return out, err
	}
	sum := sha256.Sum256(out.Body)
	out.ETag, out.Cache = `"`+hex.EncodeToString(sum[:16])+`"`, "private, no-cache"
	if matchesETag(in.None, out.ETag) {
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
