package access

import "fmt"

// EndpointAlert is what OWNERs are told of a webhook endpoint that fails.
type EndpointAlert struct {
	EndpointID, URL string
	What            string // such as: is paused: the receiver answered 410 Gone
	EventID         string // of the event that could not be delivered
	Answer          string // why the last attempt failed
}

// MailEndpointAlert mails the OWNERs about a webhook endpoint, in the transaction that notes it.
func (a *Accounts) MailEndpointAlert(tx OwnerMailTx, m EndpointAlert) error {
	if !a.Mails.On {
		return nil
	}
	org, err := tx.Organisation()
	if err != nil {
		return err
	}
	return a.queueOwners(tx, "A webhook endpoint of "+org.Name+" fails", fmt.Sprintf(
		"The webhook endpoint %s %s.\n\nEvent: %s\nLast attempt: %s\n\nSee its deliveries, and send them again when the receiver works: %s\n",
		m.URL, m.What, m.EventID, m.Answer, a.address("/webhooks/endpoints/"+m.EndpointID)))
}
