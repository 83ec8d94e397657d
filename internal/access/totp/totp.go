// Package totp makes and checks the codes of authenticator apps (RFC 6238): six digits from
// SHA-1 every 30 seconds, as all common apps expect.
package totp

import (
	"bytes"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"image/png"
	"net/url"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
)

const (
	// SecretLength is the number of random bytes of a secret, as RFC 4226 recommends.
	SecretLength = 20

	period = 30 * time.Second
	skew   = 1 // time steps by which a clock may be ahead or behind
	digits = 6

	imageSize = 240 // width and height of the QR code in pixels
)

// Secret encodes random bytes for apps: base32 without padding.
func Secret(random []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random)
}

// Address returns the otpauth URL of a secret, which an app reads from a QR code.
func Address(issuer, account, secret string) string {
	values := url.Values{"secret": {secret}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	return "otpauth://totp/" + url.PathEscape(issuer+":"+account) + "?" + values.Encode()
}

// Image returns an otpauth URL as a QR code in PNG.
func Image(address string) ([]byte, error) {
	key, err := otp.NewKeyFromURL(address)
	if err != nil {
		return nil, fmt.Errorf("totp: address: %w", err)
	}
	picture, err := key.Image(imageSize, imageSize)
	if err != nil {
		return nil, fmt.Errorf("totp: image: %w", err)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("totp: image: %w", err)
	}
	return out.Bytes(), nil
}

// Code returns the code of a secret at a time.
func Code(secret string, at time.Time) (string, error) {
	return totp.GenerateCodeCustom(secret, at, totp.ValidateOpts{Period: uint(period.Seconds()), Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
}

// Check returns the time step of a code if it is valid around a time and later than the last used
// step, since each code works once.
func Check(secret, code string, now time.Time, last int64) (step int64, ok bool) {
	if len(code) != digits {
		return 0, false
	}
	current := now.Unix() / int64(period.Seconds())
	for candidate := current - skew; candidate <= current+skew; candidate++ {
		want, err := Code(secret, time.Unix(candidate*int64(period.Seconds()), 0))
		if err == nil && candidate > last && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = candidate, true
		}
	}
	return step, ok
}
