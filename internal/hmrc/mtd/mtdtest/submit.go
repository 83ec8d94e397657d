package mtdtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

const maxReturn = 64 << 10 // bytes

// sums are the members of a return with pence, and values those without.
var (
	sums    = []string{"vatDueSales", "vatDueAcquisitions", "totalVatDue", "vatReclaimedCurrPeriod", "netVatDue"}
	values  = []string{"totalValueSalesExVAT", "totalValuePurchasesExVAT", "totalValueGoodsSuppliedExVAT", "totalAcquisitionsExVAT"}
	plain   = regexp.MustCompile(`^-?[0-9]{1,20}(\.[0-9]{1,20})?$`)
	decimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,2})?$`)
	integer = regexp.MustCompile(`^-?[0-9]+(\.0{1,2})?$`)
)

// flaw is an error in a return.
type flaw struct {
	status        int
	code, message string
}

func (f flaw) Error() string { return f.code }

func invalid(code, message string) error { return flaw{http.StatusBadRequest, code, message} }

func (h *HMRC) submit(w http.ResponseWriter, r *http.Request, fault Fault) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReturn))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "REQUEST_ENTITY_TOO_LARGE", "Request entity too large")
		return
	}
	members, key, err := h.check(r.PathValue("vrn"), body)
	if bad := (flaw{}); errors.As(err, &bad) {
		refuse(w, bad.status, bad.code, bad.message)
		return
	}
	h.store(r.PathValue("vrn"), key, members)
	h.accept(w, key, members, fault)
}

// store stores a return as HMRC shows it, without the declaration.
func (h *HMRC) store(vrn, key string, members map[string]json.RawMessage) {
	delete(members, "finalised")
	stored, err := json.Marshal(members)
	if err != nil {
		panic("standin: " + err.Error()) // what was decoded can be encoded
	}
	h.returns[vrn+key] = stored
}

// accept answers after a return was stored, or applies a fault.
func (h *HMRC) accept(w http.ResponseWriter, key string, members map[string]json.RawMessage, fault Fault) {
	w.Header().Set("Receipt-ID", "2dd537bc-4244-4ebf-bac9-96321be13cdc")
	w.Header().Set("Receipt-Timestamp", h.options.Now().UTC().Format("2006-01-02T15:04:05Z"))
	response := map[string]any{
		"processingDate":   h.options.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		"formBundleNumber": fmt.Sprintf("%012d", 256660290000+len(h.returns)),
		"paymentIndicator": "BANK",
	}
	if amount(members["totalVatDue"]).Cmp(amount(members["vatReclaimedCurrPeriod"])) > 0 {
		response["paymentIndicator"], response["chargeRefNumber"] = "DD", "aCxFaNx0FZsCvyWF"
	}
	switch fault {
	case LostAnswer:
		panic(http.ErrAbortHandler)
	case LostGateway:
		http.Error(w, "<html>Gateway Timeout</html>", http.StatusGatewayTimeout)
	case HalfAnswer:
		w.Header().Set("Content-Length", "200")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"processingDate":"2026-`)
	case Late:
		h.hidden[key] = true
		http.Error(w, "", http.StatusBadGateway)
	default:
		answer(w, http.StatusCreated, response)
	}
}

// check checks a return in HMRC's order: format, sums, declaration, period.
func (h *HMRC) check(vrn string, body []byte) (map[string]json.RawMessage, string, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, "", invalid("INVALID_REQUEST", "Invalid request")
	}
	var key string
	if json.Unmarshal(members["periodKey"], &key) != nil || !periodKey.MatchString(key) {
		return nil, "", invalid("PERIOD_KEY_INVALID", "Invalid period key")
	}
	if err := checkSums(members); err != nil {
		return nil, "", err
	}
	if !bytes.Equal(members["finalised"], []byte("true")) {
		return nil, "", flaw{http.StatusForbidden, "NOT_FINALISED", "User has not declared VAT return as final"}
	}
	return members, key, h.checkPeriod(vrn, key)
}

func checkSums(members map[string]json.RawMessage) error {
	for _, name := range slices.Concat(sums, values) {
		form, most := decimal, "9999999999999.99"
		if slices.Contains(values, name) {
			form, most = integer, "9999999999999"
		}
		if name == "netVatDue" {
			most = "99999999999.99"
		}
		text := string(members[name])
		limit := amount(json.RawMessage(most))
		switch {
		case !plain.MatchString(text):
			return invalid("INVALID_NUMERIC_VALUE", "please provide a numeric field")
		case !form.MatchString(text), new(big.Rat).Abs(amount(members[name])).Cmp(limit) > 0, name == "netVatDue" && amount(members[name]).Sign() < 0:
			return invalid("INVALID_MONETARY_AMOUNT", "amount should be a monetary value (to 2 decimal places), between 0 and 99,999,999,999.99")
		}
	}
	total := new(big.Rat).Add(amount(members["vatDueSales"]), amount(members["vatDueAcquisitions"]))
	if total.Cmp(amount(members["totalVatDue"])) != 0 {
		return invalid("VAT_TOTAL_VALUE", "totalVatDue should be equal to the sum of vatDueSales and vatDueAcquisitions")
	}
	net := new(big.Rat).Sub(total, amount(members["vatReclaimedCurrPeriod"]))
	if net.Abs(net).Cmp(amount(members["netVatDue"])) != 0 {
		return invalid("VAT_NET_VALUE", "netVatDue should be the difference between the largest and the smallest values among totalVatDue and vatReclaimedCurrPeriod")
	}
	return nil
}

// amount parses a number without an exponent.
func amount(text json.RawMessage) *big.Rat {
	r, _ := new(big.Rat).SetString(string(text))
	return r
}

func (h *HMRC) checkPeriod(vrn, key string) error {
	at := slices.IndexFunc(h.options.Obligations[vrn], func(o Obligation) bool { return o.PeriodKey == key })
	switch {
	case at < 0:
		return invalid("PERIOD_KEY_INVALID", "Invalid period key")
	case h.returns[vrn+key] != nil:
		return flaw{http.StatusForbidden, "DUPLICATE_SUBMISSION", "The VAT return was already submitted for the given period"}
	case h.options.Now().Format(isoDay) <= h.options.Obligations[vrn][at].End:
		return flaw{http.StatusForbidden, "TAX_PERIOD_NOT_ENDED", "The remote endpoint has indicated that the submission is for a tax period that has not ended"}
	}
	return nil
}
