package mtdtest

import (
	"net/http"
	"regexp"
	"strings"
	"time"
)

const (
	version     = "application/vnd.hmrc.1.0+json"
	correlation = "c75f40a6-a3df-4429-a697-471eeec46435"
	isoDay      = "2006-01-02"
	maxDays     = 366
)

var (
	number    = regexp.MustCompile(`^[0-9]{9}$`)
	periodKey = regexp.MustCompile(`^[#0-9A-Z]{4}$`)
)

// authorised makes the checks of HMRC's platform: the version, the token, and whether the caller may act for the trader.
// It also applies faults.
func (h *HMRC) authorised(operation string, handle func(w http.ResponseWriter, r *http.Request, fault Fault)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.calls[operation]++
		h.header = r.Header.Clone()
		fault := h.next()
		if before(w, fault) {
			return
		}
		w.Header().Set("X-CorrelationId", correlation)
		token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		ends, known := h.access[token]
		_, client := h.options.Obligations[r.PathValue("vrn")]
		switch {
		case r.Header.Get("Accept") != version:
			refuse(w, http.StatusNotAcceptable, "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid")
		case !bearer:
			refuse(w, http.StatusUnauthorized, "MISSING_CREDENTIALS", "Authentication information is not provided")
		case !known || !h.options.Now().Before(ends):
			refuse(w, http.StatusUnauthorized, "INVALID_CREDENTIALS", "Invalid Authentication information provided")
		case !number.MatchString(r.PathValue("vrn")):
			refuse(w, http.StatusBadRequest, "VRN_INVALID", "The provided VRN is invalid")
		case !client:
			refuse(w, http.StatusForbidden, "CLIENT_OR_AGENT_NOT_AUTHORISED", "The client and/or agent is not authorised")
		default:
			handle(w, r, fault)
		}
	}
}

// before applies a fault that does not need the call.
func before(w http.ResponseWriter, fault Fault) bool {
	switch fault {
	case Throttled:
		w.Header().Set("Retry-After", "7")
		refuse(w, http.StatusTooManyRequests, "MESSAGE_THROTTLED_OUT", "The request for the API is throttled as you have exceeded your quota.")
	case Broken:
		refuse(w, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
	case Maintenance:
		refuse(w, http.StatusServiceUnavailable, "SCHEDULED_MAINTENANCE", "Scheduled maintenance")
	case Dropped:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

func (h *HMRC) obligations(w http.ResponseWriter, r *http.Request, _ Fault) {
	asked := r.URL.Query()
	from, errFrom := time.Parse(isoDay, asked.Get("from"))
	to, errTo := time.Parse(isoDay, asked.Get("to"))
	status := asked.Get("status")
	open := status == "O" && asked.Get("from") == "" && asked.Get("to") == ""
	switch {
	case errFrom != nil && !open:
		refuse(w, http.StatusBadRequest, "INVALID_DATE_FROM", "The provided from date is invalid")
		return
	case errTo != nil && !open:
		refuse(w, http.StatusBadRequest, "INVALID_DATE_TO", "The provided to date is invalid")
		return
	case !open && (to.Before(from) || to.Sub(from) > maxDays*24*time.Hour):
		refuse(w, http.StatusBadRequest, "INVALID_DATE_RANGE", "Invalid date range, must be 366 days or less")
		return
	case status != "" && status != "O" && status != "F":
		refuse(w, http.StatusBadRequest, "INVALID_STATUS", "The provided data is failed validation, invalid status")
		return
	}
	vrn, list := r.PathValue("vrn"), []map[string]string{}
	for _, o := range h.options.Obligations[vrn] {
		member := map[string]string{"start": o.Start, "end": o.End, "due": o.Due, "periodKey": o.PeriodKey, "status": "O"}
		if h.returns[vrn+o.PeriodKey] != nil {
			member["status"], member["received"] = "F", h.options.Now().Format(isoDay)
		}
		if (status == "" || status == member["status"]) && (open || o.End >= asked.Get("from") && o.Start <= asked.Get("to")) {
			list = append(list, member)
		}
	}
	if len(list) == 0 {
		refuse(w, http.StatusNotFound, "NOT_FOUND", "The requested resource could not be found")
		return
	}
	answer(w, http.StatusOK, map[string]any{"obligations": list})
}

func (h *HMRC) view(w http.ResponseWriter, r *http.Request, _ Fault) {
	key := r.PathValue("periodKey")
	if !periodKey.MatchString(key) {
		refuse(w, http.StatusBadRequest, "PERIOD_KEY_INVALID", "Invalid period key")
		return
	}
	sent := h.returns[r.PathValue("vrn")+key]
	if hidden := h.hidden[key]; sent == nil || hidden {
		delete(h.hidden, key)
		refuse(w, http.StatusNotFound, "NOT_FOUND", "The requested resource could not be found")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(sent)
}
