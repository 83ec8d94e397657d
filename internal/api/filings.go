package api

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// kind is a filing type with its schemas.
type kind struct {
	*filing.Type
	record, brief *huma.Schema
	patchable     *huma.Schema // the body with the assignee; nil if records are not assigned
	creation      *huma.Schema // record in answers to creations
	shortPages    bool         // lists have 50 records unless limit says otherwise, at most 200
	submitExtra   reflect.Type // members besides the record in the response to its submission
	submitExtraOf func(*filing.Filing) (any, error)
	// readOnly are the members that only answers have. A creation ignores them, so that an answer can be sent again; empty for
	// kinds that reject them.
	readOnly []string
	// answer adds what only answers have to a record that was created or corrected; nil for nothing.
	answer func(tx Tx, f filing.Filing, created bool) (filing.Filing, error)
}

// answered returns a record as the answer to its creation or correction shows it.
func (k kind) answered(tx Tx, f filing.Filing, created bool) (filing.Filing, error) {
	if k.answer == nil {
		return f, nil
	}
	return k.answer(tx, f, created)
}

// noteBody is the additional member in the response to a submission unless a kind has its own.
type noteBody struct {
	Note string `json:"note" doc:"What the reference means and what to do next"`
}

type (
	Listing struct {
		caller
		WholePage

		selection filing.Selection
		name      string // identifies filters and order in cursors; empty without any
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

// mountFilings adds the operations of a kind from its Type; no kind is named here.
func (s *Server) mountFilings(t *filing.Type) {
	k := s.describeKind(t)
	s.mountList(k)
	s.mountCreate(k)
	s.mountGet(k, showing(k))
	s.mountEvidence(k)
	s.mountApproval(k)
	s.mountMessages(k)
	s.mountRoutes(k)
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
	for _, o := range t.Operations {
		s.mountOperation(k, o)
	}
	if t.Assignable() && !slices.Contains(t.Lifecycle.Actions(), lifecycle.Amend) {
		s.mountAssign(k)
	}
	s.mountAuthorityPapers(k)
	if t.Kind == customs.Shipments.Kind {
		s.mountShipmentTimeline(k)
	}
	if len(t.Rules) > 0 {
		s.mountReview(k)
	}
	if t.Classifier != nil {
		s.mountClassify(k)
	}
	if t.Messages != nil {
		s.mountMessageImport(k)
		s.mountMessage(k)
	}
	if t.Copyable() {
		s.mountCopy(k)
	}
}

// describeKind builds the schema of a kind's records: the common members, the input fields, and the
// fields that the service adds.
func (s *Server) describeKind(t *filing.Type) kind {
	schemas := s.api.OpenAPI().Components.Schemas
	body := s.resolveSchema(s.schemaOf(t.Body))
	record := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{
		"id":        {Type: huma.TypeString, Format: "uuid", Description: "Id of the record"},
		"status":    {Type: huma.TypeString, Enum: stateValues(t.Lifecycle.States), Description: "Status of the record"},
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
		submitExtra: reflect.TypeFor[noteBody](), submitExtraOf: func(*filing.Filing) (any, error) { return noteBody{t.Note}, nil },
	}
	k.creation = s.describeCreation(name, record)
	if t.Assignable() {
		k.patchable = withAssignee(body)
	}
	k.brief = k.record
	if t.LargeFields != nil {
		k.brief = s.describeBrief(name, record, t.LargeFields)
	}
	s.kinds[t.Kind] = k
	return k
}

// recordName returns the name of the schema of a kind's records.
func recordName(t *filing.Type) string {
	return strings.TrimSuffix(schema.Name(t.Body, ""), recordSuffix) + recordSuffix
}

// recordSuffix ends the names of the schemas of records; Summary ends those of records in lists.
const recordSuffix = "Record"

// describeBrief returns the schema of the records in lists.
func (s *Server) describeBrief(name string, record *huma.Schema, bulky []string) *huma.Schema {
	brief := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: maps.Clone(record.Properties)}
	for _, field := range bulky {
		delete(brief.Properties, field)
	}
	brief.Required = slices.DeleteFunc(slices.Clone(record.Required), func(f string) bool { return slices.Contains(bulky, f) })
	name = strings.TrimSuffix(name, recordSuffix) + "Summary"
	s.api.OpenAPI().Components.Schemas.Map()[name] = brief
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}

// id returns an operation ID such as create-tss-declaration.
func (k kind) id(verb string, many bool) string {
	noun := k.Singular
	if many {
		noun = k.Plural
	}
	if k.Hub != foundational {
		noun = k.Hub + "-" + noun
	}
	return verb + "-" + noun
}

func (s *Server) mountCreate(k kind) {
	op := operation{
		id: k.id("create", false), summary: "Create a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path,
		status: http.StatusOK, description: "The new " + k.Singular, response: objectSchema(k.Singular, k.creation), body: k.Body, maxBody: maxDeclaration, idempotent: true,
		route: route{role: tenant.Member, batch: batch.Rule{Allowed: true, Creates: true}},
	}
	if k.Plain {
		op.status, op.response, op.dryRun = http.StatusCreated, k.record, k.creation
	}
	op.etag, op.rehearsed = true, true
	if a := s.authorityOf(k); a != nil && a.Creates {
		op = s.withAuthority(k, op, true)
	}
	handle(s, op, func(ctx context.Context, in *bodyInput) (response, error) {
		in.steered()
		raw, answered, err := s.readCreation(&in.caller, in.RawBody, k)
		if err != nil {
			return response{}, err
		}
		body, err := k.Prepare(ctx, in.call.Org, raw, s.nowOf(in.holder))
		if err != nil {
			return response{}, err
		}
		body = body.KeepSecretsFrom(answered)
		if err := s.prepareUnique(ctx, &in.caller, body); err != nil {
			return response{}, err
		}
		create := func(tx Tx) (filing.Filing, error) { return s.Filings.Create(tx, in.call, k.Type, body) }
		return s.createOnce(ctx, &in.caller, raw, k, create)
	})
}

// createOnce creates a record, once for an idempotency key, and answers with it. A dry run stores nothing.
func (s *Server) createOnce(ctx context.Context, c *caller, raw []byte, k kind, create func(Tx) (filing.Filing, error)) (response, error) {
	status := http.StatusOK
	if k.Plain {
		status = http.StatusCreated
	}
	return s.createOnceAs(ctx, c, raw, k, status, create)
}

// createOnceAs is createOnce with a status of the answer.
func (s *Server) createOnceAs(ctx context.Context, c *caller, raw []byte, k kind, status int, create func(Tx) (filing.Filing, error)) (response, error) {
	if c.dryRun() {
		return s.rehearse(ctx, c, k, create)
	}
	return s.updateOnce(ctx, c, raw, func(tx Tx) (response, error) {
		f, err := create(tx)
		if err != nil {
			return response{}, err
		}
		if f, err = k.answered(tx, f, true); err != nil {
			return response{}, err
		}
		if k.Plain {
			return recordResponse(response{Status: status, Body: f.AppendJSON(nil)}, f.Version), nil
		}
		out := filingResponse(k.Singular, &f)
		out.Status = status
		return out, nil
	})
}

// prepareUnique makes the references of older records findable if the reference of a record must be unique.
func (s *Server) prepareUnique(ctx context.Context, c *caller, body filing.Input) error {
	if !body.UniqueReference() {
		return nil
	}
	return s.Store.LinkAll(ctx, c.call.Org)
}

// filingResponse encodes a record under its name with its ETag, and further members that are already encoded.
func filingResponse(name string, f *filing.Filing, more ...string) response {
	body := append([]byte(`{"`+name+`":`), f.AppendJSON(nil)...)
	for _, m := range more {
		body = append(append(body, ','), m...)
	}
	return recordResponse(response{Status: http.StatusOK, Body: append(body, '}')}, f.Version)
}

// present encodes a record as a response.
type present func(Tx, *filing.Filing) (response, error)

func (s *Server) mountGet(k kind, show present) {
	read := Store.View
	if show == nil {
		read = Store.ViewSingle
		show = func(_ Tx, f *filing.Filing) (response, error) { return filingResponse(k.Singular, f), nil }
	}
	handle(s, operation{
		id: k.id("get", false), summary: "Get a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The " + k.Singular, response: objectSchema(k.Singular, k.record), errors: []int{404}, conditional: true, etag: true,
	}, func(ctx context.Context, in *ByID) (out response, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		err = read(s.Store, ctx, in.call.Org, func(tx Tx) error {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return err
			}
			if k.Shows() {
				out, err = k.presentWhole(tx, &in.caller, &f, show)
				return err
			}
			var current bool
			if out, current = in.currentFor(f.Version); current {
				return nil
			}
			out, err = show(tx, &f)
			out.Cache = revalidate
			return err
		})
		return out, err
	})
}

// amender applies a correction to a record.
type amender func(Tx, tenant.Call, *filing.Type, string, filing.Input) (filing.Filing, error)

func (s *Server) amend(tx Tx, call tenant.Call, t *filing.Type, id string, in filing.Input) (filing.Filing, error) {
	return s.Filings.Transition(tx, call, t, id, lifecycle.Amend, filing.TransitionData{Input: &in})
}

func (s *Server) mountAmend(k kind, correct amender) {
	handle(s, s.withAuthority(k, operation{
		id: k.id("update", false), summary: "Correct a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodPatch, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The corrected " + k.Singular, response: objectSchema(k.Singular, k.record), body: k.Body, partial: true, maxBody: maxDeclaration,
		assigns: k.Assignable(), errors: []int{404, 409}, ifMatch: true, etag: true, route: route{role: tenant.Member},
	}, false), func(ctx context.Context, in *patchInput) (out response, err error) {
		p, err := s.readRecordPatch(&in.caller, in.RawBody, k)
		if err != nil {
			return response{}, err
		}
		if out, handled, err := s.actOnInput(ctx, k, in, p); handled {
			return out, err
		}
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return out, s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
			f, err := s.change(tx, in, k, id, p, correct)
			if err != nil {
				return err
			}
			f, err = k.answered(tx, f, false)
			out = filingResponse(k.Singular, &f)
			return err
		})
	})
}

// change corrects a record and gives it to a member, as far as the patch says so.
func (s *Server) change(tx Tx, in *patchInput, k kind, id string, p patch, correct amender) (f filing.Filing, err error) {
	required := in.ifMatch
	if !p.onlyAssigns() {
		body, err := s.patched(tx, k, id, p, required)
		if err != nil {
			return f, err
		}
		if f, err = correct(tx, in.call, k.Type, id, body); err != nil || !p.assigns {
			return f, err
		}
		required = nil
	}
	return s.Filings.Assign(tx, in.call, k.Type, id, required, p.assignee)
}

// patched applies a patch to the stored body and checks the result.
func (s *Server) patched(tx Tx, k kind, id string, p patch, required filing.IfVersion) (filing.Input, error) {
	f, err := tx.Filing(k.Kind, id)
	if err != nil {
		return filing.Input{}, err
	}
	if err := required.Check(f.Version); err != nil {
		return filing.Input{}, err
	}
	whole, err := p.apply(f.Body)
	if err != nil {
		return filing.Input{}, err
	}
	if details := s.faultsOf(k.Type, whole); details != nil {
		return filing.Input{}, apierr.Invalid(details...)
	}
	return k.Parse(whole, tx.Now())
}
