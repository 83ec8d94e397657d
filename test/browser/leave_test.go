package browser

import (
	"strings"
	"testing"
)

// A member erases their account, and an OWNER erases the remaining data of another former member. The OWNER then
// closes the organisation by typing its name, is led to the only page that is left, and restores it.
func TestMemberLeaves(t *testing.T) {
	t.Parallel()
	p := start(t)
	owner, guest := openWindow(t, p, desktop, 900), openWindow(t, p, desktop, 900)
	owner.found(p)
	guest.acceptInvitation(owner.invites("mel@quay.example"), "Mel Member")
	guest.visit("/account/erase")
	guest.fill("email", "olive@example.com")
	guest.press("Erase my account")
	guest.sees("There is a problem", "not the address of your account")
	guest.everyLook("account erase errors")
	guest.fill("email", "mel@quay.example")
	guest.press("Erase my account")
	guest.sees("Your account is erased")
	guest.everyLook("account erased")
	guest.signIn("mel@quay.example", password)
	guest.sees("address or the password is wrong")

	guest.acceptInvitation(owner.invites("mia@quay.example"), "Mia Former")
	owner.visit("/settings/users")
	owner.press("Remove Mia Former")
	owner.press("Remove")
	owner.sees("Former users", "Mia Former")
	owner.everyLook("former users")
	owner.press("Erase the personal data of Mia Former")
	owner.sees("Erase the personal data of Mia Former?")
	owner.everyLook("erase a former user")
	owner.press("Erase")
	owner.everyLook("a former user is erased")
	if text := owner.text(); strings.Contains(text, "Mia Former") || strings.Contains(text, "mia@quay.example") {
		t.Errorf("the former member is still named:\n%s", text)
	}

	owner.visit("/settings/data")
	owner.fill("name", "Quay")
	owner.press("Close the organisation")
	owner.sees("There is a problem")
	owner.everyLook("close the organisation errors")
	owner.fill("name", "Quay Customs Ltd")
	owner.press("Close the organisation")
	owner.sees("Quay Customs Ltd is closed", "Until then you can restore it")
	owner.everyLook("closed")
	owner.visit("/declarations")
	owner.sees("Quay Customs Ltd is closed")
	owner.press("Restore Quay Customs Ltd")
	owner.visit("/declarations")
	owner.sees("No declarations yet")
}

// acceptInvitation accepts an invitation, with a new account.
func (w *window) acceptInvitation(link, name string) {
	w.Helper()
	w.visit(link)
	w.fill("name", name, "password", password)
	w.press("Create account and join")
	w.sees("You have joined the organisation")
}
