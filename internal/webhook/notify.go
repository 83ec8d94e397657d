package webhook

import "github.com/tidewaiter/tidewaiter/internal/filing"

// NotifyOf returns the function that builds the notifications of changes. Deliveries get
// their IDs from newID.
func NotifyOf(newID func() string) filing.Notify {
	return func(tx filing.NotifyTx, c *filing.Change) (filing.Notification, error) {
		return notifier{tx, newID, c, func() []byte { return c.Filing.AppendJSON(nil) }}.notify("")
	}
}

// notifier builds the notification of an event.
type notifier struct {
	tx     filing.NotifyTx
	newID  func() string
	change *filing.Change
	object func() []byte // the record of the event in JSON
}

// notify builds the notification for the endpoints that subscribe to the event, apart from one; empty for none.
func (b notifier) notify(except string) (n filing.Notification, err error) {
	all, err := b.tx.Subscribers()
	if err != nil {
		return n, err
	}
	body := func() (string, error) { return b.body(&n) }
	for i := range all {
		accepted := Subscribes(all[i].Events, b.change.Event.Type) && all[i].EndpointID != except
		if accepted && all[i].Accepts != nil {
			if accepted, err = all[i].Accepts(b.change, body); err != nil {
				return n, err
			}
		}
		if accepted {
			n.Deliveries = append(n.Deliveries, filing.Delivery{ID: b.newID(), EndpointID: all[i].EndpointID})
		}
	}
	if len(n.Deliveries) == 0 {
		return filing.Notification{}, nil
	}
	_, err = body()
	return n, err
}

// body builds the ID and the body of a notification once.
func (b notifier) body(n *filing.Notification) (string, error) {
	if n.Body != "" {
		return n.Body, nil
	}
	e := b.change.Event
	var err error
	if e.OccurredAt, err = b.tx.NextEventTime(); err != nil {
		return "", err
	}
	notice := NewNotice(b.tx.Org(), b.tx.Mode(), &e, b.object())
	n.ID, n.Body = notice.ID, notice.Body
	return n.Body, nil
}
