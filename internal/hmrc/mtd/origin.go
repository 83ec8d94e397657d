package mtd

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// The fraud prevention headers of the connection method WEB_APP_VIA_SERVER, by HMRC's guide. The legal basis is the
// Delivery of Tax Information through Software (Ancillary Metadata) Regulations 2019.
const (
	headerMethod      = "Gov-Client-Connection-Method"
	headerUserAgent   = "Gov-Client-Browser-JS-User-Agent"
	headerDeviceID    = "Gov-Client-Device-ID"
	headerMultiFactor = "Gov-Client-Multi-Factor"
	headerPublicIP    = "Gov-Client-Public-IP"
	headerSeenAt      = "Gov-Client-Public-IP-Timestamp"
	headerPublicPort  = "Gov-Client-Public-Port"
	headerScreens     = "Gov-Client-Screens"
	headerTimezone    = "Gov-Client-Timezone"
	headerUserIDs     = "Gov-Client-User-IDs"
	headerWindowSize  = "Gov-Client-Window-Size"
	headerForwarded   = "Gov-Vendor-Forwarded"
	headerLicences    = "Gov-Vendor-License-IDs"
	headerProduct     = "Gov-Vendor-Product-Name"
	headerVendorIP    = "Gov-Vendor-Public-IP"
	headerVersion     = "Gov-Vendor-Version"

	method = "WEB_APP_VIA_SERVER"
)

// Vendor describes this service.
type Vendor struct {
	Product  string     // as it is sold
	Versions []Pair     // of the programs that a call passes, such as tidewaiter and its version
	PublicIP netip.Addr // at which this service is reached
	Licences []Pair     // hashed licence keys on the person's device; none for a web application
}

// Pair is a name with a value.
type Pair struct{ Name, Value string }

// Origin describes the person behind a call and the device. The browser reports the first group of fields,
// in HMRC's own headers; the service determines the second one. A value that could not be collected is zero, and its header
// is left out: HMRC rejects invented values.
type Origin struct {
	UserAgent string // as JavaScript reports it
	DeviceID  string // a UUID that the device keeps
	Timezone  string // such as UTC+01:00
	Screens   []Screen
	Window    Size
	Factors   []Factor // with which the person signed in here

	PublicIP   netip.Addr
	PublicPort uint16
	SeenAt     time.Time // when address and port were seen
	User       Pair      // the service's name and the person's id in it
}

// Size is a size in pixels.
type Size struct{ Width, Height int }

// Screen is a screen of the device.
type Screen struct {
	Size
	Scaling string // a decimal such as 1.25
	Depth   int    // bits of colour
}

// Factor is an authentication factor besides the password.
type Factor struct {
	Type      string // TOTP, AUTH_CODE or OTHER
	At        time.Time
	Reference string // the same for the same factor, and telling nothing else
}

// Header returns the fraud prevention headers of a call, in the format that HMRC checks. Unknown values are left out.
func (o Origin) Header(v Vendor) http.Header {
	h := http.Header{}
	set := func(name, value string) {
		if value != "" {
			h.Set(name, value)
		}
	}
	set(headerMethod, method)
	set(headerUserAgent, o.UserAgent)
	set(headerDeviceID, o.DeviceID)
	set(headerTimezone, o.Timezone)
	set(headerScreens, join(o.Screens, Screen.String))
	set(headerWindowSize, o.Window.String())
	set(headerMultiFactor, join(o.Factors, Factor.String))
	set(headerUserIDs, pairs(o.User))
	o.applyTo(set)
	set(headerProduct, encoded(v.Product))
	set(headerVersion, pairs(v.Versions...))
	set(headerLicences, pairs(v.Licences...))
	if isPublic(v.PublicIP) {
		set(headerVendorIP, v.PublicIP.Unmap().String())
		if isPublic(o.PublicIP) {
			set(headerForwarded, "by="+encoded(v.PublicIP.Unmap().String())+"&for="+encoded(o.PublicIP.Unmap().String()))
		}
	}
	return h
}

// applyTo sets the headers that require a public address.
func (o Origin) applyTo(set func(name, value string)) {
	if !isPublic(o.PublicIP) {
		return
	}
	set(headerPublicIP, o.PublicIP.Unmap().String())
	if !o.SeenAt.IsZero() {
		set(headerSeenAt, o.SeenAt.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	if o.PublicPort != 0 {
		set(headerPublicPort, fmt.Sprint(o.PublicPort))
	}
}

// requiredHeaders are the headers that HMRC requires for this method. Licences are left out: a web application has none
// on the device.
var requiredHeaders = []string{
	headerMethod, headerUserAgent, headerDeviceID, headerMultiFactor, headerPublicIP, headerSeenAt, headerPublicPort, headerScreens,
	headerTimezone, headerUserIDs, headerWindowSize, headerForwarded, headerProduct, headerVendorIP, headerVersion,
}

// Missing returns the required headers that a call lacks, for the log and the operator: HMRC requires a reason for
// each.
func (o Origin) Missing(v Vendor) (names []string) {
	h := o.Header(v)
	for _, name := range requiredHeaders {
		if h.Get(name) == "" {
			names = append(names, name)
		}
	}
	return names
}

// sharedSpace is the address range inside of carriers' networks (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

// isPublic reports whether an address is public: HMRC rejects private ones.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsValid() && a.IsGlobalUnicast() && !a.IsPrivate() && !sharedSpace.Contains(a)
}

// String returns the size in HMRC's format; empty for zero.
func (s Size) String() string {
	if s.Width <= 0 || s.Height <= 0 {
		return ""
	}
	return fmt.Sprintf("width=%d&height=%d", s.Width, s.Height)
}

// String returns the screen in HMRC's format.
func (s Screen) String() string {
	return fmt.Sprintf("%s&scaling-factor=%s&colour-depth=%d", s.Size, encoded(s.Scaling), s.Depth)
}

// String returns the factor in HMRC's format.
func (f Factor) String() string {
	return "type=" + encoded(f.Type) + "&timestamp=" + encoded(f.At.UTC().Format("2006-01-02T15:04:05.000Z")) + "&unique-reference=" + encoded(f.Reference)
}

func pairs(all ...Pair) string {
	texts := make([]string, 0, len(all))
	for _, p := range all {
		if p.Name != "" && p.Value != "" {
			texts = append(texts, encoded(p.Name)+"="+encoded(p.Value))
		}
	}
	return strings.Join(texts, "&")
}

func join[T any](all []T, form func(T) string) string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = form(one)
	}
	return strings.Join(texts, ",")
}

// encoded percent-encodes everything that is not unreserved (RFC 3986).
func encoded(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
