package schema_test

import (
	"strings"
	"testing"
)

// Numbers are checked as decimals, not as binary floating point.
func TestNumbers(t *testing.T) {
	const tooLarge, whole = "is too large or too long a number", "must be a whole number, written without a point or an exponent"
	for _, c := range []struct{ member, text, want string }{
		{"pence", `0`, ""},
		{"pence", `-0`, ""},
		{"pence", `0.1`, ""},
		{"pence", `0.30000000000000004`, "must have at most 2 decimal places"},
		{"pence", `1.005`, "must have at most 2 decimal places"},
		{"pence", `1.10000`, ""},
		{"pence", `1E2`, ""},
		{"pence", `1e+2`, ""},
		{"pence", `125e-2`, ""},
		{"pence", `1.25e-1`, "must have at most 2 decimal places"},
		{"pence", `100000000000000000000e-20`, ""},
		{"pence", `1e-99`, "must have at most 2 decimal places"},
		{"pence", `-1e-99`, "must not be negative"},
		{"pence", `0e99`, ""},
		{"pence", `1e400`, tooLarge},
		{"pence", `1e-400`, tooLarge},
		{"pence", `1e0000000000000000000000002`, ""},
		{"pence", `1000`, ""},
		{"pence", `1000.01`, "must be at most 1000"},
		{"pence", `1000.00000000000000000000000000001`, "must be at most 1000"},
		{"pence", `1e99`, "must be at most 1000"},
		{"pence", `-0.01`, "must not be negative"},
		{"pence", `0.` + strings.Repeat("0", 38), ""},
		{"pence", `0.` + strings.Repeat("0", 39), tooLarge},
		{"pence", strings.Repeat("9", 41), tooLarge},
		{"degrees", `-40.00000000000000000000001`, "must be at least -40"},
		{"degrees", `-41`, "must be at least -40"},
		{"degrees", `40.5`, "must be at most 40"},
		{"open", `0`, "must be more than 0"},
		{"open", `1`, "must be less than 1"},
		{"open", `0.99999999999999999999999999`, ""},
		{"count", `1.0`, whole},
		{"count", `1.5`, whole},
		{"count", `1E2`, whole},
		{"count", `-1`, ""},
		{"count", `9223372036854775807`, ""},
		{"count", `9223372036854775808`, tooLarge},
		{"count", `1234567890123456789012345678901234567890`, tooLarge},
		{"small", `2147483648`, tooLarge},
		{"form", `{"a":1e400}`, tooLarge},
		{"anything", `[1e400]`, tooLarge},
	} {
		t.Run(c.member+" "+c.text, func(t *testing.T) {
			reader, schema := schemaOf[parcel]()
			var want []string
			if c.want != "" {
				at := map[string]string{"form": "form.a", "anything": "anything[0]"}[c.member]
				if at == "" {
					at = c.member
				}
				want = []string{at + ": " + c.want}
			}
			expect(t, reader.Check(schema, []byte(parcelOf(`"`+c.member+`":`+c.text))), want...)
		})
	}
}

// Texts are checked for length in characters, pattern and format.
func TestTexts(t *testing.T) {
	const dateTime, country = "must be a date and time such as 2026-11-21T09:00:00Z", "must be an ISO 3166-1 alpha-2 country code such as GB"
	const trading = "must be an ISO 3166-1 alpha-2 country code such as GB, XI for Northern Ireland or XK for Kosovo"
	const area = "must be a country code such as GB, EU, or the four digits of an area of the tariff"
	const absoluteURL = "must be an absolute URL such as https://example.com/hook"
	for _, c := range []struct{ member, text, want string }{
		{"kind", ``, "must be one of BOX, BAG"},
		{"kind", `box`, "must be one of BOX, BAG"},
		{"kind", `BOX `, "must be one of BOX, BAG"},
		{"least", ``, "must not be empty"},
		{"least", ` \t\u00a0\u2003`, "must not be empty"},
		{"least", `éé`, "must have at least 3 characters"},
		{"least", `ééé`, ""},
		{"least", `a\u0000b`, "must not contain the character U+0000"},
		{"code", `12345`, "must look like ^[0-9]{4}$"},
		{"code", `1234\n`, "must look like ^[0-9]{4}$"},
		{"at", `2026-11-21T09:00:00Z`, ""},
		{"at", `2026-11-21T09:00:00.123456789+14:00`, ""},
		{"at", `2024-02-29T00:00:00Z`, ""},
		{"at", `2026-02-29T00:00:00Z`, dateTime},
		{"at", `2026-11-21`, dateTime},
		{"at", `2026-11-21T09:00:00`, dateTime},
		{"at", `2026-11-21 09:00:00Z`, dateTime},
		{"at", `2026-11-21T9:00:00Z`, dateTime},
		{"at", `2026-11-21T09:00:00,5Z`, dateTime},
		{"at", `2026-11-21T24:00:00Z`, dateTime},
		{"at", `2026-11-21T09:00:00+25:00`, dateTime},
		{"at", `0000-01-01T00:00:00Z`, dateTime},
		{"at", `0001-01-01T00:00:00+01:00`, dateTime},
		{"at", `9999-12-31T23:59:59-01:00`, dateTime},
		{"at", `10000-01-01T00:00:00Z`, dateTime},
		{"at", ``, dateTime},
		{"country", `GB`, ""},
		{"country", `gb`, country},
		{"country", `UK`, country},
		{"country", `GBR`, country},
		{"country", ` GB`, country},
		{"country", ``, country},
		{"country", `XK`, country},
		{"source", `XK`, ""},
		{"source", `XI`, ""},
		{"source", `UK`, trading},
		{"day", `2026-02-30`, "must be a day such as 2026-11-21"},
		{"day", `21.11.2026`, "must be a day such as 2026-11-21"},
		{"area", `2005`, ""},
		{"area", `EU`, ""},
		{"area", `XK`, ""},
		{"area", `ZZ`, area},
		{"area", `205`, area},
		{"link", `https://example.com`, ""},
		{"link", `example.com/hook`, absoluteURL},
		{"link", `/hook`, absoluteURL},
		{"link", `https:`, absoluteURL},
		{"link", `mailto:a@example.com`, absoluteURL},
		{"link", `https://exa mple.com`, absoluteURL},
	} {
		t.Run(c.member+" "+c.text, func(t *testing.T) {
			reader, schema := schemaOf[parcel]()
			var want []string
			if c.want != "" {
				want = []string{c.member + ": " + c.want}
			}
			expect(t, reader.Check(schema, []byte(parcelOf(`"`+c.member+`":"`+c.text+`"`))), want...)
		})
	}
}

// Length is counted in characters, not bytes.
func TestLengthInCharacters(t *testing.T) {
	reader, schema := schemaOf[parcel]()
	body := func(id, name string) []byte { return []byte(`{"id":"` + id + `","name":"` + name + `"}`) }
	const id = "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"
	expect(t, reader.Check(schema, body(id, "🫖🫖🫖🫖🫖")))
	expect(t, reader.Check(schema, body(id, "🫖🫖🫖🫖🫖🫖")), "name: must have at most 5 characters, not 6")
	expect(t, reader.Check(schema, body("0192f3c47a107c3e8f001f2e3d4c5b6a", "Tea")), "id: must be a UUID")
	expect(t, reader.Check(schema, body("{0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a}", "Tea")), "id: must be a UUID")
}
