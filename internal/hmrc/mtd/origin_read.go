package mtd

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of a browser's report.
const (
	maxHeader  = 2 << 10 // bytes of one header
	maxScreens = 16
	maxFactors = 8
	maxPixels  = 100_000
)

// Flaw is an invalid header of a request. Calls to HMRC leave it out.
type Flaw struct{ Header, Why string }

// Seen holds values that the service determines from a request.
type Seen struct {
	Peer netip.AddrPort // the person's side of the connection, through proxies that are trusted
	At   time.Time
	User Pair
}

// ReadOrigin returns the origin of a request: values that only the browser has, from HMRC's own headers as the
// console's page sends them, and values that the service determines. Address, user and vendor in the request are
// ignored.
func ReadOrigin(h http.Header, seen Seen) (Origin, []Flaw) {
	o := Origin{PublicIP: seen.Peer.Addr().Unmap(), PublicPort: seen.Peer.Port(), SeenAt: seen.At, User: seen.User}
	var flaws []Flaw
	for _, r := range []struct {
		header string
		take   func(*Origin, string) bool
		why    string
	}{
		{headerUserAgent, (*Origin).readUserAgent, "must be printable ASCII"},
		{headerDeviceID, (*Origin).readDeviceID, "must be a UUID"},
		{headerTimezone, (*Origin).readTimezone, "must be like UTC+01:00"},
		{headerScreens, (*Origin).readScreens, "must be like width=1920&height=1080&scaling-factor=1&colour-depth=24, at most 16 of them with commas between"},
		{headerWindowSize, (*Origin).readWindow, "must be like width=1256&height=803"},
		{headerMultiFactor, (*Origin).readFactors, "must be like type=TOTP&timestamp=2026-11-21T09%3A30Z&unique-reference=c672b8d1ef56, at most 8 of them with commas between"},
	} {
		values := h.Values(r.header)
		if len(values) == 0 {
			continue
		}
		if len(values) > 1 || len(values[0]) > maxHeader || !r.take(&o, values[0]) {
			flaws = append(flaws, Flaw{Header: r.header, Why: r.why})
		}
	}
	return o, flaws
}

var (
	printable = lazyregexp.New(`^[ -~]*[!-~][ -~]*$`)
	uuid      = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	timezone  = lazyregexp.New(`^UTC[+-](0[0-9]|1[0-4]):[0-5][0-9]$`)
	scaling   = lazyregexp.New(`^[0-9]{1,2}(\.[0-9]{1,20})?$`)
	reference = lazyregexp.New(`^[!-~]{1,256}$`)
)

func (o *Origin) readUserAgent(text string) bool {
	if printable.MatchString(text) {
		o.UserAgent = text
	}
	return o.UserAgent != ""
}

func (o *Origin) readDeviceID(text string) bool {
	if uuid.MatchString(text) {
		o.DeviceID = text
	}
	return o.DeviceID != ""
}

func (o *Origin) readTimezone(text string) bool {
	if timezone.MatchString(text) {
		o.Timezone = text
	}
	return o.Timezone != ""
}

func (o *Origin) readWindow(text string) bool {
	members, ok := structure(text, "width", "height")
	if !ok {
		return false
	}
	size, ok := sizeOf(members)
	if ok {
		o.Window = size
	}
	return ok
}

func (o *Origin) readScreens(text string) bool {
	var all []Screen
	for one := range strings.SplitSeq(text, ",") {
		members, ok := structure(one, "width", "height", "scaling-factor", "colour-depth")
		if !ok || len(all) == maxScreens {
			return false
		}
		size, ok := sizeOf(members)
		depth, err := strconv.Atoi(members["colour-depth"])
		if !ok || err != nil || depth < 1 || depth > 128 || !scaling.MatchString(members["scaling-factor"]) {
			return false
		}
		all = append(all, Screen{Size: size, Scaling: members["scaling-factor"], Depth: depth})
	}
	o.Screens = all
	return true
}

var (
	factorTypes = []string{"TOTP", "AUTH_CODE", "OTHER"}
	factorTimes = []string{"2006-01-02T15:04Z", "2006-01-02T15:04:05Z", "2006-01-02T15:04:05.000Z"}
)

func (o *Origin) readFactors(text string) bool {
	var all []Factor
	for one := range strings.SplitSeq(text, ",") {
		members, ok := structure(one, "type", "timestamp", "unique-reference")
		at, known := instantOf(members["timestamp"])
		if !ok || !known || len(all) == maxFactors || !slices.Contains(factorTypes, members["type"]) || !reference.MatchString(members["unique-reference"]) {
			return false
		}
		all = append(all, Factor{Type: members["type"], At: at, Reference: members["unique-reference"]})
	}
	o.Factors = all
	return true
}

func instantOf(text string) (time.Time, bool) {
	for _, form := range factorTimes {
		if at, err := time.Parse(form, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func sizeOf(members map[string]string) (Size, bool) {
	width, errWidth := strconv.Atoi(members["width"])
	height, errHeight := strconv.Atoi(members["height"])
	fits := errWidth == nil && errHeight == nil && min(width, height) > 0 && max(width, height) <= maxPixels
	return Size{width, height}, fits
}

// structure parses a key-value structure that has exactly these keys, each once.
func structure(text string, keys ...string) (map[string]string, bool) {
	members := map[string]string{}
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		key, errKey := url.PathUnescape(name)
		plain, errValue := url.PathUnescape(value)
		if errKey != nil || errValue != nil || !slices.Contains(keys, key) {
			return nil, false
		}
		if _, twice := members[key]; twice {
			return nil, false
		}
		members[key] = plain
	}
	return members, len(members) == len(keys)
}
