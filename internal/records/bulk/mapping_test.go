package bulk_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// A mapping has every field of a client and no others.
func TestMappingHasEveryField(t *testing.T) {
	m := new(bulk.Sheet).Mapping(nil)
	fields := customs.Clients.Type().Fields()
	if len(m) != len(fields) {
		t.Errorf("%d fields in the mapping, want %d", len(m), len(fields))
	}
	for _, field := range fields {
		if header, ok := m[field]; !ok || header != nil {
			t.Errorf("%s: %v, %t", field, header, ok)
		}
	}
}

// Tables of brokers, accounting programs and spreadsheets are mapped by headers and values. Columns
// that match no field stay unmapped.
func TestGuess(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       map[string]string
	}{
		{"our own export",
			"id,status,createdAt,updatedAt,name,eori,vatNumber,email,phone,addressLine1,addressLine2,city,postcode,country,contactName,role,reference\n" +
				"01900000-0000-7000-8000-000000000001,ACTIVE,2026-11-21T09:00:00.000Z,2026-11-21T09:00:00.000Z,A Ltd,GB123456789000,GB123456789,a@b.uk,+44 1394 555000,1 Mill Lane,,Hull,IP1 1AA,GB,A. B.,IMPORTER,C-1\n",
			map[string]string{"name": "name", "eori": "eori", "vatNumber": "vatNumber", "email": "email", "phone": "phone", "addressLine1": "addressLine1",
				"addressLine2": "addressLine2", "city": "city", "postcode": "postcode", "country": "country", "contactName": "contactName", "role": "role", "reference": "reference"}},
		{"a broker's sheet",
			"Trader Name,EORI Number,VAT Reg No.,Contact Person,E-mail Address,Tel No,Address Line 1,Address Line 2,Town/City,Post Code,Country Code,Client Ref\n" +
				"A Ltd,GB 123 456 789 000,GB 123 4567 89,Ann,a@b.uk,01394 555000,1 Mill Lane,Dock,Hull,IP1 1AA,GB,7\n",
			map[string]string{"name": "Trader Name", "eori": "EORI Number", "vatNumber": "VAT Reg No.", "contactName": "Contact Person", "email": "E-mail Address",
				"phone": "Tel No", "addressLine1": "Address Line 1", "addressLine2": "Address Line 2", "city": "Town/City", "postcode": "Post Code",
				"country": "Country Code", "reference": "Client Ref"}},
		{"an accounting program",
			"AccountNumber,CompanyName,CompanyNumber,VATRegistrationNumber,StreetAddress,County,PostTown,ZipCode,Telephone,PrimaryContact,ContactEmail,Balance\n" +
				"A001,A Ltd,01234567,123456789,1 Mill Lane,Suffolk,Hull,HU1 1AA,(01394) 555-000,Ann,a@b.uk,-12.50\n",
			map[string]string{"reference": "AccountNumber", "name": "CompanyName", "vatNumber": "VATRegistrationNumber", "addressLine1": "StreetAddress",
				"city": "PostTown", "postcode": "ZipCode", "phone": "Telephone", "contactName": "PrimaryContact", "email": "ContactEmail"}},
		{"values where headers say nothing",
			"Company;Ref 1;Ref 2;Ref 3;Info\nA;1;GB123456789000;a@b.uk;IP1 1AA\nB;2;GB123456789001;b@c.uk;HU1 1AA\n",
			map[string]string{"name": "Company", "reference": "Ref 1", "eori": "Ref 2", "email": "Ref 3", "postcode": "Info"}},
		{"values outweigh a header",
			"Name,EORI,VAT\nA,123,GB123456789000\nB,124,GB123456789001\nC,125,GB123456789002\n",
			map[string]string{"name": "Name", "eori": "VAT"}},
		{"no header",
			"A Ltd,GB123456789000,a@b.uk\nB Limited,GB123456789001,b@c.uk\n",
			map[string]string{"name": "Column 1", "eori": "Column 2", "email": "Column 3"}},
		{"a second column of a kind",
			"Email,Accounts Email,Name,Contact Name,Invoice Address,Address\na@b.uk,c@d.uk,A,B,1 Mill Lane,2 Mill Lane\n",
			map[string]string{"email": "Email", "name": "Name", "contactName": "Contact Name", "addressLine1": "Address"}},
		{"words within words",
			"Customer VAT No,Customer Name,Customer Postcode,Customer Country of Establishment,Country of Birth,Notes\nGB123456789,A,IP1 1AA,GB,FR,x\n",
			map[string]string{"vatNumber": "Customer VAT No", "name": "Customer Name", "postcode": "Customer Postcode", "country": "Customer Country of Establishment"}},
		{"no matching columns", "Colour,Weight\nred,1\nblue,2\n", map[string]string{}},
	} {
		s := read(t, c.file)
		first := s.Mapping(mapping.Map(s.Columns()))
		got, used := map[string]string{}, map[string]bool{}
		for field, header := range first {
			if header == nil {
				continue
			}
			if got[field] = *header; used[*header] {
				t.Errorf("%s: %s is used twice", c.name, *header)
			}
			used[*header] = true
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", c.name, got, c.want)
		}
		for range 20 {
			again := s.Mapping(mapping.Map(s.Columns()))
			if !reflect.DeepEqual(first, again) {
				t.Fatalf("%s: repeated guesses differ", c.name)
			}
		}
	}
}

// A field without a column is null in JSON, not absent.
func TestMappingAsJSON(t *testing.T) {
	s := read(t, "Name\nA\n")
	m := s.Mapping(mapping.Map(s.Columns()))
	text, _ := json.Marshal(m)
	if !strings.Contains(string(text), `"name":"Name"`) || !strings.Contains(string(text), `"eori":null`) {
		t.Errorf("got %s", text)
	}
}
