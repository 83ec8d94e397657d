package ident

import (
	"errors"
	"strings"
)

// Country is an ISO 3166-1 alpha-2 code, or XI.
type Country string

// NorthernIreland is XI. Customs uses it beside the ISO codes where Great Britain and Northern Ireland differ;
// elsewhere the caller must reject it.
const NorthernIreland Country = "XI"

var errCountry = errors.New("must be an ISO 3166-1 alpha-2 country code in capitals, or XI for Northern Ireland")

// ParseCountry reads a code exactly as written, because records store and compare it so: gb is not valid.
func ParseCountry(text string) (Country, error) {
	if isISO(text) || Country(text) == NorthernIreland {
		return Country(text), nil
	}
	return "", errCountry
}

// kosovo is the code that the tariff and customs use for Kosovo, which has none in ISO 3166-1.
const kosovo = "XK"

// IsTradingCountry reports whether goods can come from a country: it is in ISO 3166-1, Northern Ireland (XI) or Kosovo (XK).
func IsTradingCountry(text string) bool {
	_, err := ParseCountry(text)
	return err == nil || text == kosovo
}

func isISO(text string) bool {
	if len(text) != 2 || text[0] < 'A' || text[0] > 'Z' {
		return false
	}
	return strings.IndexByte(secondLetters[text[0]-'A'], text[1]) >= 0
}

// secondLetters are the second letters of the 249 assigned codes, for each first letter.
var secondLetters = [26]string{
	"DEFGILMOQRSTUWXZ",        // A
	"ABDEFGHIJLMNOQRSTVWYZ",   // B
	"ACDFGHIKLMNORUVWXYZ",     // C
	"EJKMOZ",                  // D
	"CEGHRST",                 // E
	"IJKMOR",                  // F
	"ABDEFGHILMNPQRSTUWY",     // G
	"KMNRTU",                  // H
	"DELMNOQRST",              // I
	"EMOP",                    // J
	"EGHIMNPRWYZ",             // K
	"ABCIKRSTUVY",             // L
	"ACDEFGHKLMNOPQRSTUVWXYZ", // M
	"ACEFGILOPRUZ",            // N
	"M",                       // O
	"AEFGHKLMNRSTWY",          // P
	"A",                       // Q
	"EOSUW",                   // R
	"ABCDEGHIJKLMNORSTVXYZ",   // S
	"CDFGHJKLMNORTVWZ",        // T
	"AGMSYZ",                  // U
	"ACEGINU",                 // V
	"FS",                      // W
	"",                        // X
	"ET",                      // Y
	"AMW",                     // Z
}
