// Package trigger makes events happen for developers: it takes a new record through its life by the API, up to an event, and
// shows the events on the way. Submissions go to simulators, never to an authority.
package trigger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	pause     = 500 * time.Millisecond // between two looks for new events
	maxAnswer = 16 << 20
)

// recipe is how an event of a type comes about.
type recipe struct {
	last     string // the record that the event is about: client, shipment or declaration
	submit   bool
	simulate string // outcome of the submission
	cancel   bool
}

var recipes = map[string]recipe{
	"client.created":        {last: "client"},
	"shipment.created":      {last: "shipment"},
	"declaration.created":   {last: "declaration"},
	"declaration.cancelled": {last: "declaration", cancel: true},
	"declaration.submitted": {last: "declaration", submit: true, simulate: "silent"},
	"declaration.accepted":  {last: "declaration", submit: true, simulate: "accept"},
	"declaration.cleared":   {last: "declaration", submit: true, simulate: "clear"},
	"declaration.rejected":  {last: "declaration", submit: true, simulate: "reject"},
}

// Types are the types of events that can be triggered, sorted.
func Types() []string { return slices.Sorted(maps.Keys(recipes)) }

// Trigger makes an event happen.
type Trigger struct {
	Service string // address of the service, such as https://customs.example
	Key     string // API key of a test organisation, or of one with simulators
	Type    string // one of Types
	Set     []string
	Client  *http.Client
	Out     io.Writer

	bodies map[string]map[string]any
}

// Run creates the records, and returns when the event has happened. It returns an error if ctx ends before that.
func (t *Trigger) Run(ctx context.Context) error {
	r, known := recipes[t.Type]
	if !known {
		return fmt.Errorf("%q cannot be triggered; these can: %s", t.Type, strings.Join(Types(), ", "))
	}
	if err := t.prepare(r.last); err != nil {
		return err
	}
	var me struct{ Mode string }
	if err := t.call(ctx, http.MethodGet, "/api/me", nil, "", &me); err != nil {
		return err
	}
	if me.Mode == "live" {
		return errors.New("the key belongs to a live organisation; use one of its test organisation, which begins with svc_test")
	}
	_, cursor, err := t.events(ctx, "latest")
	if err != nil {
		return err
	}
	ids, err := t.create(ctx, r.last)
	if err == nil {
		err = t.advance(ctx, r, ids[len(ids)-1])
	}
	if err != nil {
		return err
	}
	return t.await(ctx, cursor, ids)
}

// create creates the client, the shipment and the declaration, as far as they are needed, and returns their IDs.
func (t *Trigger) create(ctx context.Context, last string) (ids []string, err error) {
	for _, step := range []struct{ name, path, parent string }{
		{"client", "/api/clients", ""}, {"shipment", "/api/shipments", "clientId"}, {"declaration", "/api/declarations", "shipmentId"},
	} {
		body := t.bodies[step.name]
		if _, given := body[step.parent]; step.parent != "" && !given {
			body[step.parent] = ids[len(ids)-1]
		}
		var made struct{ ID string }
		if err := t.call(ctx, http.MethodPost, step.path, body, "", &made); err != nil {
			return nil, err
		}
		if ids = append(ids, made.ID); step.name == last {
			break
		}
	}
	return ids, nil
}

// advance submits or cancels the record.
func (t *Trigger) advance(ctx context.Context, r recipe, id string) error {
	switch {
	case r.submit:
		return t.call(ctx, http.MethodPost, "/api/cds/submit", map[string]any{"declarationId": id}, r.simulate, nil)
	case r.cancel:
		return t.call(ctx, http.MethodDelete, "/api/declarations/"+id, nil, "", nil)
	}
	return nil
}

// event is an event of the organisation.
type event struct {
	ID, Type string
	Data     struct {
		Object struct{ ID string }
	}
}

// await prints the events of the records until the one that is wanted.
func (t *Trigger) await(ctx context.Context, cursor string, ids []string) error {
	for {
		page, next, err := t.events(ctx, cursor)
		if err != nil {
			return err
		}
		for _, e := range page {
			if !slices.Contains(ids, e.Data.Object.ID) {
				continue
			}
			_, _ = fmt.Fprintf(t.Out, "%s  %s  %s\n", e.Type, e.ID, e.Data.Object.ID)
			if e.Type == t.Type {
				return nil
			}
		}
		if cursor = next; len(page) > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s has not happened in time", t.Type)
		case <-time.After(pause):
		}
	}
}

// events reads the events after a cursor, and the cursor after them.
func (t *Trigger) events(ctx context.Context, cursor string) (page []event, next string, err error) {
	var answer struct {
		Events     []event
		NextCursor string
	}
	err = t.call(ctx, http.MethodGet, "/api/events?cursor="+url.QueryEscape(cursor), nil, "", &answer)
	return answer.Events, answer.NextCursor, err
}

// call calls the API and decodes its answer.
func (t *Trigger) call(ctx context.Context, method, path string, body map[string]any, simulate string, answer any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(t.Service, "/")+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+t.Key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if simulate != "" {
		request.Header.Set("X-Simulate", simulate)
	}
	response, err := t.Client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return refused(method, path, response.StatusCode, got)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(got, answer)
}

// refused returns the error of a call that the service refuses.
func refused(method, path string, status int, answer []byte) error {
	var problem struct {
		Message string
		Details []struct{ Field, Message string }
	}
	_ = json.Unmarshal(answer, &problem) // an answer that is not JSON has no message
	text := fmt.Sprintf("%s %s answers %d: %s", method, path, status, problem.Message)
	for _, d := range problem.Details {
		text += "\n  " + d.Field + " " + d.Message
	}
	return errors.New(text)
}
