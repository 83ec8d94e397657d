package customs

import (
	"strconv"
	"strings"
)

// asStated returns a member in the form that the body has: the document says nothing about short forms, and has the documents
// of the header at each item.
func (d *Declaration) asStated(field string) string {
	n := ItemOf(field) - 1
	if n < 0 || n >= len(d.Items) {
		return field
	}
	i, prefix := &d.Items[n], "items["+decimal(n)+"]."
	member := strings.TrimPrefix(field, prefix)
	short := i.TaxLines == nil || i.PreferenceCode != ""
	switch {
	case member == "taxLines[0].preferenceCode" && short:
		return prefix + "preferenceCode"
	case strings.HasPrefix(member, "taxLines[") && strings.HasSuffix(member, "].quotaOrderNumber") && (i.TaxLines == nil || i.QuotaOrderNumber != ""):
		return prefix + "quotaOrderNumber"
	case member == "packages[0].count" && i.Packages == nil:
		return prefix + "packageCount"
	case member == "packages[0].type" && i.Packages == nil:
		return prefix + "packageType"
	case member == "procedureCode" && len(i.Procedures) > 0:
		return prefix + "procedures[0].current"
	case member == "commodityCode" && len(i.Classifications) > 0:
		return prefix + "classifications[0].id"
	case member == "countryOfOrigin" && len(i.Origins) > 0:
		return prefix + "origins[0].country"
	}
	if k, _, ok := entryOf(member, "additionalProcedureCodes["); ok && len(i.Procedures) > 0 {
		return prefix + "procedures[" + decimal(k+1) + "].current"
	}
	if k, rest, ok := entryOf(member, "documents["); ok && k >= len(i.Documents) && k-len(i.Documents) < len(d.Documents) {
		return "documents[" + decimal(k-len(i.Documents)) + "]" + rest
	}
	return field
}

// entryOf splits a member of a list, such as documents[2].type, into the index and what follows.
func entryOf(member, list string) (n int, rest string, ok bool) {
	after, found := strings.CutPrefix(member, list)
	if !found {
		return 0, "", false
	}
	digits, rest, _ := strings.Cut(after, "]")
	n, err := strconv.Atoi(digits)
	return n, rest, err == nil
}
