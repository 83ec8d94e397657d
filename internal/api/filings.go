package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// kind is a Type with its schemas.
type kind struct {
	*filing.Type
	record, brief *huma.Schema
	told          reflect.Type // what stands beside the record in the answer to its submission
	tell          func(*filing.Filing) (any, error)
}

// noted is what is told where a kind has nothing else to tell.
type noted struct {
	Note string `json:"note" doc:"What the reference is, and what to do next"`
}

type (
	Listing struct {
		caller
		Page
		Status string `query:"status" maxLength:"20" doc:"Only records in this state"`
	}
	quarterlyInput struct {
		Listing
		Quarter string `query:"quarter" maxLength:"7" doc:"Only records that were created in this quarter, UTC" example:"2026-Q4"`

		within filing.Query
	}
	bodyInput struct {
		caller
		RawBody []byte `contentType:"application/json"`
	}
	ByID struct {
		caller
		ID string `path:"id" maxLength:"64" doc:"Id of the record" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	}
	optionalBody struct {
		caller
		RawBody []byte `contentType:"application/json" required:"false"`
	}
	patchInput struct {
		ByID
		RawBody []byte `contentType:"application/json"`
	}
)

// mountFilings makes the operations of a kind from its Type: nothing here knows
// a kind by name.
func (s *Server) mountFilings(t *filing.Type) {
	k := s.describeKind(t)
	s.mountList(k)
	s.mountCreate(k)
	s.mountGet(k, nil)
	s.mountEvidence(k)
	for _, action := range t.Lifecycle.Actions() {
		switch action {
		case lifecycle.Amend:
			s.mountAmend(k, s.amend)
		case lifecycle.Cancel:
			s.mountCancel(k)
		default:
			s.mountStep(k, action)
		}
	}
	if len(t.Rules) > 0 {
		s.mountReview(k)
	}
	if t.Classifier != nil {
		s.mountClassify(k)
	}
}

// describeKind makes the schema of a kind's records: what every record has, the
// input fields, and what the service adds.
func (s *Server) describeKind(t *filing.Type) kind {
	schemas := s.api.OpenAPI().Components.Schemas
	body := s.resolved(s.schemaOf(t.Body))
	states := make([]any, len(t.Lifecycle.States))
	for i, state := range t.Lifecycle.States {
		states[i] = string(state)
	}
	record := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{
		"id":        {Type: huma.TypeString, Format: "uuid", Description: "Id of the record"},
		"status":    {Type: huma.TypeString, Enum: states, Description: "Where it stands"},
		"createdAt": {Type: huma.TypeString, Format: "date-time", Description: "When it was created"},
		"updatedAt": {Type: huma.TypeString, Format: "date-time", Description: "When it last changed"},
	}, Required: append([]string{"id", "status", "createdAt", "updatedAt"}, body.Required...)}
	maps.Copy(record.Properties, body.Properties)
	if t.Adds != nil {
		added := huma.SchemaFromType(schemas, t.Adds)
		maps.Copy(record.Properties, added.Properties)
		record.Required = append(record.Required, added.Required...)
	}
	name := recordName(t)
	schemas.Map()[name] = record
	k := kind{
		Type: t, record: &huma.Schema{Ref: "#/components/schemas/" + name},
		told: reflect.TypeFor[noted](), tell: func(*filing.Filing) (any, error) { return noted{t.Note}, nil },
	}
	k.brief = k.record
	if t.Bulky != nil {
		k.brief = s.describeBrief(name, record, t.Bulky)
	}
	s.kinds[t.Kind] = k
	return k
}

// recordName is the name of the schema of a kind's records.
func recordName(t *filing.Type) string { return schema.Name(t.Body, "") + "Record" }

// describeBrief is the record as lists show it.
func (s *Server) describeBrief(name string, record *huma.Schema, bulky []string) *huma.Schema {
	brief := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: maps.Clone(record.Properties)}
	for _, field := range bulky {
		delete(brief.Properties, field)
	}
	brief.Required = slices.DeleteFunc(slices.Clone(record.Required), func(f string) bool { return slices.Contains(bulky, f) })
	name += "Brief"
	s.api.OpenAPI().Components.Schemas.Map()[name] = brief
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}

// guardHub is the Hub that list and create ask for; the foundational one is always there.
func (k kind) guardHub() string {
	if k.Hub == foundational || k.Unguarded {
		return ""
	}
	return k.Hub
}

// id makes an operation id such as create-tss-declaration.
func (k kind) id(verb string, many bool) string {
	noun := k.One
	if many {
		noun = k.Many
	}
	if k.Hub != foundational {
		noun = k.Hub + "-" + noun
	}
	return verb + "-" + noun
}

func (s *Server) mountList(k kind) {
	op := operation{
		id: k.id("list", true), summary: "List " + k.Many, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path,
		status: http.StatusOK, about: "A page of " + k.Many + ", newest first", answer: listSchema(k.Many, k.brief),
		gate: route{hub: k.guardHub()}, kind: &k,
	}
	if !k.Quarterly {
		handle(s, op, func(ctx context.Context, in *Listing) (reply, error) { return s.list(ctx, in, filing.Query{}) })
		return
	}
	handle(s, op, func(ctx context.Context, in *quarterlyInput) (reply, error) {
		return s.list(ctx, &in.Listing, in.within)
	})
}

func (in *Listing) list() list { return list{in.call.Org, in.asked.kind.Kind} }

// Resolve judges what the schemas of the parameters cannot.
func (in *Listing) Resolve(ctx huma.Context) []error {
	faults := append(in.caller.Resolve(ctx), in.list().judge(in.Cursor)...)
	if states := in.asked.kind.Lifecycle.States; in.Status != "" && !slices.Contains(states, lifecycle.State(in.Status)) {
		faults = append(faults, wrong("status", "must be one of "+joined(states)))
	}
	return faults
}

// Resolve judges what the schemas of the parameters cannot, and reads the quarter.
func (in *quarterlyInput) Resolve(ctx huma.Context) []error {
	faults := in.Listing.Resolve(ctx)
	if in.Quarter == "" {
		return faults
	}
	q, ok := calendar.ParseQuarter(in.Quarter)
	if !ok {
		return append(faults, wrong("quarter", "must be a year and a quarter, such as 2026-Q4"))
	}
	in.within.From, in.within.Until = q.UTC()
	return faults
}

// list answers a page of the records within the bounds of a query.
func (s *Server) list(ctx context.Context, in *Listing, q filing.Query) (reply, error) {
	k, here := in.asked.kind, in.list()
	after, err := here.position(in.Cursor)
	if err != nil {
		return reply{}, err
	}
	q.Kind, q.Status, q.After, q.Limit = k.Kind, lifecycle.State(in.Status), after, in.size()+1
	var page []filing.Filing
	if err := s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.Filings(q); return err }); err != nil {
		return reply{}, err
	}
	return reply{Status: http.StatusOK, Body: here.appendPage(make([]byte, 0, pageSize(page)), k.Many, page, in.size())}, nil
}

// pageSize is a little more than a page will take.
func pageSize(page []filing.Filing) int {
	const frame = 256 // of a record, and of the page
	size := frame
	for i := range page {
		size += frame + len(page[i].Brief) + len(page[i].Added)
	}
	return size
}

// appendPage writes a page without taking the stored records apart.
func (l list) appendPage(dst []byte, name string, page []filing.Filing, limit int) []byte {
	more := len(page) > limit
	if more {
		page = page[:limit]
	}
	dst = append(append(append(dst, `{"`...), name...), `":[`...)
	for i := range page {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = page[i].AppendBrief(dst)
	}
	if !more {
		return append(dst, `],"hasMore":false,"nextCursor":null}`...)
	}
	dst = append(dst, `],"hasMore":true,"nextCursor":"`...)
	last := filing.Position{CreatedAt: page[limit-1].CreatedAt, ID: page[limit-1].ID}
	return append(append(dst, l.behind(last)...), `"}`...)
}

func joined(states []lifecycle.State) string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

func (s *Server) mountCreate(k kind) {
	op := operation{
		id: k.id("create", false), summary: "Create a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path,
		status: http.StatusOK, about: "The new " + k.One, answer: under(k.One, k.record), body: k.Body, maxBody: maxDeclaration, once: true,
		gate: route{hub: k.guardHub(), role: tenant.Member},
	}
	if k.Plain {
		op.status, op.answer = http.StatusCreated, k.record
	}
	handle(s, op, func(ctx context.Context, in *bodyInput) (reply, error) {
		raw, err := s.read(&in.caller, in.RawBody, k.Body, false)
		if err != nil {
			return reply{}, err
		}
		body, err := k.Prepare(ctx, in.call.Org, raw, s.Now())
		if err != nil {
			return reply{}, err
		}
		return s.change(ctx, &in.caller, raw, func(tx Tx) (reply, error) {
			f, err := s.Filings.Create(tx, in.call, k.Type, body)
			if err != nil {
				return reply{}, err
			}
			if k.Plain {
				return reply{Status: op.status, Body: f.AppendJSON(nil)}, nil
			}
			return named(k.One, &f), nil
		})
	})
}

// named is a record under its name.
func named(name string, f *filing.Filing, more ...string) reply {
	body := append([]byte(`{"`+name+`":`), f.AppendJSON(nil)...)
	for _, m := range more {
		body = append(append(body, ','), m...)
	}
	return reply{Status: http.StatusOK, Body: append(body, '}')}
}

// present makes an answer of a record.
type present func(Tx, *filing.Filing) (reply, error)

func (s *Server) mountGet(k kind, show present) {
	read := Store.View
	if show == nil {
		read = Store.Glance
		show = func(_ Tx, f *filing.Filing) (reply, error) { return named(k.One, f), nil }
	}
	handle(s, operation{
		id: k.id("get", false), summary: "Get a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}",
		status: http.StatusOK, about: "The " + k.One, answer: under(k.One, k.record), errors: []int{404},
	}, func(ctx context.Context, in *ByID) (out reply, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		err = read(s.Store, ctx, in.call.Org, func(tx Tx) error {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return err
			}
			out, err = show(tx, &f)
			return err
		})
		return out, err
	})
}

// amender corrects a record.
type amender func(Tx, tenant.Call, *filing.Type, string, filing.Input) (filing.Filing, error)

func (s *Server) amend(tx Tx, call tenant.Call, t *filing.Type, id string, in filing.Input) (filing.Filing, error) {
	return s.Filings.Act(tx, call, t, id, lifecycle.Amend, filing.Step{Input: &in})
}

func (s *Server) mountAmend(k kind, correct amender) {
	handle(s, operation{
		id: k.id("update", false), summary: "Correct a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodPatch, path: k.Path + "/{id}",
		status: http.StatusOK, about: "The corrected " + k.One, answer: under(k.One, k.record), body: k.Body, partial: true, maxBody: maxDeclaration,
		errors: []int{404}, gate: route{role: tenant.Member},
	}, func(ctx context.Context, in *patchInput) (out reply, err error) {
		patch, err := s.read(&in.caller, in.RawBody, k.Body, true)
		if err != nil {
			return reply{}, err
		}
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		return out, s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
			body, err := s.patched(tx, k, id, patch)
			if err != nil {
				return err
			}
			f, err := correct(tx, in.call, k.Type, id, body)
			out = named(k.One, &f)
			return err
		})
	})
}

// patched is the stored body with the correction laid over it, judged whole.
func (s *Server) patched(tx Tx, k kind, id string, patch json.RawMessage) (filing.Input, error) {
	f, err := tx.Filing(k.Kind, id)
	if err != nil {
		return filing.Input{}, err
	}
	whole, err := filing.Patch(f.Body, patch)
	if err != nil {
		return filing.Input{}, err
	}
	if details := s.strict.Check(s.schemaOf(k.Body), whole); details != nil {
		return filing.Input{}, apierr.Invalid(details...)
	}
	return k.Parse(whole, tx.Now())
}
