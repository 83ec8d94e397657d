package access

import (
	"fmt"
	"strings"
)

// maxMailedProducts is the number of products that a mail names.
const maxMailedProducts = 20

// MailTariffChange tells the OWNERs how many products an imported tariff touches, and the codes of the first ones, in the
// transaction that notes it.
func (a *Accounts) MailTariffChange(tx Tx, products int, codes []string) error {
	if !a.Mails.On {
		return nil
	}
	org, err := tx.Organisation()
	if err != nil {
		return err
	}
	many := fmt.Sprintf("%d products", products)
	if products == 1 {
		many = "1 product"
	}
	codes = codes[:min(len(codes), maxMailedProducts)]
	list := "- " + strings.Join(codes, "\n- ") + "\n"
	if products > len(codes) {
		list += fmt.Sprintf("- and %d more\n", products-len(codes))
	}
	return a.queueOwners(tx, "Tariff measures changed for "+many+" of "+org.Name, fmt.Sprintf(
		"A new edition of the tariff changes measures on %s of %s:\n\n%s\nEach product shows what changes: %s\n", many, org.Name, list, a.address("/products")))
}
