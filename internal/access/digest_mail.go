package access

import "fmt"

// MailDigest tells a member what is unread in the inbox of an organisation, in the transaction that notes it. Each line is an
// item; unread is the number of all, with a plus sign if there are more.
func (a *Accounts) MailDigest(tx MailTx, userID, organisation, unread string, lines []string) error {
	items := "items"
	if unread == "1" {
		items = "item"
	}
	list := ""
	for _, line := range lines {
		list += "- " + line + "\n"
	}
	return a.queue(tx, userRecipient+userID, unread+" unread "+items+" in "+organisation, fmt.Sprintf(
		"Your inbox of %s on Tidewaiter has %s unread %s:\n\n%s\nRead them: %s\n\nYou can turn off this mail on the same page.\n",
		organisation, unread, items, list, a.address("/inbox")))
}
