package webhooks

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// changeRoutes create, change, pause, resume and delete endpoints, and rotate their secrets.
func (h *Webhooks) changeRoutes() []page.Route {
	return []page.Route{
		page.Get("/webhooks/new", page.ForWebhookManager, h.newForm),
		page.Post("/webhooks/new", page.ForWebhookManager, h.create).WithRecentProof(),
		page.Get("/webhooks/endpoints/{id}/edit", page.ForWebhookManager, h.editForm),
		page.Post("/webhooks/endpoints/{id}/edit", page.ForWebhookManager, h.edit).WithRecentProof(),
		page.Post("/webhooks/endpoints/{id}/pause", page.ForWebhookManager, h.pause),
		page.Post("/webhooks/endpoints/{id}/resume", page.ForWebhookManager, h.resume),
		page.Get("/webhooks/endpoints/{id}/rotate", page.ForWebhookManager, h.confirmRotate),
		page.Post("/webhooks/endpoints/{id}/rotate", page.ForWebhookManager, h.rotate).WithRecentProof(),
		page.Get("/webhooks/endpoints/{id}/delete", page.ForWebhookManager, h.confirmDelete),
		page.Post("/webhooks/endpoints/{id}/delete", page.ForWebhookManager, h.remove).WithRecentProof(),
	}
}

// input reads the form and checks it with the schema of the API.
func (h *Webhooks) input(c *page.Context) (in webhook.Input, err error) {
	in.URL = c.Value("url")
	if text := c.Value("description"); text != "" {
		in.Description = &text
	}
	if c.Value("which") == "some" {
		in.Events = slices.Concat(c.R.PostForm["events"], strings.FieldsFunc(c.Value("patterns"), isSeparator))
	}
	body, err := withDestination(c, in)
	if err != nil {
		return in, err
	}
	details := (schema.Validator{Schemas: h.Schemas}).Check(h.Schemas.Of(reflect.TypeFor[webhook.Input]()), body)
	if c.Value("which") == "some" && len(in.Events) == 0 {
		details = append(details, apierr.Detail{Field: "events", Message: "is empty. Select events, or select all events"})
	}
	if details != nil {
		return in, apierr.Invalid(details...)
	}
	return in, json.Unmarshal(body, &in)
}

func isSeparator(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// patterns returns the subscriptions that are patterns.
func patterns(events []string) []string {
	return slices.DeleteFunc(slices.Clone(events), func(event string) bool { return !webhook.IsPattern(event) })
}

// form is the data of the form of an endpoint.
type form struct {
	ID          string // empty for a new one
	URL         string
	Description string
	All         bool
	Groups      []group
	Patterns    string // subscriptions such as declaration.*
	Kind        string
	Settings    []setting // of kinds other than webhook
}

func (h *Webhooks) newForm(c *page.Context) error { return h.showForm(c, webhook.Endpoint{}) }

func (h *Webhooks) showForm(c *page.Context, e webhook.Endpoint) error {
	f, title := form{ID: e.ID, URL: e.URL, All: allEvents(e.Events), Kind: e.Kind, Settings: settingsOf(e)}, "New endpoint"
	if e.Description != nil {
		f.Description = *e.Description
	}
	if e.ID != "" {
		title = "Edit endpoint"
	}
	chosen := e.Events
	f.Patterns = strings.Join(patterns(e.Events), " ")
	if c.Problem != nil {
		f.All, chosen = c.Value("which") != "some", c.R.PostForm["events"]
		f.Patterns = c.Value("patterns")
		for i := range c.Problem.Fields {
			c.Problem.Fields[i].Field = shownAt(c.Problem.Fields[i].Field)
		}
	}
	f.Groups = h.groups(chosen)
	return c.Show("webhooks-form", title, f)
}

// secretPage is the data of the page that shows a new secret once.
type secretPage struct {
	Endpoint endpointView
	Secret   string
	Rotated  bool
}

func (h *Webhooks) create(c *page.Context) error {
	c.Label = label
	var made secretPage
	in, err := h.input(c)
	if err == nil {
		err = h.Service.Try(c.R.Context(), in)
	}
	if err == nil {
		err = c.Update(func(tx page.Tx) error {
			e, secret, err := h.Service.Create(tx, c.Call(), in)
			made = secretPage{Endpoint: viewOf(e), Secret: secret}
			return err
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return h.newForm(c) })
	}
	return c.Show("webhooks-secret", "The endpoint was created", made)
}

func (h *Webhooks) editForm(c *page.Context) error {
	var e webhook.Endpoint
	if err := c.View(func(tx page.Tx) (err error) { e, err = tx.Endpoint(c.ID()); return err }); err != nil {
		return err
	}
	return h.showForm(c, e)
}

func (h *Webhooks) edit(c *page.Context) error {
	c.Label = label
	in, err := h.input(c)
	if err == nil {
		err = h.change(c, func(c *webhook.Change) {
			c.URL, c.Description, c.Events = in.URL, in.Description, in.Events // the form has no fields for the others
			if c.Kind != "" {
				c.Config = in.Config
			}
			if in.Broker != nil {
				c.Broker = in.Broker
			}
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return h.editForm(c) })
	}
	return c.RedirectWithNotice(root(c)+"/endpoints/"+c.ID(), "webhook-saved")
}

// change updates the endpoint in the path.
func (h *Webhooks) change(c *page.Context, fn func(*webhook.Change)) error {
	var e webhook.Endpoint
	if err := c.View(func(tx page.Tx) (err error) { e, err = tx.Endpoint(c.ID()); return err }); err != nil {
		return err
	}
	merge, err := h.Service.TryChange(c.R.Context(), c.Call().Org, e, func(stored json.RawMessage) (c webhook.Change, err error) {
		if err = json.Unmarshal(stored, &c); err == nil {
			fn(&c)
		}
		return c, err
	})
	if err != nil {
		return err
	}
	return c.Update(func(tx page.Tx) error {
		_, err := h.Service.Update(tx, c.Call(), c.ID(), merge)
		return err
	})
}

func (h *Webhooks) pause(c *page.Context) error {
	if err := h.change(c, func(c *webhook.Change) { c.Active = false }); err != nil {
		return err
	}
	return c.RedirectWithNotice(root(c)+"/endpoints/"+c.ID(), "webhook-paused")
}

func (h *Webhooks) resume(c *page.Context) error {
	if err := h.change(c, func(c *webhook.Change) { c.Active = true }); err != nil {
		return err
	}
	return c.RedirectWithNotice(root(c)+"/endpoints/"+c.ID(), "webhook-resumed")
}

func (h *Webhooks) confirmRotate(c *page.Context) error {
	return h.confirm(c, "Create a new signing secret?", "Create new secret", "/rotate",
		"For 24 hours every delivery has two signatures, one with the new secret and one with the present one, so that no delivery is lost while you change the receiver. After that only the new secret is used.",
		"The new secret is shown only once.")
}

func (h *Webhooks) rotate(c *page.Context) error {
	made := secretPage{Rotated: true}
	err := c.Update(func(tx page.Tx) error {
		e, secret, err := h.Service.Rotate(tx, c.Call(), c.ID())
		made.Endpoint, made.Secret = viewOf(e), secret
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("webhooks-secret", "The new secret", made)
}

func (h *Webhooks) confirmDelete(c *page.Context) error {
	return h.confirm(c, "Delete this endpoint?", "Delete endpoint", "/delete",
		"Nothing more is delivered to it, and its delivery log is deleted. This cannot be undone. Pause the endpoint instead if you may need it again.")
}

func (h *Webhooks) remove(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return h.Service.Delete(tx, c.Call(), c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/webhooks", "webhook-deleted")
}

// confirm shows a confirmation page for an action on the endpoint in the path.
func (h *Webhooks) confirm(c *page.Context, title, button, action string, text ...string) error {
	var e webhook.Endpoint
	if err := c.View(func(tx page.Tx) (err error) { e, err = tx.Endpoint(c.ID()); return err }); err != nil {
		return err
	}
	path := root(c) + "/endpoints/" + e.ID
	return c.Confirm(page.Confirmation{
		Title: title, Text: append([]string{"Endpoint: " + e.URL}, text...), Action: path + action, Button: button, Back: path,
	})
}
