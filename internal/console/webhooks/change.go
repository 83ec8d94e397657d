package webhooks

import (
	"encoding/json"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Endpoints are made, changed, paused, given another secret, and deleted.
func (h *Webhooks) changeRoutes() []page.Route {
	return []page.Route{
		page.Get("/webhooks/new", page.ForWebhookManager, h.newForm),
		page.Post("/webhooks/new", page.ForWebhookManager, h.create).Freshly(),
		page.Get("/webhooks/endpoints/{id}/edit", page.ForWebhookManager, h.editForm),
		page.Post("/webhooks/endpoints/{id}/edit", page.ForWebhookManager, h.edit).Freshly(),
		page.Post("/webhooks/endpoints/{id}/pause", page.ForWebhookManager, h.pause),
		page.Post("/webhooks/endpoints/{id}/resume", page.ForWebhookManager, h.resume),
		page.Get("/webhooks/endpoints/{id}/rotate", page.ForWebhookManager, h.askToRotate),
		page.Post("/webhooks/endpoints/{id}/rotate", page.ForWebhookManager, h.rotate).Freshly(),
		page.Get("/webhooks/endpoints/{id}/delete", page.ForWebhookManager, h.askToDelete),
		page.Post("/webhooks/endpoints/{id}/delete", page.ForWebhookManager, h.remove).Freshly(),
	}
}

// input is what was typed, held to the schema of the API.
func (h *Webhooks) input(v *page.Visit) (in webhook.Input, err error) {
	in.URL = v.Value("url")
	if text := v.Value("description"); text != "" {
		in.Description = &text
	}
	if v.Value("which") == "some" {
		in.Events = v.R.PostForm["events"]
	}
	body, err := json.Marshal(in)
	if err != nil {
		return in, err
	}
	details := (schema.Reader{Schemas: h.Schemas}).Check(h.Schemas.Of(reflect.TypeFor[webhook.Input]()), body)
	if v.Value("which") == "some" && len(in.Events) == 0 {
		details = append(details, apierr.Detail{Field: "events", Message: "is empty: choose some, or take all events"})
	}
	if details != nil {
		return in, apierr.Invalid(details...)
	}
	return in, nil
}

// form is what the form of an endpoint shows.
type form struct {
	ID          string // empty for a new one
	URL         string
	Description string
	All         bool
	Groups      []group
}

func (h *Webhooks) newForm(v *page.Visit) error { return h.showForm(v, webhook.Endpoint{}) }

func (h *Webhooks) showForm(v *page.Visit, e webhook.Endpoint) error {
	f, title := form{ID: e.ID, URL: e.URL, All: everything(e.Events)}, "New endpoint"
	if e.Description != nil {
		f.Description = *e.Description
	}
	if e.ID != "" {
		title = "Edit endpoint"
	}
	chosen := e.Events
	if v.Problem != nil {
		f.All, chosen = v.Value("which") != "some", v.R.PostForm["events"]
		for i := range v.Problem.Fields { // a fault of one event is one of the list
			if v.Problem.Fields[i].Field != "url" && v.Problem.Fields[i].Field != "description" {
				v.Problem.Fields[i].Field = "events"
			}
		}
	}
	f.Groups = h.groups(chosen)
	return v.Show("webhooks-form", title, f)
}

// secretPage is what is shown once of an endpoint that has a new secret.
type secretPage struct {
	Endpoint endpointView
	Secret   string
	Rotated  bool
}

func (h *Webhooks) create(v *page.Visit) error {
	v.Label = label
	var made secretPage
	in, err := h.input(v)
	if err == nil {
		err = v.Update(func(tx page.Tx) error {
			e, secret, err := h.Service.Create(tx, v.Call(), in)
			made = secretPage{Endpoint: viewOf(e), Secret: secret}
			return err
		})
	}
	if err != nil {
		return v.Again(err, func() error { return h.newForm(v) })
	}
	return v.Show("webhooks-secret", "The endpoint is made", made)
}

func (h *Webhooks) editForm(v *page.Visit) error {
	var e webhook.Endpoint
	if err := v.View(func(tx page.Tx) (err error) { e, err = tx.Endpoint(v.ID()); return err }); err != nil {
		return err
	}
	return h.showForm(v, e)
}

func (h *Webhooks) edit(v *page.Visit) error {
	v.Label = label
	in, err := h.input(v)
	if err == nil {
		err = h.change(v, func(c *webhook.Change) { c.Input = in })
	}
	if err != nil {
		return v.Again(err, func() error { return h.editForm(v) })
	}
	return v.Done("/webhooks/endpoints/"+v.ID(), "webhook-saved")
}

// change changes what the endpoint says so far.
func (h *Webhooks) change(v *page.Visit, fn func(*webhook.Change)) error {
	return v.Update(func(tx page.Tx) error {
		_, err := h.Service.Update(tx, v.Call(), v.ID(), func(stored json.RawMessage) (c webhook.Change, err error) {
			if err = json.Unmarshal(stored, &c); err == nil {
				fn(&c)
			}
			return c, err
		})
		return err
	})
}

func (h *Webhooks) pause(v *page.Visit) error {
	if err := h.change(v, func(c *webhook.Change) { c.Active = false }); err != nil {
		return err
	}
	return v.Done("/webhooks/endpoints/"+v.ID(), "webhook-paused")
}

func (h *Webhooks) resume(v *page.Visit) error {
	if err := h.change(v, func(c *webhook.Change) { c.Active = true }); err != nil {
		return err
	}
	return v.Done("/webhooks/endpoints/"+v.ID(), "webhook-resumed")
}

func (h *Webhooks) askToRotate(v *page.Visit) error {
	return h.ask(v, "Make a new signing secret?", "Make new secret", "/rotate",
		"From now on the new secret signs, and for 24 hours the one before signs alongside it: a delivery carries both signatures, so nothing is lost while you change the receiver.",
		"The new secret is shown once.")
}

func (h *Webhooks) rotate(v *page.Visit) error {
	made := secretPage{Rotated: true}
	err := v.Update(func(tx page.Tx) error {
		e, secret, err := h.Service.Rotate(tx, v.Call(), v.ID())
		made.Endpoint, made.Secret = viewOf(e), secret
		return err
	})
	if err != nil {
		return err
	}
	return v.Show("webhooks-secret", "The new secret", made)
}

func (h *Webhooks) askToDelete(v *page.Visit) error {
	return h.ask(v, "Delete this endpoint?", "Delete endpoint", "/delete",
		"Nothing is delivered to it any more, and the log of its deliveries is deleted with it. This cannot be undone; pause it if you may need it again.")
}

func (h *Webhooks) remove(v *page.Visit) error {
	if err := v.Update(func(tx page.Tx) error { return h.Service.Delete(tx, v.Call(), v.ID()) }); err != nil {
		return err
	}
	return v.Done("/webhooks", "webhook-deleted")
}

// ask asks before something is done with an endpoint.
func (h *Webhooks) ask(v *page.Visit, title, button, action string, text ...string) error {
	var e webhook.Endpoint
	if err := v.View(func(tx page.Tx) (err error) { e, err = tx.Endpoint(v.ID()); return err }); err != nil {
		return err
	}
	path := "/webhooks/endpoints/" + e.ID
	return v.Ask(page.Question{
		Title: title, Text: append([]string{"It delivers to " + e.URL}, text...), Action: path + action, Button: button, Back: path,
	})
}
